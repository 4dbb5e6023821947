// RFC 9457 problem types: the closed list of errors that the HTTP API answers with.
import { Type } from 'typebox';
import { PICTURE_FAULT_CODES, type PictureFault } from './picture.ts';

interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** Whether the answer has a `Retry-After` header. */
  readonly retryAfter?: true;
  /** Why it happens; Markdown. It is the `detail` of an answer that has none of its own. */
  readonly cause: string;
  /** What to do about it; Markdown. */
  readonly remedy: string;
}

const rowsOf = <Kind extends string>(rows: Readonly<Record<Kind, ProblemRow>>) => rows;

/** Every problem kind. The key is the last part of its `type` URI. */
export const PROBLEMS = rowsOf({
  'malformed-json': {
    status: 400,
    title: 'The body is not valid JSON',
    cause:
      'The body could not be read as one JSON value in UTF-8, or one of its keys names an object prototype (`__proto__`).',
    remedy: 'Check quotes, commas and encoding. Use a JSON library to write the body.',
  },
  'bad-request': {
    status: 400,
    title: 'The request cannot be understood',
    cause: 'The URL, a header or the Idempotency-Key is malformed, or the body is shorter than announced.',
    remedy: '`detail` says which. Correct it and send the request again.',
  },
  unauthorized: {
    status: 401,
    title: 'A valid API key is required',
    cause: 'The request carries no API key, or one that is mistyped, expired or revoked.',
    remedy:
      'Send `Authorization: Basic API_KEY`, with the key itself or base64 of `API_KEY:`, as `curl -u API_KEY:` sends it. Ask the operator for a new key if yours was revoked.',
  },
  forbidden: {
    status: 403,
    title: 'This link does not allow that',
    cause: 'The link was altered, or it was made for something else.',
    remedy: 'Ask the API for a new link: read the challenge again.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such resource',
    cause: 'There is nothing at this address, it belongs to another account, or it was erased.',
    remedy: 'Check the id, and check that the API key belongs to the account that created the resource.',
  },
  'no-receipt': {
    status: 404,
    title: 'There is no receipt for this challenge',
    cause:
      'The challenge is completed, but it has no judgement that could be repeated. `detail` says whether it belongs to the sandbox, or no judgement was completed.',
    remedy: 'Read the challenge itself. Its receipt will not come later.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The resource does not allow this method',
    cause: 'The address exists, but not with this method.',
    remedy: 'Use a method that the `Allow` header names.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    cause: 'The request did not arrive completely in time.',
    remedy: 'Send it again. Send an upload in smaller chunks.',
  },
  'state-conflict': {
    status: 409,
    title: 'The state of the resource does not allow this',
    cause:
      'The resource is in a state that does not allow this; for example, a challenge that has ended cannot be cancelled.',
    remedy: 'Read the resource, then decide what to do.',
  },
  'idempotency-in-flight': {
    status: 409,
    title: 'A request with this Idempotency-Key is still being processed',
    retryAfter: true,
    cause: 'The first request with this Idempotency-Key is still in progress.',
    remedy: 'Wait a moment, then send the same request again: you will get the response to the first one.',
  },
  gone: {
    status: 410,
    title: 'The resource has expired or was erased',
    cause: 'The resource existed, but has expired or was erased.',
    remedy: 'If it was a link, request a new one. Erased resources do not come back.',
  },
  'too-large': {
    status: 413,
    title: 'The body is too large',
    cause: 'The body is larger than the service accepts.',
    remedy: 'Send less. For videos, use chunks no larger than the response of the capture says.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not supported',
    cause: 'The `content-type` is missing, or this address does not accept it.',
    remedy:
      'Send `content-type: application/json`; for a picture, `image/jpeg`, `image/png`, `image/webp` or `image/bmp`; for chunks of an upload, `application/octet-stream`.',
  },
  'validation-failed': {
    status: 422,
    title: 'Fields are not valid',
    cause: 'Fields are missing, unknown or not valid. Nothing was created.',
    remedy:
      '`errors` lists every fault at once. `pointer` is a JSON Pointer to the value, `code` is stable and safe to switch on, `detail` is for people.',
  },
  'picture-unusable': {
    status: 422,
    title: 'No FeatureID can be made from this picture',
    cause:
      'The picture was read, but no FeatureID can be made from it. `errors` gives the reason as one stable `code`: `no_face`, `several_faces`, `face_too_small` (eyes less than 37 pixels apart), `face_turned`, `face_cut_off`, `blurred`; or `picture_empty`, `picture_not_supported`, `picture_too_large`, `picture_damaged`.',
    remedy: 'Take another picture of the person; the same one will be refused again.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used with another body',
    cause: 'This Idempotency-Key was used with a different body within the last 24 hours.',
    remedy: 'Use a new key for every new request, including one that was refused and then corrected.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The request headers are too large',
    cause: 'The headers of the request are larger than the service accepts.',
    remedy:
      'Send fewer or shorter headers. Cookies of other applications on the same host are a common cause.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    retryAfter: true,
    cause:
      'There were too many requests, too many at once, or too many with a wrong API key: `detail` says which.',
    remedy: 'Wait as long as `Retry-After` says. The `RateLimit-*` headers show how many requests are left.',
  },
  'storage-quota': {
    status: 429,
    title: 'The account has reached its storage limit',
    retryAfter: true,
    cause: 'The videos and frames of this account fill its storage quota on this deployment.',
    remedy:
      'Erase challenges that you no longer need, wait until their retention ends, or ask the operator for more room. Then send the request with a new Idempotency-Key.',
  },
  'featid-paused': {
    status: 429,
    title: 'Comparisons with a FeatureID are paused after failed attempts',
    retryAfter: true,
    cause:
      'Recent comparisons with one of these FeatureIDs failed repeatedly, as they do when somebody is guessing.',
    remedy:
      '`errors` lists the FeatureIDs, and `Retry-After` says how long to wait; then use a new Idempotency-Key. If it was your own customer, `POST /v1/featids/unlock` ends the pause.',
  },
  internal: {
    status: 500,
    title: 'The service failed',
    cause: 'The service failed. The cause is not your request.',
    remedy: 'Send the request again. If it keeps failing, give the operator the request id (`instance`).',
  },
  saturated: {
    status: 503,
    title: 'The service is at its limit',
    retryAfter: true,
    cause: 'The service has more work than it can accept right now.',
    remedy: 'Send the request again after `Retry-After`.',
  },
  'storage-unavailable': {
    status: 503,
    title: 'Videos cannot be stored or read just now',
    retryAfter: true,
    cause:
      'The store for videos and frames is full or cannot be reached. Nothing that was acknowledged is lost.',
    remedy:
      'Send the request again after `Retry-After`. Operators: `/readyz` names the failing part, and `likeness doctor` says what to do.',
  },
});

