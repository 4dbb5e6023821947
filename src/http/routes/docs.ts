// The documentation that the service serves: the OpenAPI document and the page that shows it, the documents of the
// table of contents, a page per error, and what finds things in them.
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';
import { API_FILES, API_PATH, readApiPage } from '../documents/api-page.ts';
import { CONFIGURATION_PATH, configurationPage, variableEntries } from '../documents/configuration-page.ts';
import { DOCS_STYLE, DOCS_STYLE_PATH } from '../documents/docs-style.ts';
import { homePage } from '../documents/home-page.ts';
import { llmsText } from '../documents/llms-txt.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import { ICON, ICON_PATH, shellPolicy } from '../documents/page-shell.ts';
import {
  ERRORS_PATH,
  isProblemKind,
  problemEntries,
  problemIndexPage,
  problemPage,
} from '../documents/problem-pages.ts';
import { DOCS_INDEX_PATH, DOCS_SCRIPT, DOCS_SCRIPT_PATH } from '../documents/script.ts';
import {
  documentEntries,
  type IndexEntry,
  operationEntries,
  schemaEntries,
} from '../documents/search-index.ts';
import { sendPage } from '../documents/send-page.ts';
import { readSite, type Site } from '../documents/site.ts';
import type { HttpSettings } from '../settings.ts';
import { builtFiles } from './built-files.ts';

const hidden = { schema: { hide: true }, config: { quiet: true } };
const MAX_AGE = 'public, max-age=300';
const POLICY = shellPolicy("'none'", { scripts: true });

export async function docsRoutes(app: App, settings: HttpSettings): Promise<void> {
  const site = readSite(settings.docsDir);
  pageRoutes(app, settings, site);
  fileRoutes(app, settings, site);
  const apiPage = readApiPage(settings.referencePageDir, settings.tryOut);
  app.get(API_PATH, hidden, async (_request, reply) => sendPage(reply, apiPage()));
  await app.register(fastifyStatic, builtFiles(settings.referencePageDir, API_FILES));
}

function pageRoutes(app: App, { version, variables, readElsewhere }: HttpSettings, site: Site): void {
  const send = (reply: FastifyReply, html: string) => sendPage(reply, { html, policy: POLICY }, MAX_AGE);
  app.get('/docs', hidden, async (_request, reply) =>
    send(reply, site.page('/docs', 'Documentation', homePage(site.navigation, version))),
  );
  app.get(ERRORS_PATH, hidden, async (_request, reply) =>
    send(reply, site.page(ERRORS_PATH, 'Errors', problemIndexPage())),
  );
  app.get<{ Params: { kind: string } }>(`${ERRORS_PATH}/:kind`, hidden, async (request, reply) => {
    const { kind } = request.params;
    return isProblemKind(kind)
      ? send(reply, site.page(ERRORS_PATH, kind, problemPage(kind)))
      : reply.problem('not-found');
  });
  app.get(CONFIGURATION_PATH, hidden, async (_request, reply) =>
    send(reply, site.page(CONFIGURATION_PATH, 'Configuration', configurationPage(variables, readElsewhere))),
  );
  app.get<{ Params: { '*': string } }>('/docs/*', hidden, async (request, reply) => {
    const path = `/docs/${request.params['*']}`;
    const source = site.pages.get(path.replace(/\.md$/, ''));
    if (!source) return reply.problem('not-found');
    return path.endsWith('.md')
      ? reply.header('cache-control', MAX_AGE).type('text/markdown; charset=utf-8').send(source.text)
      : send(reply, site.document(source));
  });
}

/** What pages and programs load. */
function fileRoutes(app: App, { baseUrl, variables, readElsewhere }: HttpSettings, site: Site): void {
  const file = (path: string, type: string, content: string) =>
    app.get(path, hidden, async (_request, reply) =>
      reply.header('cache-control', MAX_AGE).type(type).send(content),
    );
  file(ICON_PATH, 'image/svg+xml', ICON);
  file(DOCS_STYLE_PATH, 'text/css; charset=utf-8', DOCS_STYLE);
  file(DOCS_SCRIPT_PATH, 'application/javascript; charset=utf-8', DOCS_SCRIPT);
  file('/llms.txt', 'text/plain; charset=utf-8', llmsText(baseUrl, site));
  app.get('/openapi.json', hidden, async (_request, reply) =>
    reply
      .header('cache-control', MAX_AGE)
      // Browser tools read it from other origins; everything in it is public.
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(app.swagger()),
  );
  // Generated once, on the first request: the routes are complete only when the server is ready.
  let index: readonly IndexEntry[] | null = null;
  app.get(DOCS_INDEX_PATH, hidden, async (_request, reply) => {
    const document = app.swagger() as unknown as OpenApiDocument;
    index ??= [
      ...[...site.pages.values()].flatMap(documentEntries),
      ...problemEntries(),
      ...variableEntries([...variables, ...readElsewhere]),
      ...operationEntries(document),
      ...schemaEntries(document),
    ];
    return reply.header('cache-control', MAX_AGE).send(index);
  });
}
