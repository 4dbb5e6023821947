// The documentation that the service serves: the OpenAPI document, a readable page of it, guides, a page per error, and
// in development a page for trying calls out.
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';
import { docsPage } from '../documents/api-page.ts';
import { CONFIGURATION_PATH, configurationPage, variableEntries } from '../documents/configuration-page.ts';
import { guideList, readGuides } from '../documents/guide-pages.ts';
import { llmsText } from '../documents/llms-txt.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import { ICON, ICON_PATH, shellPolicy } from '../documents/page-shell.ts';
import { isProblemKind, problemEntries, problemIndexPage, problemPage } from '../documents/problem-pages.ts';
import { DOCS_INDEX_PATH, DOCS_SCRIPT, DOCS_SCRIPT_PATH } from '../documents/script.ts';
import { type IndexEntry, operationEntries, schemaEntries } from '../documents/search-index.ts';
import { sendPage } from '../documents/send-page.ts';
import type { HttpSettings } from '../settings.ts';

const schema = { hide: true };
const config = { quiet: true };
const MAX_AGE = 'public, max-age=300';

const TRY_OUT_PATH = '/docs/try';

export async function docsRoutes(app: App, settings: HttpSettings): Promise<void> {
  const guides = readGuides(settings.guidesDir);
  // Generated once, on the first request: the routes are complete only when the server is ready.
  let page: string | null = null;
  const policy = shellPolicy("'none'", { scripts: true });
  const send = (reply: FastifyReply, html: string) => sendPage(reply, { html, policy }, MAX_AGE);
  app.get('/openapi.json', { schema, config }, async (_request, reply) =>
    reply
      .header('cache-control', MAX_AGE)
      // Browser tools read it from other origins; everything in it is public.
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(app.swagger()),
  );
  app.get(ICON_PATH, { schema, config }, async (_request, reply) =>
    reply.header('cache-control', MAX_AGE).type('image/svg+xml').send(ICON),
  );
  app.get('/docs', { schema, config }, async (_request, reply) => {
    page ??= docsPage(documentOf(app), guideList(guides), settings.tryOut ? TRY_OUT_PATH : null);
    return send(reply, page);
  });
  app.get<{ Params: { name: string } }>('/docs/guides/:name', { schema, config }, async (request, reply) => {
    const { name } = request.params;
    const raw = guides.get(name.replace(/\.md$/, ''));
    if (raw && name.endsWith('.md'))
      return reply.header('cache-control', MAX_AGE).type('text/markdown; charset=utf-8').send(raw.text);
    const guide = guides.get(name);
    return guide ? send(reply, guide.page) : reply.problem('not-found');
  });
  app.get('/docs/errors', { schema, config }, async (_request, reply) => send(reply, problemIndexPage()));
  app.get<{ Params: { kind: string } }>('/docs/errors/:kind', { schema, config }, async (request, reply) => {
    const { kind } = request.params;
    return isProblemKind(kind) ? send(reply, problemPage(kind)) : reply.problem('not-found');
  });
  app.get(CONFIGURATION_PATH, { schema, config }, async (_request, reply) =>
    send(reply, configurationPage(settings.variables)),
  );
  indexRoutes(app, settings, guides);
  if (settings.tryOut) await tryOutPage(app);
}

const documentOf = (app: App): OpenApiDocument => app.swagger() as unknown as OpenApiDocument;

/** Routes for finding things in the documentation: the search's script and index, and /llms.txt. */
function indexRoutes(
  app: App,
  { baseUrl, variables }: HttpSettings,
  guides: ReturnType<typeof readGuides>,
): void {
  // Like the page, generated once from the complete routes.
  let index: readonly IndexEntry[] | null = null;
  app.get(DOCS_SCRIPT_PATH, { schema, config }, async (_request, reply) =>
    reply.header('cache-control', MAX_AGE).type('application/javascript; charset=utf-8').send(DOCS_SCRIPT),
  );
  app.get(DOCS_INDEX_PATH, { schema, config }, async (_request, reply) => {
    const document = documentOf(app);
    index ??= [
      ...[...guides.values()].flatMap(({ entries }) => entries),
      ...problemEntries(),
      ...variableEntries(variables),
      ...operationEntries(document),
      ...schemaEntries(document),
    ];
    return reply.header('cache-control', MAX_AGE).send(index);
  });
  app.get('/llms.txt', { schema, config }, async (_request, reply) =>
    reply.header('cache-control', MAX_AGE).type('text/plain; charset=utf-8').send(llmsText(baseUrl, guides)),
  );
}

/** Swagger UI, served entirely from our own origin. It calls this service with the key that the developer enters. */
async function tryOutPage(app: App): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: TRY_OUT_PATH,
    uiConfig: {
      docExpansion: 'list',
      tryItOutEnabled: true,
      persistAuthorization: false,
      validatorUrl: null,
    },
    uiHooks: {
      onRequest: (_request, reply, done) => {
        reply.header('cache-control', 'no-store');
        done();
      },
    },
    // Calls go to the page's own origin: if it was opened as localhost or over DEV_TLS, BASE_URL is another origin.
    transformSpecification: (specification) => ({ ...specification, servers: [{ url: '/' }] }),
    transformSpecificationClone: true,
    staticCSP: {
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    },
  });
}
