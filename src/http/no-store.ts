// Answers that nobody keeps: results, links, sessions.
import type { FastifyInstance } from 'fastify';

/** Forbids caches to keep any answer of this scope; a route may say otherwise. */
export function keepNothing(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
