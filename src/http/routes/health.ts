// Health probes for the operator's machines: liveness and readiness. They need no key, and are neither rate-limited nor
// refused under saturation. Metrics are not here, because this port is public.
import { Type } from 'typebox';
import type { App } from '../app-type.ts';
import type { HttpServices } from '../services.ts';

const Alive = Type.Object({ status: Type.Enum(['ok']) });
const Ready = Type.Object({
  status: Type.Enum(['ok', 'unavailable']),
  parts: Type.Record(Type.String(), Type.Boolean()),
});
const tags = ['Operation'];
const security: [] = [];

export function healthRoutes(app: App, services: HttpServices): void {
  app.route({
    method: 'GET',
    url: '/livez',
    config: { quiet: true },
    schema: {
      operationId: 'livez',
      tags,
      security,
      summary: 'Check whether the process answers',
      response: { 200: answer(Alive, 'The process answers') },
    },
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  });
  app.route({
    method: 'GET',
    url: '/readyz',
    config: { quiet: true },
    schema: {
      operationId: 'readyz',
      tags,
      security,
      summary: 'Check whether every part that requests need answers',
      response: { 200: answer(Ready, 'Every part answers'), 503: answer(Ready, 'A part does not answer') },
    },
    handler: async (_request, reply) => {
      const { ready, parts } = await services.readiness.check();
      reply.header('cache-control', 'no-store');
      if (ready) return reply.send({ status: 'ok', parts });
      return reply.code(503).header('retry-after', '5').send({ status: 'unavailable', parts });
    },
  });
}

function answer(schema: object, description: string): { description: string; content: object } {
  return { description, content: { 'application/json': { schema } } };
}
