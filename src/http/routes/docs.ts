// The documentation that the service carries: the OpenAPI document, a readable page of it, and a page per error.
import type { FastifyReply } from 'fastify';
import { docsPage, type OpenApiDocument } from '../docs-page.ts';
import { shellPolicy } from '../page-shell.ts';
import { isProblemKind, problemIndexPage, problemPage } from '../problem-pages.ts';
import type { App } from '../server.ts';

const schema = { hide: true };
const config = { quiet: true };
const MAX_AGE = 'public, max-age=300';

export function docsRoutes(app: App): void {
  // Both grow from the routes, which are complete once the server is ready; they are written once.
  let page: string | null = null;
  const policy = shellPolicy("'none'");
  const sendPage = (reply: FastifyReply, text: string) =>
    reply
      .header('content-security-policy', policy)
      .header('cache-control', MAX_AGE)
      .type('text/html; charset=utf-8')
      .send(text);
  app.get('/openapi.json', { schema, config }, async (_request, reply) =>
    reply
      .header('cache-control', MAX_AGE)
      // Tools in a browser read it from other origins; there is nothing in it that is not public.
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(app.swagger()),
  );
  app.get('/docs', { schema, config }, async (_request, reply) => {
    page ??= docsPage(app.swagger() as unknown as OpenApiDocument);
    return sendPage(reply, page);
  });
  app.get('/docs/errors', { schema, config }, async (_request, reply) => sendPage(reply, problemIndexPage()));
  app.get<{ Params: { kind: string } }>('/docs/errors/:kind', { schema, config }, async (request, reply) => {
    const { kind } = request.params;
    return isProblemKind(kind) ? sendPage(reply, problemPage(kind)) : reply.problem('not-found');
  });
}
