// Bodies of uploads: how many are under way at once, and the reading of one. Each costs its length in memory until it is
// answered, so that they are counted before their first byte is read.
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HttpLimits } from './limits.ts';
import { HttpProblem } from './problem-reply.ts';
import { addressOf } from './rate-limits.ts';

const RETRY_SECONDS = 1;

/** Adds the limits to a scope whose paths have a `token`: of one link, of one address, and of this process. */
export function limitUploads(
  scope: FastifyInstance,
  limits: Pick<HttpLimits, 'uploadsOfLink' | 'uploadsOfAddress' | 'uploadsAtOnce'>,
): void {
  const underWay = new Map<string, number>();
  const change = (key: string, by: number) => {
    const count = (underWay.get(key) ?? 0) + by;
    if (count > 0) underWay.set(key, count);
    else underWay.delete(key);
  };
  scope.addHook('onRequest', async (request: FastifyRequest, reply) => {
    const { token } = request.params as { token: string };
    const bounds = [
      { key: `link ${token}`, most: limits.uploadsOfLink, kind: 'rate-limited' },
      { key: `address ${addressOf(request)}`, most: limits.uploadsOfAddress, kind: 'rate-limited' },
      { key: 'all', most: limits.uploadsAtOnce, kind: 'saturated' },
    ] as const;
    for (const { key, most, kind } of bounds) {
      if ((underWay.get(key) ?? 0) < most) continue;
      const detail = `At most ${most} uploads at a time.`;
      throw new HttpProblem(kind, { detail, retryAfterSeconds: RETRY_SECONDS });
    }
    for (const { key } of bounds) change(key, 1);
    // Answered, broken off, or gone already.
    finished(reply.raw, () => {
      for (const { key } of bounds) change(key, -1);
    });
  });
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
    throw new HttpProblem('bad-request', { detail: 'The body broke off.' });
  }
  return bytes.subarray(0, length);
}

/** What the request says of its body; undefined where it comes in pieces. Node has checked that it is a number. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const said = headers['content-length'];
  return said === undefined ? undefined : Number(said);
}
