// The messages that the capture page and the server exchange below {BASE_URL}/c/{token}. The page imports only the
// types.
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { ACCESSIBLE_WAYS } from './accessible-way.ts';
import { NullablePasskeyAsk } from './device.ts';
import { closed, NullableString, Sha256 } from './field-types.ts';
import { SANDBOX_OUTCOMES, type SandboxOutcome } from './sandbox.ts';
import { DrawnScript, DrawnSteps, MAX_STEPS, Script } from './script.ts';
import { CHALLENGE_STATUSES } from './states.ts';
import { MAX_ANNOUNCED_AT_ONCE, MAX_SLICES, MAX_VIDEO_BYTES } from './upload-limits.ts';

/**
 * Header in which the page sends its device token with requests whose body is not JSON. A proxy may drop a header that it
 * does not know: the token is also taken from `Authorization: Bearer`.
 */
export const DEVICE_HEADER = 'likeness-device';
/** A link that no challenge has, for trying what proxies do to the page: a wait for its outcome lasts to its end. */
export const TRIAL_LINK = 'likeness-doctor';
/** A device token: at least 256 bits, base64url. */
export const DEVICE_TOKEN_PATTERN = '^[A-Za-z0-9_-]{43,128}$';

/** This request, with the token of the device that sends it: no proxy drops a part of a body. */
export const ofDevice = <Properties extends TProperties>({ properties }: TObject<Properties>) =>
  Type.Object(
    { ...properties, device_token: Type.Optional(Type.String({ pattern: DEVICE_TOKEN_PATTERN })) },
    closed,
  );

/**
 * Body of POST /c/:token/state and /start. The page starts with a token that it generated, so that a lost answer does not
 * lock the person out.
 */
export const DeviceRequest = ofDevice(Type.Object({}));
export type DeviceRequest = Static<typeof DeviceRequest>;

/** States of one capture, as the page sees them. */
export const CAPTURE_STATES = [
  'issued',
  'committed',
  'submitted',
  'judged',
  'rejected',
  'abandoned',
] as const;
export type CaptureProgressState = (typeof CAPTURE_STATES)[number];

/** Why the person has to record again. The page has a plain sentence for each. */
export const RETRY_REASONS = [
  'face_missing',
  'several_faces',
  'too_far',
  'too_dark',
  'too_bright',
  'no_colour',
  'blurred',
  'mouth_covered',
  'turned_away',
  'view_broken',
  'neutral_missing',
  'smile_missing',
  'target_missing',
  'too_short',
  'prompt_not_followed',
  'video_unreadable',
  'connection_slow',
  'device_missing',
  'unknown',
] as const;
export type RetryReason = (typeof RETRY_REASONS)[number];

const RetryReasonOrNull = Type.Unsafe<RetryReason | null>({
  type: ['string', 'null'],
  enum: [...RETRY_REASONS, null],
});

/** GET /c/:token/captures/:id, and the open capture inside the state. */
export const CaptureProgress = Type.Object({
  id: Type.String(),
  state: Type.Enum([...CAPTURE_STATES]),
  received_bytes: Type.Integer({ minimum: 0 }),
  size_bytes: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Announced so far; after the commit, the size of the whole video.',
  }),
  announced_slices: Type.Integer({ minimum: 0 }),
  passkey: NullablePasskeyAsk,
});
export type CaptureProgress = Static<typeof CaptureProgress>;

const PageStyle = Type.Object({
  primary_colour_hex: NullableString,
  header_text_colour_hex: NullableString,
  body_text_colour_hex: NullableString,
  logo: Type.Boolean({ description: 'Whether the challenge has a logo, at GET /c/:token/logo.' }),
  terms_of_service_url: NullableString,
});

