// The request id: in X-Request-Id of every answer, `instance` of every problem, and on every log line.
import type { IncomingMessage } from 'node:http';
import { newId } from '../base/ids.ts';

const VALID = /^[A-Za-z0-9._-]{1,128}$/;

/** Keeps an incoming X-Request-Id that is valid, else makes a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && VALID.test(given) ? given : newId('request');
}
