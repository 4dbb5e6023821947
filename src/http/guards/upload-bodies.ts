// Upload bodies: limits how many are in progress at once, and reads them. Each takes its length in memory until it is
// answered, so it is counted before its first byte is read.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems/problem-reply.ts';
import { limitConcurrency } from './concurrency-limits.ts';
import type { HttpLimits } from './limits.ts';
import { addressOf } from './rate-limits.ts';

/** Adds the limits per link, per address and for this process to a scope whose paths have a `token`. */
export function limitUploads(
  scope: FastifyInstance,
  limits: Pick<HttpLimits, 'uploadsOfLink' | 'uploadsOfAddress' | 'uploadsAtOnce'>,
): void {
  const boundsOf = (request: FastifyRequest) => {
    const { token } = request.params as { token: string };
    return [
      { of: `link ${token}`, most: limits.uploadsOfLink, kind: 'rate-limited' },
      { of: `address ${addressOf(request)}`, most: limits.uploadsOfAddress, kind: 'rate-limited' },
      { of: 'all', most: limits.uploadsAtOnce, kind: 'saturated' },
    ] as const;
  };
  limitConcurrency(scope, { what: 'uploads', boundsOf });
}

/** Accepts byte bodies and leaves them unread. A body whose announced length is too large is refused at once. */
export function acceptUnreadBytes(scope: FastifyInstance, maxBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/octet-stream', (_request, body, done) => {
    done((lengthOf(body) ?? 0) > maxBytes ? new HttpProblem('too-large') : null, body);
  });
}

/**
 * Reads a body to its end.
 * @throws HttpProblem `too-large` beyond `maxBytes`, `bad-request` if it ends early
 */
export async function readUploadBody(body: IncomingMessage, maxBytes: number): Promise<Buffer> {
  // One buffer of the announced length, or of the maximum: nothing is copied twice.
  const bytes = Buffer.allocUnsafe(Math.min(lengthOf(body) ?? maxBytes, maxBytes));
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (length + chunk.length > bytes.length) throw new HttpProblem('too-large');
      length += chunk.copy(bytes, length);
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw new HttpProblem('bad-request', { detail: 'The body was incomplete.' });
  }
  return bytes.subarray(0, length);
}

/** The announced length of the body; undefined for a chunked one. Node has checked that it is a number. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const said = headers['content-length'];
  return said === undefined ? undefined : Number(said);
}
