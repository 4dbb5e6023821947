// The page behind a challenge link and its files. A GET of the link changes nothing: link previews make them.
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { type DeadLinkKind, deadLinkKind, deadLinkPage, readCapturePage } from '../capture-html.ts';
import { shellPolicy } from '../page-shell.ts';
import { HttpProblem } from '../problem-reply.ts';
import { limitRate } from '../rate-limits.ts';
import type { App } from '../server.ts';
import type { HttpServices, HttpSettings } from '../services.ts';

/** Only the camera, only for us; embedders pass it on with `allow="camera"`. */
const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()';

export async function capturePageRoutes(
  app: App,
  services: HttpServices,
  settings: HttpSettings,
): Promise<void> {
  await app.register(async (scope: App) => {
    limitRate(scope, settings.pageRatePerMinute, (request) => request.ip);
    linkRoute(scope, services, settings);
  });
  await app.register(fastifyStatic, {
    root: settings.capturePageDir,
    prefix: '/assets/capture/',
    index: false,
    decorateReply: false,
    preCompressed: true,
    // Every file but the page itself has its hash in its name.
    immutable: true,
    maxAge: '1y',
    allowedPath: (path) => !path.endsWith('.html') && !path.endsWith('.br') && !path.endsWith('.gz'),
    setHeaders: (response, path) => {
      response.setHeader('vary', 'accept-encoding');
      // A Worker's policy is its own file's: the guidance Worker loads and compiles its network from here.
      response.setHeader(
        'content-security-policy',
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'",
      );
      if (/\.bin(\.br|\.gz)?$/.test(path)) response.setHeader('content-type', 'application/octet-stream');
    },
  });
}

function linkRoute(app: App, services: HttpServices, settings: HttpSettings): void {
  const render = readCapturePage(settings.capturePageDir, settings.frameAncestors);
  const deadPolicy = shellPolicy(settings.frameAncestors);
  const sendDead = (
    reply: FastifyReply,
    status: number,
    kind: DeadLinkKind,
    redirectUrl: string | null = null,
  ) =>
    reply
      .code(status)
      .header('content-security-policy', deadPolicy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(deadLinkPage(kind, redirectUrl));
  app.get<{ Params: { token: string } }>('/c/:token', {
    schema: { hide: true },
    // People read this address: their errors are pages, not problems.
    errorHandler: (error, request, reply) => {
      if (error instanceof HttpProblem && error.kind === 'rate-limited') {
        reply.header('retry-after', String(error.options.retryAfterSeconds ?? 60));
        return sendDead(reply, 429, 'busy');
      }
      request.log.error({ fault: error.name, code: error.code, stack: error.stack }, 'capture page failed');
      return sendDead(reply, 500, 'failed');
    },
    handler: async (request, reply) => {
      const outcome = await services.challenges.state({ token: request.params.token });
      if (outcome.status === 'not_found') return sendDead(reply, 404, 'unknown');
      if (outcome.status === 'closed') {
        return sendDead(reply, 410, deadLinkKind(outcome.current), outcome.redirect_url);
      }
      const page = render(outcome.state);
      return reply
        .header('content-security-policy', page.policy)
        .header('permissions-policy', PERMISSIONS)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page.html);
    },
  });
}
