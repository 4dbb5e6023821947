// Why each kind of error happens, and what to do about it; Markdown.
import type { ProblemKind } from '../contract/problem.ts';

interface Advice {
  readonly cause: string;
  readonly remedy: string;
}

export const ADVICE: Readonly<Record<ProblemKind, Advice>> = {
  'malformed-json': {
    cause:
      'The body could not be read as one JSON value in UTF-8, or one of its keys reaches for an object prototype (`__proto__`).',
    remedy: 'Check quotes, commas and encoding. Let a JSON library write the body.',
  },
  'bad-request': {
    cause: 'The URL, a header or the Idempotency-Key is broken, or the body is shorter than announced.',
    remedy: 'Read `detail`: it says which. Mend it and send the request again.',
  },
  unauthorized: {
    cause: 'The request carries no API key, or one that is mistyped, expired or revoked.',
    remedy:
      'Send `Authorization: Basic API_KEY`, either the key as it is or base64 of `API_KEY:`, which is what `curl -u API_KEY:` sends. Ask the operator for a new key if yours was revoked.',
  },
  forbidden: {
    cause: 'The link was changed on its way, or it was made for something else.',
    remedy: 'Ask the API for a new link: read the challenge again.',
  },
  'not-found': {
    cause: 'There is nothing at this address, it belongs to another account, or it was erased.',
    remedy: 'Check the id and that the API key is of the account that created it.',
  },
  'no-receipt': {
    cause:
      'The challenge is completed, and nothing was judged that could be judged again: `detail` says whether it is of the sandbox, or no judgement came to its end.',
    remedy: 'Read the challenge itself. Its receipt will not come later.',
  },
  'method-not-allowed': {
    cause: 'The address exists, the method does not.',
    remedy: 'Use a method that the `Allow` header names.',
  },
  'request-timeout': {
    cause: 'The request did not arrive completely in time.',
    remedy: 'Send it again. Send an upload in smaller chunks.',
  },
  'state-conflict': {
    cause:
      'The resource is in a state that does not allow this: a challenge that has ended cannot be cancelled.',
    remedy: 'Read the resource, then decide again.',
  },
  'idempotency-in-flight': {
    cause: 'The first request with this Idempotency-Key is still being worked on.',
    remedy: 'Wait a moment, then send the same request again: you will get the first answer.',
  },
  gone: {
    cause: 'The resource was there, and has expired or was erased.',
    remedy: 'If it was a link, ask for a new one. What was erased does not come back.',
  },
  'too-large': {
    cause: 'The body is larger than the service takes.',
    remedy: 'Send less. For videos, use chunks no larger than the answer of the capture says.',
  },
  'unsupported-media-type': {
    cause: 'The `content-type` is missing or not one that this address takes.',
    remedy:
      'Send `content-type: application/json`; for a picture, `image/jpeg`, `image/png`, `image/webp` or `image/bmp`; for chunks of an upload, `application/octet-stream`.',
  },
  'validation-failed': {
    cause: 'Fields are missing, unknown or not valid. Nothing was created.',
    remedy:
      'Go through `errors`: it names every fault at once. `pointer` is a JSON Pointer to the value, `code` is stable and safe to switch on, `detail` is for people.',
  },
  'picture-unusable': {
    cause:
      'The picture was read, and no FeatureID is made of it. `errors` says why in one stable `code`: `no_face`, `several_faces`, `face_too_small` (eyes less than 37 pixels apart), `face_turned`, `face_cut_off`, `blurred`; or `picture_empty`, `picture_not_supported`, `picture_too_large`, `picture_damaged`.',
    remedy: 'Take another picture of the person; the same one is answered alike.',
  },
  'idempotency-key-reused': {
    cause: 'This Idempotency-Key was used within 24 hours with another body.',
    remedy: 'Use a new key for every new request, also for one that was refused and then corrected.',
  },
  'headers-too-large': {
    cause: 'The headers of the request are larger than the service takes.',
    remedy:
      'Send fewer or shorter headers. Cookies of other applications on the same host are a usual reason.',
  },
  'rate-limited': {
    cause: 'Too many requests, too many at once, or too many with a wrong API key: `detail` says which.',
    remedy: 'Wait as long as `Retry-After` says. The `RateLimit-*` headers show how many requests are left.',
  },
  'storage-quota': {
    cause: 'The videos and frames of this account fill the room that it has on this deployment.',
    remedy:
      'Erase challenges that you no longer need, wait until their retention ends, or ask the operator for more room (`ACCOUNT_STORAGE_BYTES`). Then send the request with a new Idempotency-Key.',
  },
  'featid-paused': {
    cause:
      'Recent comparisons with one of these FeatureIDs failed again and again, as they do when somebody guesses.',
    remedy:
      '`errors` names the FeatureIDs, `Retry-After` says how long to wait; then use a new Idempotency-Key. If it was your own customer, `POST /v1/featids/unlock` ends the pause.',
  },
  internal: {
    cause: 'The service failed. It is not your request.',
    remedy: 'Send the request again. If it stays so, give the operator the request id (`instance`).',
  },
  saturated: {
    cause: 'The service has more work than it can take just now.',
    remedy: 'Send the request again after `Retry-After`.',
  },
  'storage-unavailable': {
    cause:
      'The place where videos and frames lie is full or cannot be reached. Nothing that was acknowledged is lost.',
    remedy:
      'Send the request again after `Retry-After`. Operators: `/readyz` names the part that fails, `likeness doctor` says what to do.',
  },
};
