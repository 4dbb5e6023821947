// Why each kind of error happens, and what to do about it; Markdown.
import type { ProblemKind } from '../../contract/problem.ts';

interface Advice {
  readonly cause: string;
  readonly remedy: string;
}

export const ADVICE: Readonly<Record<ProblemKind, Advice>> = {
  'malformed-json': {
    cause:
      'The body could not be read as one JSON value in UTF-8, or one of its keys names an object prototype (`__proto__`).',
    remedy: 'Check quotes, commas and encoding. Use a JSON library to write the body.',
  },
  'bad-request': {
    cause: 'The URL, a header or the Idempotency-Key is malformed, or the body is shorter than announced.',
    remedy: '`detail` says which. Correct it and send the request again.',
  },
  unauthorized: {
    cause: 'The request carries no API key, or one that is mistyped, expired or revoked.',
    remedy:
      'Send `Authorization: Basic API_KEY`, with the key itself or base64 of `API_KEY:`, as `curl -u API_KEY:` sends it. Ask the operator for a new key if yours was revoked.',
  },
  forbidden: {
    cause: 'The link was altered, or it was made for something else.',
    remedy: 'Ask the API for a new link: read the challenge again.',
  },
  'not-found': {
    cause: 'There is nothing at this address, it belongs to another account, or it was erased.',
    remedy: 'Check the id, and check that the API key belongs to the account that created the resource.',
  },
  'no-receipt': {
    cause:
      'The challenge is completed, but it has no judgement that could be repeated. `detail` says whether it belongs to the sandbox, or no judgement was completed.',
    remedy: 'Read the challenge itself. Its receipt will not come later.',
  },
  'method-not-allowed': {
    cause: 'The address exists, but not with this method.',
    remedy: 'Use a method that the `Allow` header names.',
  },
  'request-timeout': {
    cause: 'The request did not arrive completely in time.',
    remedy: 'Send it again. Send an upload in smaller chunks.',
  },
  'state-conflict': {
    cause:
      'The resource is in a state that does not allow this; for example, a challenge that has ended cannot be cancelled.',
    remedy: 'Read the resource, then decide what to do.',
  },
  'idempotency-in-flight': {
    cause: 'The first request with this Idempotency-Key is still in progress.',
    remedy: 'Wait a moment, then send the same request again: you will get the response to the first one.',
  },
  gone: {
    cause: 'The resource existed, but has expired or was erased.',
    remedy: 'If it was a link, request a new one. Erased resources do not come back.',
  },
  'too-large': {
    cause: 'The body is larger than the service accepts.',
    remedy: 'Send less. For videos, use chunks no larger than the response of the capture says.',
  },
  'unsupported-media-type': {
    cause: 'The `content-type` is missing, or this address does not accept it.',
    remedy:
      'Send `content-type: application/json`; for a picture, `image/jpeg`, `image/png`, `image/webp` or `image/bmp`; for chunks of an upload, `application/octet-stream`.',
  },
  'validation-failed': {
    cause: 'Fields are missing, unknown or not valid. Nothing was created.',
    remedy:
      '`errors` lists every fault at once. `pointer` is a JSON Pointer to the value, `code` is stable and safe to switch on, `detail` is for people.',
  },
  'picture-unusable': {
    cause:
      'The picture was read, but no FeatureID can be made from it. `errors` gives the reason as one stable `code`: `no_face`, `several_faces`, `face_too_small` (eyes less than 37 pixels apart), `face_turned`, `face_cut_off`, `blurred`; or `picture_empty`, `picture_not_supported`, `picture_too_large`, `picture_damaged`.',
    remedy: 'Take another picture of the person; the same one will be refused again.',
  },
  'idempotency-key-reused': {
    cause: 'This Idempotency-Key was used with a different body within the last 24 hours.',
    remedy: 'Use a new key for every new request, including one that was refused and then corrected.',
  },
  'headers-too-large': {
    cause: 'The headers of the request are larger than the service accepts.',
    remedy:
      'Send fewer or shorter headers. Cookies of other applications on the same host are a common cause.',
  },
  'rate-limited': {
    cause:
      'There were too many requests, too many at once, or too many with a wrong API key: `detail` says which.',
    remedy: 'Wait as long as `Retry-After` says. The `RateLimit-*` headers show how many requests are left.',
  },
  'storage-quota': {
    cause: 'The videos and frames of this account fill its storage quota on this deployment.',
    remedy:
      'Erase challenges that you no longer need, wait until their retention ends, or ask the operator for more room. Then send the request with a new Idempotency-Key.',
  },
  'featid-paused': {
    cause:
      'Recent comparisons with one of these FeatureIDs failed repeatedly, as they do when somebody is guessing.',
    remedy:
      '`errors` lists the FeatureIDs, and `Retry-After` says how long to wait; then use a new Idempotency-Key. If it was your own customer, `POST /v1/featids/unlock` ends the pause.',
  },
  internal: {
    cause: 'The service failed. The cause is not your request.',
    remedy: 'Send the request again. If it keeps failing, give the operator the request id (`instance`).',
  },
  saturated: {
    cause: 'The service has more work than it can accept right now.',
    remedy: 'Send the request again after `Retry-After`.',
  },
  'storage-unavailable': {
    cause:
      'The store for videos and frames is full or cannot be reached. Nothing that was acknowledged is lost.',
    remedy:
      'Send the request again after `Retry-After`. Operators: `/readyz` names the failing part, and `likeness doctor` says what to do.',
  },
};
