// Answers with a page that the server generates.
import type { FastifyReply } from 'fastify';

/** A page and its Content-Security-Policy. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/**
 * Sends a page under its own policy. It is not cached unless the caller sets `cacheControl`, and no optimiser on the way
 * may rewrite it: the policy would stop what it writes.
 */
export function sendPage(
  reply: FastifyReply,
  { html, policy }: Page,
  cacheControl = 'no-store, no-transform',
): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', cacheControl)
    .type('text/html; charset=utf-8')
    .send(html);
}
