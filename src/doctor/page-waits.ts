// What a proxy does to requests that take their time: a body that arrives in pieces, and an answer that is waited for.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { type Finding, messageOf, problem } from './check.ts';

/** How long each check waits. */
export interface Waits {
  /** For an answer to the first part of a body; who has not passed it on by then holds it back. */
  readonly bufferMs: number;
  /** Between two parts of a body. */
  readonly pauseMs: number;
  /** For an answer. */
  readonly holdSeconds: number;
}

/** The first two are chosen, not measured; the last is how long the page has the server wait for its outcome. */
export const WAITS: Waits = { bufferMs: 3_000, pauseMs: 10_000, holdSeconds: 20 };

/** For what should come at once. */
const TIMEOUT_MS = 15_000;
/** A small chunk, which proxies that refuse large ones let pass. */
const SMALL_CHUNK_BYTES = 32 * 1024;

/** An answer, as far as the checks read it. */
interface Seen {
  /** Undefined if the connection ended without one. */
  readonly status?: number | undefined;
  /** Whether the service gave it. */
  readonly isOurs: boolean;
  readonly afterMs: number;
  readonly fault?: string;
}

/**
 * Whether the first bytes of a chunk reach the service before its last. It refuses those of a link that leads nowhere
 * without reading them, so who passes them on at once has the answer at once.
 */
export async function buffering(trial: string, { bufferMs }: Waits): Promise<Finding> {
  const type = 'application/octet-stream';
  const [first, rest] = [new Uint8Array(1024), new Uint8Array(SMALL_CHUNK_BYTES - 1024)];
  const seen = await sendInParts(`${trial}/captures/trial/bytes`, type, [first, rest], bufferMs);
  if (!seen.isOurs)
    return { status: 'notEvaluated', detail: `bytes do not arrive (${seen.fault ?? seen.status})` };
  if (seen.afterMs < bufferMs) return { status: 'ok', detail: 'bytes are passed on as they arrive' };
  return {
    status: 'warning',
    detail: 'chunks are held back until they are whole, perhaps in files of the proxy, unencrypted',
    mend: 'pass requests on as they arrive; in nginx: proxy_request_buffering off',
  };
}

/** Whether a request may pause, as one does from a phone whose signal is gone for a while. */
export async function slowRequests(trial: string, { pauseMs }: Waits): Promise<Finding> {
  const parts = [Buffer.from('{'), Buffer.from('}')] as const;
  const seen = await sendInParts(`${trial}/state`, 'application/json', parts, pauseMs);
  if (seen.isOurs) return { status: 'ok', detail: `may pause for ${pauseMs / 1000} s` };
  const mend =
    'let requests pause for 60 s: client_body_timeout (nginx), timeout client (HAProxy), RequestReadTimeout (Apache)';
  return problem(`one that paused ${endOf(seen)}`, mend);
}

/** Whether an answer may take as long as the page waits for its outcome. */
export async function heldAnswers(trial: string, { holdSeconds }: Waits): Promise<Finding> {
  const sentMs = performance.now();
  const seen = await fetch(`${trial}/outcome?wait_seconds=${holdSeconds}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(holdSeconds * 1000 + TIMEOUT_MS),
  }).then(
    ({ status, headers }) => seenAs(status, headers.get('content-type'), sentMs),
    (error: unknown) => unanswered(error, sentMs),
  );
  const mend =
    'let answers take 30 s without a byte: proxy_read_timeout (nginx), timeout server (HAProxy), idle timeout (AWS)';
  if (!seen.isOurs) return problem(`one that was waited for ${endOf(seen)}`, mend);
  // A timer may fire a little early.
  if (seen.afterMs > holdSeconds * 1000 - 100)
    return { status: 'ok', detail: `may take ${holdSeconds} s without a byte` };
  return { status: 'notEvaluated', detail: 'the service did not wait; this command may be newer than it is' };
}

/** Sends a body in two parts, the second after a pause, unless the answer comes first. */
async function sendInParts(
  url: string,
  type: string,
  [first, rest]: readonly [Uint8Array, Uint8Array],
  pauseMs: number,
): Promise<Seen> {
  const sentMs = performance.now();
  const asked = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': type,
      'content-length': first.length + rest.length,
      // Otherwise proxies written in Go keep back an answer until the body is there.
      connection: 'close',
    },
    signal: AbortSignal.timeout(pauseMs + TIMEOUT_MS),
  });
  try {
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    asked.write(first);
    const early = await Promise.race([answered, delay(pauseMs, null)]);
    if (!early) asked.end(rest);
    const [{ statusCode, headers }] = await answered;
    return seenAs(statusCode, headers['content-type'], sentMs);
  } catch (error) {
    return unanswered(error, sentMs);
  } finally {
    // Whoever answered early may not read the rest.
    asked.on('error', () => {}).destroy();
  }
}

function seenAs(status: number | undefined, type: string | null | undefined, sentMs: number): Seen {
  const isOurs = type?.startsWith('application/problem+json') ?? false;
  return { status, isOurs, afterMs: performance.now() - sentMs };
}

function unanswered(error: unknown, sentMs: number): Seen {
  return { isOurs: false, afterMs: performance.now() - sentMs, fault: messageOf(error) };
}

/** How a request ended that the service did not answer. */
function endOf({ status, fault, afterMs }: Seen): string {
  return `was cut off after ${(afterMs / 1000).toFixed(1)} s (${fault ?? status})`;
}
