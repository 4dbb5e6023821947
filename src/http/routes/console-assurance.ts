// GET /console/api/assurance: the signed assurance report, as a file to keep.
import type { FastifyRequest } from 'fastify';
import type { Console } from '../../console/console.ts';
import type { App } from '../app-type.ts';
import { openTo } from '../guards/console-guard.ts';
import type { ConsoleServices } from '../services.ts';

/** `consoleOf`: the console as the session of a request sees it. */
export function assuranceRoute(
  app: App,
  { makeAssurance }: Pick<ConsoleServices, 'makeAssurance'>,
  consoleOf: (request: FastifyRequest) => Pick<Console, 'note'>,
): void {
  app.get('/assurance', openTo('operator'), async (request, reply) => {
    const { page, madeAt } = await makeAssurance();
    await consoleOf(request).note('assurance.downloaded');
    const name = `likeness-assurance-${madeAt.toISOString().slice(0, 10)}.html`;
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('text/html; charset=utf-8')
      .send(page);
  });
}
