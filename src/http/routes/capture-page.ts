// The page behind a challenge link, and its files. A GET of the link changes nothing, because link previews send them.
import fastifyStatic from '@fastify/static';
import type { FastifyRequest, RouteShorthandOptionsWithHandler } from 'fastify';
import { acceptedLanguages, chooseLanguage, type Language } from '../../contract/languages.ts';
import type { App } from '../app-type.ts';
import { CAPTURE_FILES, deadLinkKind, readCapturePages } from '../documents/capture-html.ts';
import { sendPage } from '../documents/send-page.ts';
import { addressOf, limitRate } from '../guards/rate-limits.ts';
import { HttpProblem } from '../problems/problem-reply.ts';
import type { HttpServices } from '../services.ts';
import type { HttpSettings } from '../settings.ts';

/** Only the camera, only for us; embedders pass it on with `allow="camera"`. */
const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()';

/**
 * A link's token with what mail and chat take for its end: a full stop, a bracket, a space that nobody sees, even encoded
 * twice. Whether there is such a link plays no part in it.
 */
const SPOILT_TOKEN = /^([A-Za-z0-9_-]{43})[^A-Za-z0-9_-].{0,8}$/s;

/** The guidance Worker's script, as the page's build names it. */
const WORKER_FILE = /^worker-[\w-]+\.js$/;
/** A Worker runs under the policy of its own file. This one loads its networks from this origin and compiles them. */
const WORKER_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

export async function capturePageRoutes(
  app: App,
  services: HttpServices,
  settings: HttpSettings,
): Promise<void> {
  await app.register(async (scope: App) => {
    limitRate(scope, { max: settings.pageRatePerMinute, countedBy: addressOf });
    linkRoute(scope, services, settings);
  });
  await app.register((scope: App) => captureFileRoutes(scope, settings.capturePageDir));
}

/**
 * The page's files. Their headers are set before the file is looked up, so that an answer without a file has them, too.
 */
async function captureFileRoutes(app: App, dir: string): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'accept-encoding');
    // In a frame whose sandbox takes its origin away, the page can at least say so.
    reply.header('access-control-allow-origin', '*');
    const { '*': file } = request.params as { '*': string };
    if (WORKER_FILE.test(file)) reply.header('content-security-policy', WORKER_POLICY);
    done();
  });
  await app.register(fastifyStatic, {
    root: dir,
    prefix: `${CAPTURE_FILES}/`,
    index: false,
    decorateReply: false,
    preCompressed: true,
    // Every file but the page itself has its hash in its name.
    immutable: true,
    maxAge: '1y',
    allowedPath: (path) => !/\.(html|br|gz)$|^\/?server-texts\.json$/.test(path),
  });
}

function linkRoute(app: App, services: HttpServices, settings: HttpSettings): void {
  const pages = readCapturePages(settings, settings.frameAncestors, settings.passkeyAttestation);
  const route: RouteShorthandOptionsWithHandler = {
    schema: { hide: true },
    // People open this address, so errors are pages, not problems.
    errorHandler: (error, request, reply) => {
      const language = languageOf(request);
      if (error instanceof HttpProblem && error.kind === 'rate-limited') {
        reply.header('retry-after', String(error.options.retryAfterSeconds ?? 60));
        return sendPage(reply.code(429), pages.dead('busy', language));
      }
      request.log.error({ fault: error.name, code: error.code, stack: error.stack }, 'capture page failed');
      return sendPage(reply.code(500), pages.dead('failed', language));
    },
    handler: async (request, reply) => {
      reply.header('permissions-policy', PERMISSIONS);
      const language = languageOf(request);
      const { token } = request.params as { token: string };
      const [, written] = SPOILT_TOKEN.exec(token) ?? [];
      if (written !== undefined) {
        const [query = ''] = /\?.*$/.exec(request.url) ?? [];
        reply.header('cache-control', 'no-store');
        return reply.redirect(`${settings.baseUrl}/c/${written}${query}`, 302);
      }
      const outcome = await services.challenges.state({ token });
      if (outcome.status === 'not_found') return sendPage(reply.code(404), pages.dead('unknown', language));
      if (outcome.status === 'closed') {
        const kind = deadLinkKind(outcome.current);
        return sendPage(reply.code(410), pages.dead(kind, language, outcome.owner));
      }
      return sendPage(reply, pages.live(outcome.state, language));
    },
  };
  app.get('/c/:token', route);
  // Some mail programs turn a link at the end of a line into this.
  app.get('/c/:token/', route);
}

/** The language of a page: `?lang=` takes precedence over the browser's Accept-Language. */
export function languageOf(request: FastifyRequest): Language {
  const { lang } = request.query as { lang?: unknown };
  const asked = typeof lang === 'string' ? [lang] : [];
  return chooseLanguage([...asked, ...acceptedLanguages(request.headers['accept-language'] ?? '')]);
}