export type ProblemKind = keyof typeof PROBLEMS;

/** Codes of single faults in a request. They are stable, because integrators switch on them. */
export const FAULT_FIELD_CODES = [
  'unknown_field',
  'required',
  'wrong_type',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'not_allowed_value',
  'invalid_format',
  'invalid_url',
  'url_scheme_not_allowed',
  'https_required',
  'address_not_allowed',
  'port_not_allowed',
  'must_be_absent',
  'duplicate',
  'featid_invalid',
  'featid_revoked',
  'featid_unknown',
  'featid_pack_retired',
  'featid_paused',
] as const;

export type FieldFaultCode = (typeof FAULT_FIELD_CODES)[number];

/**
 * Why a FeatureID cannot be used. `featid_invalid`: not a FeatureID at all (format or checksum). `featid_unknown`:
 * well-formed, but not found in this account; a wrong id, a wrong key, another account's and another region's are
 * indistinguishable. `featid_revoked`: erased. `featid_pack_retired`: made by a recogniser that is no longer in use.
 */
export type FeatidRefusal = Exclude<Extract<FieldFaultCode, `featid_${string}`>, 'featid_paused'>;

/** One fault of the request. `pointer` is a JSON Pointer (RFC 6901) to the faulty value; it is empty for a picture. */
export interface FieldFault {
  pointer: string;
  code: FieldFaultCode | PictureFault;
  detail: string;
}

export const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri',
      description: 'Stable URI of the kind of error; it is also the address of its documentation.',
    }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'Why it happened, for human readers.' }),
    instance: Type.String({ description: 'The request id, also in X-Request-Id.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON Pointer to the faulty value.' }),
          code: Type.Enum([...FAULT_FIELD_CODES, ...PICTURE_FAULT_CODES]),
          detail: Type.String(),
        }),
        { description: 'All faults of the request.' },
      ),
    ),
  },
  { $id: 'Problem', description: 'RFC 9457 problem details' },
);

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  errors?: FieldFault[];
}

/**
 * Extension members of some problems (RFC 9457 §3.2): the offset from which the capture page resumes, why a step was
 * refused, whether that is because the challenge is tied to another browser, and how it ended.
 */
export interface ProblemExtensions {
  received_bytes?: number;
  state?: string;
  conflict?: string;
  tied?: boolean;
  closed?: string;
}
