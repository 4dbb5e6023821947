// The request id: in X-Request-Id of every answer, `instance` of every problem, and on every log line.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const VALID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * A new id. Cheaper to make than the ids of stored objects, because every request has one and nothing is sorted by it.
 */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}

/** The incoming X-Request-Id if it is valid, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && VALID.test(given) ? given : newRequestId();
}
