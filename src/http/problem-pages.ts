// What each kind of error means and what to do, for /docs/errors/{kind}: the page that a problem's `type` leads to.
import { PROBLEMS, type ProblemKind } from '../contract/problem.ts';
import { html } from './html.ts';
import { pageShell } from './page-shell.ts';

const ADVICE: Readonly<Record<ProblemKind, string>> = {
  'malformed-json':
    'The body could not be read as one JSON value in UTF-8. Check quoting, commas and encoding. Bodies with keys that reach for an object prototype (`__proto__`) are refused too.',
  'bad-request':
    'The request is not valid HTTP for this service: a broken URL, header or Idempotency-Key, or a body shorter than announced. `detail` says which.',
  unauthorized:
    'Send `Authorization: Basic API_KEY`, either the raw key or base64 of `API_KEY:` as `curl -u API_KEY:` does. The key may be mistyped, expired or revoked.',
  forbidden: 'The link was altered, or it was made for something else. Ask the API for a fresh one.',
  'not-found': 'There is nothing at this address, or it belongs to another account, or it was erased.',
  'method-not-allowed': 'The address exists, the method does not. The `Allow` header names those that do.',
  'request-timeout':
    'The request was not complete in time. Send it again, in smaller parts where it is an upload.',
  'state-conflict':
    'The resource is in a state that does not allow this, for example a closed challenge that should be cancelled. Read it and decide anew.',
  'idempotency-in-flight':
    'The first request with this Idempotency-Key has no answer yet. Wait a moment and send the same request again.',
  gone: 'The resource was there and has expired or was erased. Where it was a link, ask for a fresh one.',
  'too-large': 'The body is larger than the service takes.',
  'unsupported-media-type':
    'Send `content-type: application/json` (a picture: `image/jpeg`, `image/png`, `image/webp` or `image/bmp`; chunks of an upload: `application/octet-stream`).',
  'validation-failed':
    'Fields are missing or not valid. `errors` names every one of them: `pointer` is a JSON Pointer to the value, `code` is stable and safe to switch on, `detail` is for people.',
  'picture-unusable':
    'The picture was read, and no FeatureID is made of it. `errors` says why in one stable `code`: `no_face`, `several_faces`, `face_too_small` (eyes less than 37 pixels apart), `face_turned`, `face_cut_off`, `blurred`; or `picture_empty`, `picture_not_supported`, `picture_too_large`, `picture_damaged`. Take another picture of the person; the same one is answered alike.',
  'idempotency-key-reused':
    'This Idempotency-Key was used within 24 hours with another body. Take a new key for a new request, and for one that was refused and mended.',
  'headers-too-large': 'The headers of the request are larger than the service takes.',
  'rate-limited':
    'Too many requests, or too many with a wrong API key: `detail` says which. `Retry-After` says when to go on; the `RateLimit-*` headers show how much is left.',
  'storage-quota':
    'The videos and frames of this account fill the room that it has on this deployment. Erase challenges that are no longer needed, wait until their retention is over, or ask the operator for more (`ACCOUNT_STORAGE_BYTES`). Then send the request with a new Idempotency-Key.',
  'featid-paused':
    'Recent comparisons with one of these FeatureIDs failed again and again, so it is not compared with for a while. `errors` names which, `Retry-After` says how long; then send the request with a new Idempotency-Key. `POST /v1/featids/unlock` ends the pause.',
  internal: 'The service failed. Send the request again; if it stays so, give the operator the request id.',
  saturated:
    'The service has more work than it can take just now. Send the request again after `Retry-After`.',
  'storage-unavailable':
    'The place where videos and frames lie is full or cannot be reached. Nothing that was acknowledged is lost; send the request again after `Retry-After`. Operators: `/readyz` names the part, `likeness doctor` what to do.',
};

export function isProblemKind(text: string): text is ProblemKind {
  return Object.hasOwn(PROBLEMS, text);
}

/** The page of one kind. */
export function problemPage(kind: ProblemKind): string {
  const { status, title } = PROBLEMS[kind];
  return pageShell(
    `${kind} · Likeness`,
    html`<h1>${title}</h1>
<p class="soft">HTTP ${status} · <code>${kind}</code></p>
<p>${ADVICE[kind]}</p>
<p>Errors are <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem details; <code>instance</code> is the request id, also in <code>X-Request-Id</code>.</p>
<p><a href="/docs">All of the API</a></p>`,
  );
}

/** The list of all kinds, for /docs/errors. */
export function problemIndexPage(): string {
  const rows = (Object.keys(PROBLEMS) as ProblemKind[]).map(
    (kind) =>
      html`<tr><td>${PROBLEMS[kind].status}</td><td><a href="/docs/errors/${kind}">${kind}</a></td><td>${PROBLEMS[kind].title}</td></tr>`,
  );
  return pageShell(
    'Errors · Likeness',
    html`<h1>Errors</h1><table><tr><th>Status</th><th>Kind</th><th>Title</th></tr>${rows}</table>
<p><a href="/docs">All of the API</a></p>`,
  );
}
