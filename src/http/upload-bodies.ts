// Bodies of uploads: limits how many are in progress at once, and reads one. Each costs its length in memory until it is
// answered, so they are counted before their first byte is read.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitAtOnce } from './at-once.ts';
import type { HttpLimits } from './limits.ts';
import { HttpProblem } from './problem-reply.ts';
import { addressOf } from './rate-limits.ts';

/** Adds the limits to a scope whose paths have a `token`: of one link, of one address, and of this process. */
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
  limitAtOnce(scope, { what: 'uploads', boundsOf });
}

/** Takes bodies of bytes as they stand on the line, unread; one that says that it is too large is refused at once. */
export function takeUnreadBytes(scope: FastifyInstance, maxBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/octet-stream', (_request, body, done) => {
    done((lengthOf(body) ?? 0) > maxBytes ? new HttpProblem('too-large') : null, body);
  });
}

/**
 * Reads a body to its end.
 * @throws HttpProblem `too-large` beyond `maxBytes`, `bad-request` where it breaks off
 */
export async function readUploadBody(body: IncomingMessage, maxBytes: number): Promise<Buffer> {
  // Where the length is known nothing is copied twice.
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

/** What the request says of its body; undefined where it comes in pieces. Node has checked that it is a number. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const said = headers['content-length'];
  return said === undefined ? undefined : Number(said);
}