/** Response of POST /c/:token/state, and `%STATE%` of the page. */
export const CaptureState = Type.Object({
  status: Type.Enum([...CHALLENGE_STATUSES]),
  expires_at: Type.String({ format: 'date-time' }),
  account: Type.Object({ display_name: Type.String(), privacy_url: NullableString, purpose: NullableString }),
  consent: Type.Object({
    required: Type.Boolean(),
    given: Type.Boolean(),
    show_checkbox: Type.Boolean(),
    text_version: Type.String(),
    client_text: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What a client of the account adds to the text, in its own words; lines are kept.',
    }),
    retention_days: Type.Integer({ minimum: 0 }),
  }),
  style: PageStyle,
  exit_redirect_url: NullableString,
  alternative_url: NullableString,
  tries_left: Type.Integer({ minimum: 0 }),
  retry_reason: RetryReasonOrNull,
  capture: Type.Unsafe<CaptureProgress | null>({ anyOf: [CaptureProgress, { type: 'null' }] }),
  accessible_ways: Type.Array(Type.Enum([...ACCESSIBLE_WAYS]), {
    description: 'What a person who cannot do it may leave out.',
  }),
  usual_seconds: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description:
      'How long the check takes at this level, from the camera to the end, for nine of ten people here who pass their first try; null if too few did.',
  }),
  device_required: Type.Boolean({
    description: 'Whether the check fails unless the person’s device signs the recording.',
  }),
  device_bound: Type.Boolean(),
  bound_here: Type.Boolean({ description: 'Whether that is the device that asks.' }),
  may_start: Type.Boolean({ description: 'Not while another device has a recording under way.' }),
  sandbox_outcomes: Type.Unsafe<SandboxOutcome[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', enum: [...SANDBOX_OUTCOMES] },
    description: 'What the page offers in place of the camera; null outside the sandbox.',
  }),
});
export type CaptureState = Static<typeof CaptureState>;

/** Response of POST /c/:token/start. */
export const StartAnswer = Type.Object({ device_token: Type.String(), state: CaptureState });
export type StartAnswer = Static<typeof StartAnswer>;

/** Body of POST /c/:token/consent. `text_sha256` is the hash of the exact text that was shown. */
export const ConsentRequest = Type.Object(
  {
    decision: Type.Enum(['given', 'declined']),
    text_version: Type.String({ minLength: 1, maxLength: 32 }),
    text_sha256: Sha256,
    language: Type.String({ pattern: '^[A-Za-z0-9-]{2,35}$' }),
  },
  closed,
);
export type ConsentRequest = Static<typeof ConsentRequest>;

/** Body of POST /c/:token/captures. */
export const IssueRequest = Type.Object(
  {
    way: Type.Optional(
      Type.Enum([...ACCESSIBLE_WAYS], { description: 'Leaves out what the person cannot do.' }),
    ),
  },
  closed,
);
export type IssueRequest = Static<typeof IssueRequest>;

/**
 * Response (201) of POST /c/:token/captures. The page starts recording as soon as it arrives. `script` holds only the
 * first step.
 */
export const IssuedCapture = Type.Object({
  capture_id: Type.String(),
  script: DrawnScript,
  step_count: Type.Integer({
    description: 'Number of steps in the whole script; the later ones are requested with the slices.',
  }),
  max_bytes: Type.Integer({ description: 'Largest video that is accepted.' }),
  chunk_bytes: Type.Integer({ description: 'Largest chunk of a recording.' }),
  slice_ms: Type.Integer({ description: 'About how much of the recording one slice holds.' }),
  announce_within_ms: Type.Integer({
    description:
      'Longest time from the end of the previous slice, counted from this response, to the arrival of an announcement.',
  }),
  commit_within_ms: Type.Integer({
    description: 'Longest time from this response to the arrival of the commit.',
  }),
  upload_within_ms: Type.Integer({
    description: 'Longest time from the commit to the arrival of the last byte.',
  }),
  expires_within_ms: Type.Integer({
    description: 'From this response to the end of the challenge, after which neither is accepted.',
  }),
  passkey: NullablePasskeyAsk,
});
export type IssuedCapture = Static<typeof IssuedCapture>;

