// The attributes and events of <likeness-check>: one table, used by the element and its wrappers.

/** Attributes with their properties. */
export const CHECK_ATTRIBUTES = {
  /** `challenge_url` of POST /v1/create-challenge, which your server calls. */
  'challenge-url': 'challengeUrl',
  /** One of CHECK_MODES; default `frame`. */
  mode: 'mode',
  /** Language of the capture page (BCP 47), if it should not be the browser's. */
  language: 'language',
  /** Names the frame or the QR code for screen readers, and is the button's text; default “Identity check”. */
  label: 'label',
} as const;

/** `frame`: the capture page inside yours. `window`: a button opens it. `qr`: a code for a phone. */
export const CHECK_MODES = ['frame', 'window', 'qr'] as const;
export type CheckMode = (typeof CHECK_MODES)[number];

/** The page's messages, as described in the embedding guide; and `opened`, when the button has opened it. */
export const CHECK_EVENTS = ['ready', 'opened', 'completed', 'cancelled', 'failed'] as const;
export type CheckEvent = (typeof CHECK_EVENTS)[number];

/**
 * `detail` of every event. No event proves how the check ended, because a browser can be made to say anything. Ask your
 * server.
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
