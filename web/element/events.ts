// What <likeness-check> tells its page and takes from it: one table, which the element and its wrappers read.

/** Attributes, each with its property. */
export const CHECK_ATTRIBUTES = {
  /** `challenge_url` of POST /v1/create-challenge, which your server calls. */
  'challenge-url': 'challengeUrl',
  /** One of CHECK_MODES; default `frame`. */
  mode: 'mode',
  /** Language of the capture page (BCP 47), where the browser's is not wanted. */
  language: 'language',
  /** Names the frame or the QR code for screen readers, and is the button's text; default “Identity check”. */
  label: 'label',
} as const;

/** `frame`: the page inside yours. `window`: a button opens it. `qr`: a code for a phone. */
export const CHECK_MODES = ['frame', 'window', 'qr'] as const;
export type CheckMode = (typeof CHECK_MODES)[number];

/** As the embedding guide says of the page's messages; and `opened`, when the button has opened it. */
export const CHECK_EVENTS = ['ready', 'opened', 'completed', 'cancelled', 'failed'] as const;
export type CheckEvent = (typeof CHECK_EVENTS)[number];

/**
 * `detail` of every event. None says how the check ended: a browser can be made to say anything. Ask your server.
 */
export interface CheckDetail {
  /** With `failed`: the dead end's name, `invalid_url` or `popup_blocked`; else null. */
  readonly reason: string | null;
}

/** Properties of the element. */
export interface CheckProperties {
  challengeUrl: string;
  mode: CheckMode;
  language: string;
  label: string;
}
