// Answers that must not be cached: results, links, sessions.
import type { FastifyInstance } from 'fastify';

/** Forbids caching of every answer of this scope; a route may override it. */
export function forbidCaching(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
