// What a proxy in front of the service does to the capture page: read from outside, as a person's browser reads it.
// docs/operations/proxies.md says what each must leave alone.
import { randomUUID } from 'node:crypto';
import { newId } from '../base/ids.ts';
import { TRIAL_LINK } from '../contract/capture-page.ts';
import { type Check, check, type Finding, problem } from './check.ts';
import { buffering, heldAnswers, slowRequests, WAITS, type Waits } from './page-waits.ts';

const TIMEOUT_MS = 15_000;
/** As much as a chunk of a recording has. */
const CHUNK_BYTES = 256 * 1024;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Checks what arrives at an address.
 * @param address the service's public address, or the link of a challenge, which this does not start
 * @param waits how long each check waits
 */
export async function checkPage(address: URL, waits: Waits = WAITS): Promise<Check[]> {
  const path = address.pathname.replace(/\/$/, '');
  const [, prefix = path, token = TRIAL_LINK] = /^(.*)\/c\/([^/]+)$/.exec(path) ?? [];
  const linkOf = (of: string) => `${address.origin}${prefix}/c/${of}`;
  // The trial link leads nowhere: the service answers under the same headers as at any other.
  const [link, trial] = [linkOf(token), linkOf(TRIAL_LINK)];
  const requestId = `doctor-${randomUUID()}`;
  let page: Answer | undefined;
  const read = async (): Promise<Finding> => {
    page = await ask(link, requestId);
    return isOurs(page);
  };
  const reached = await check('page', read, REACH);
  if (!page || reached.status === 'failed') return [reached];
  const sent: Answer = page;
  return [
    reached,
    { name: 'request headers', ...requestHeaders(sent, requestId) },
    { name: 'content policy', ...contentPolicy(sent) },
    { name: 'camera', ...camera(sent) },
    { name: 'page as sent', ...asSent(sent) },
    // Side by side, as some wait.
    ...(await Promise.all([
      check('scripts', () => scripts(sent, link), REACH),
      check('recordings', () => recordings(link), REACH),
      check('buffering', () => buffering(trial, waits), REACH),
      check('slow requests', () => slowRequests(trial, waits), REACH),
      check('held answers', () => heldAnswers(trial, waits), REACH),
    ])),
  ];
}

const REACH = 'make the address reachable from here, and let every path below it reach the service';

async function ask(url: string, requestId: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, {
    ...init,
    headers: { 'x-request-id': requestId, 'accept-encoding': 'br, gzip', ...init.headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

function isOurs({ status, headers, text }: Answer): Finding {
  const isPage = headers.get('content-type')?.startsWith('text/html') && text.includes('data-state="boot"');
  return isPage
    ? { status: 'ok', detail: `answered with ${status}` }
    : problem(`the answer (${status}) is not the service's page`, REACH);
}

function requestHeaders({ headers }: Answer, requestId: string): Finding {
  if (headers.get('x-request-id') === requestId) return { status: 'ok', detail: 'arrive' };
  const mend =
    'let the headers X-Request-Id and Likeness-Device pass; the page works without, but logs cannot be matched';
  return { status: 'warning', detail: 'X-Request-Id does not arrive, or not come back', mend };
}

/** Several headers of one name come joined by commas; the service's own policy has none. */
function contentPolicy({ headers }: Answer): Finding {
  const policy = headers.get('content-security-policy');
  if (policy === null) return problem('was removed', 'let Content-Security-Policy pass');
  const mend = "remove the proxy's own Content-Security-Policy from /c/: of two, the stricter counts";
  if (policy.includes(',')) return problem('there is more than one', mend);
  return policy.includes("'nonce-")
    ? { status: 'ok', detail: "is the page's own" }
    : problem('was replaced', mend);
}

function camera({ headers }: Answer): Finding {
  const policy = headers.get('permissions-policy') ?? '';
  const lists = [...policy.matchAll(/\bcamera=(\([^)]*\)|\*)/g)].map(([, list]) => list!);
  const mend = "remove camera=() from the proxy's own Permissions-Policy, at least for /c/";
  if (lists.some((list) => list !== '*' && !/\bself\b/.test(list)))
    return problem(`forbidden: ${policy}`, mend);
  return { status: 'ok', detail: lists.length > 0 ? 'allowed' : 'not mentioned, so the page may ask for it' };
}

function asSent({ headers, text }: Answer): Finding {
  const cached = headers.get('cache-control') ?? '';
  const mend = 'switch optimisers and cache rules off for /c/';
  if (!cached.includes('no-store')) return problem(`may be cached: ${cached || 'no Cache-Control'}`, mend);
  const foreign = [...text.matchAll(/<script\b[^>]*>/g)].filter(
    ([tag]) => !/data-cfasync="false"|nonce=/.test(tag),
  );
  if (foreign.length > 0) return problem(`scripts were changed or added: ${foreign[0]![0]}`, mend);
  if (headers.get('x-content-type-options') !== 'nosniff')
    return problem('X-Content-Type-Options is not nosniff', 'let X-Content-Type-Options pass, once');
  return { status: 'ok', detail: 'unchanged, not cached' };
}

async function scripts({ text }: Answer, link: string): Promise<Finding> {
  const [, path] = /<script data-cfasync="false"[^>]* src="([^"]+)"/.exec(text) ?? [];
  if (path === undefined) return problem("the page's script is not in it", 'switch optimisers off for /c/');
  const { status, headers } = await ask(new URL(path, link).href, `doctor-${randomUUID()}`);
  if (status !== 200 || !headers.get('content-type')?.includes('javascript'))
    return problem(`${path} answers ${status} ${headers.get('content-type') ?? ''}`, REACH);
  const encoding = headers.get('content-encoding');
  return encoding
    ? { status: 'ok', detail: `arrive, as ${encoding}` }
    : { status: 'warning', detail: 'arrive uncompressed', mend: 'let Accept-Encoding pass, or compress' };
}

/** Sends what a chunk of a recording looks like. The service refuses it, as it belongs to no challenge. */
async function recordings(link: string): Promise<Finding> {
  const url = `${link}/captures/${newId('capture')}/bytes?offset=0`;
  const sent = { method: 'POST', headers: { 'content-type': 'application/octet-stream' } };
  const passes = async (bytes: number) => {
    const { headers } = await ask(url, `doctor-${randomUUID()}`, { ...sent, body: new Uint8Array(bytes) });
    return headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  };
  if (await passes(CHUNK_BYTES)) return { status: 'ok', detail: `chunks of ${CHUNK_BYTES / 1024} kB arrive` };
  const mend = `allow POST of application/octet-stream with ${CHUNK_BYTES / 1024} kB to /c/`;
  return (await passes(1024))
    ? problem('large chunks do not arrive', mend)
    : problem('bytes do not arrive', mend);
}
