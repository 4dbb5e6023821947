// The request id: in X-Request-Id of every answer, `instance` of every problem, and on every log line.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const VALID = /^[A-Za-z0-9._-]{1,128}$/;

/** A new id. Nothing is sorted by it and every request has one: cheaper than the ids of what is stored. */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}

/** Keeps an incoming X-Request-Id that is valid, else makes a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && VALID.test(given) ? given : newRequestId();
}
