// Answering with a page that the server writes.
import type { FastifyReply } from 'fastify';

/** A page and the policy that it needs. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/** Sends a page under its own policy. `cacheControl`: nobody keeps it unless the caller says so. */
export function sendPage(
  reply: FastifyReply,
  { html, policy }: Page,
  cacheControl = 'no-store',
): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', cacheControl)
    .type('text/html; charset=utf-8')
    .send(html);
}