/** Whether the page's guidance worked during one capture, as reported by the page. */
export const GUIDANCE_STATES = ['on', 'late', 'failed'] as const;
export type GuidanceState = (typeof GUIDANCE_STATES)[number];

const SliceAnnouncement = Type.Object(
  {
    index: Type.Integer({ minimum: 0, maximum: MAX_SLICES - 1, description: '0 for the first.' }),
    sha256: Sha256,
    size_bytes: Type.Integer({ minimum: 1, maximum: MAX_VIDEO_BYTES }),
    to_ms: Type.Integer({
      minimum: 1,
      maximum: 600_000,
      description: "End of the slice, from the recorder's start.",
    }),
  },
  closed,
);
export type SliceAnnouncement = Static<typeof SliceAnnouncement>;

/**
 * Body of POST /c/:token/captures/:id/slices: announces the next slices of the recording, in order. Their bytes follow
 * later. An announced slice can no longer be changed, and nothing can be inserted before it.
 */
export const SlicesRequest = Type.Object(
  {
    slices: Type.Array(SliceAnnouncement, { minItems: 1, maxItems: MAX_ANNOUNCED_AT_ONCE }),
    steps: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: MAX_STEPS,
        description:
          'How many steps of the script the page wants: one more when it has seen the answer to the last.',
      }),
    ),
  },
  closed,
);
export type SlicesRequest = Static<typeof SlicesRequest>;

/**
 * Body of POST /c/:token/captures/:id/commit: the recording is over and every slice has been announced. `script` says
 * when each prompt was shown, in the recording's time. It only tells the judgement where to look for an answer; whether
 * there is one is decided from the pixels. `hints` are recorded but never trusted.
 */
export const CommitRequest = Type.Object(
  {
    slices: Type.Integer({ minimum: 1, maximum: MAX_SLICES }),
    size_bytes: Type.Integer({ minimum: 1, maximum: MAX_VIDEO_BYTES, description: 'Sum of all slices.' }),
    mime_type: Type.String({ pattern: '^video/[a-z0-9.+-]{1,40}(;[ -~]{0,100})?$' }),
    duration_ms: Type.Integer({ minimum: 0, maximum: 600_000 }),
    script: Script,
    hints: Type.Optional(
      Type.Object(
        {
          camera_label_virtual: Type.Optional(Type.Boolean()),
          focus_lost: Type.Optional(Type.Boolean()),
          guidance: Type.Optional(
            Type.Enum([...GUIDANCE_STATES], {
              description:
                'on: hints were available before the recording; late: they were not yet; failed: they could not start, or crashed.',
            }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type CommitRequest = Static<typeof CommitRequest>;

/**
 * Response of an announcement, the commit and every chunk. Their 409 carries it too, so that the page knows where to
 * resume. `steps`: the steps handed out so far, if the announcement asked for any.
 */
export const ReceivedBytes = Type.Object({
  received_bytes: Type.Integer({ minimum: 0 }),
  announced_slices: Type.Integer({ minimum: 0 }),
  state: Type.Enum([...CAPTURE_STATES], {
    description: 'submitted: the whole video is accepted, and the answer of the device if one was asked for.',
  }),
  steps: Type.Optional(DrawnSteps),
});
export type ReceivedBytes = Static<typeof ReceivedBytes>;

/** Response of GET /c/:token/outcome: whether the person is done, never whether they passed. */
export const CaptureOutcome = Type.Object({
  status: Type.Enum(['processing', 'retry', 'done', 'expired', 'cancelled']),
  retry: Type.Unsafe<{ reason: RetryReason; tries_left: number } | null>({
    anyOf: [
      Type.Object({ reason: Type.Enum([...RETRY_REASONS]), tries_left: Type.Integer() }),
      { type: 'null' },
    ],
  }),
  redirect_url: NullableString,
  estimate_ms: Type.Integer({ minimum: 0, description: 'Expected wait while processing, else 0.' }),
});
export type CaptureOutcome = Static<typeof CaptureOutcome>;
