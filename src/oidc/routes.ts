// Below /oidc: the OpenID Provider. Its library answers; this hands requests over in the form that it expects, and
// redirects people between it and the capture page.
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedLanguages, chooseLanguage } from '../contract/languages.ts';
import type { DeadLinkKind } from '../contract/server-texts.ts';
import type { App } from '../http/app-type.ts';
import { readCapturePages } from '../http/documents/capture-html.ts';
import { type Page, sendPage } from '../http/documents/send-page.ts';
import { addressOf, limitRate } from '../http/guards/rate-limits.ts';
import { HttpProblem } from '../http/problems/problem-reply.ts';
import { languageOf } from '../http/routes/capture-page.ts';
import type { HttpSettings } from '../http/settings.ts';
import type { Oidc } from './provider.ts';

export const OIDC_PREFIX = '/oidc';
/** A login's cookie for the capture page; its path is that of its own challenge. */
export const LOGIN_COOKIE = 'likeness_challenge';
/** The same limit as the library's own for its other bodies. */
const MAX_FORM_BYTES = 56 * 1024;
/**
 * An authorization request has some twenty parameters, and the library's time grows with the square of their number.
 */
const MAX_PARAMETERS = 100;
/** The lifetime of a login's challenge; its cookie is worth nothing after that. */
const COOKIE_SECONDS = 900;
const hide = true;

type RawRequest = IncomingMessage & { originalUrl?: string };

/** The provider's routes, to be registered below {@link OIDC_PREFIX}. */
export function oidcRoutes(oidc: Oidc, settings: HttpSettings) {
  return async (scope: App): Promise<void> => {
    limitRate(scope, { max: settings.pageRatePerMinute, countedBy: addressOf });
    await scope.register(cookie);
    // The library reads all bodies except that of POST /auth.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    const answerPerson = deadPages(settings);
    interactionRoute(scope, oidc, settings, answerPerson);
    authorizationRoutes(scope, oidc, settings);
    scope.all('/*', { schema: { hide } }, async (request, reply) => {
      // The library also matches other spellings of its paths: `/oidc/AUTH` is an authorization request.
      refuseManyParameters(queryOf(request));
      return handOver(oidc, settings, request, reply, request.raw.url!.slice(OIDC_PREFIX.length));
    });
  };
}

/** The page for a person whose request was refused and cannot go back to the client. */
export function oidcErrorPages(
  settings: Pick<HttpSettings, 'capturePageDir' | 'baseUrl'>,
): (acceptLanguage: string) => Page {
  const pages = readCapturePages(settings, "'none'");
  return (acceptLanguage) => pages.dead('failed', chooseLanguage(acceptedLanguages(acceptLanguage)));
}

/** Pages, in the person's language, for people who cannot be sent back to the client. */
function deadPages(settings: HttpSettings) {
  const pages = readCapturePages(settings, "'none'");
  return (request: FastifyRequest, reply: FastifyReply, status: number, kind: DeadLinkKind): FastifyReply => {
    return sendPage(reply.code(status), pages.dead(kind, languageOf(request)));
  };
}

function interactionRoute(
  app: App,
  oidc: Oidc,
  settings: HttpSettings,
  answerPerson: ReturnType<typeof deadPages>,
): void {
  app.get('/interaction/:uid', { schema: { hide } }, async (request, reply) => {
    const { uid } = request.params as { uid: string };
    reply.header('cache-control', 'no-store');
    ownHeaders(request, settings);
    const answer = await oidc.interact(request.raw, reply.raw, uid);
    switch (answer.to) {
      case 'nowhere':
        return answerPerson(request, reply, 404, 'unknown');
      case 'library':
        return reply.redirect(answer.url, 303);
      case 'challenge': {
        const secure = settings.baseUrl.startsWith('https:');
        const options = {
          path: answer.path,
          maxAge: COOKIE_SECONDS,
          httpOnly: true,
          sameSite: 'lax',
          secure,
        } as const;
        return reply.setCookie(LOGIN_COOKIE, answer.browser, options).redirect(answer.url, 303);
      }
    }
  });
}

/** GET and POST mean the same (OpenID Connect Core 3.1.2.1): the library sees a GET for either. */
function authorizationRoutes(app: App, oidc: Oidc, settings: HttpSettings): void {
  const authorize = async (request: FastifyRequest, reply: FastifyReply, query: string) => {
    refuseManyParameters(query);
    const known = await oidc.authorizationQuery(query);
    request.raw.method = 'GET';
    return handOver(oidc, settings, request, reply, `/auth?${known}`);
  };
  app.get('/auth', { schema: { hide } }, (request, reply) => authorize(request, reply, queryOf(request)));
  app.register(async (forms: App) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    );
    forms.post('/auth', { schema: { hide } }, async (request, reply) => {
      if (request.raw.url!.includes('?'))
        throw new HttpProblem('bad-request', { detail: 'A form must not have a query string.' });
      return authorize(request, reply, String(request.body ?? ''));
    });
  });
}

const queryOf = (request: FastifyRequest): string => request.raw.url!.split('?').slice(1).join('?');

/** @throws HttpProblem bad-request for more parameters than any real request has */
function refuseManyParameters(query: string): void {
  if (query.split('&').length > MAX_PARAMETERS)
    throw new HttpProblem('bad-request', { detail: `At most ${MAX_PARAMETERS} parameters.` });
}

async function handOver(
  oidc: Oidc,
  settings: HttpSettings,
  request: FastifyRequest,
  reply: FastifyReply,
  url: string,
): Promise<FastifyReply> {
  const raw: RawRequest = request.raw;
  ownHeaders(request, settings);
  // The library builds addresses from this URL. Behind a proxy, BASE_URL may have a path of its own.
  raw.originalUrl = `${new URL(settings.baseUrl).pathname.replace(/\/$/, '')}${OIDC_PREFIX}${url}`;
  raw.url = url;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  // For `form_post` pages, which submit themselves to the client by a script whose hash the library adds.
  reply.raw.setHeader(
    'content-security-policy',
    "default-src 'none'; script-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  reply.hijack();
  await oidc.handle(raw, reply.raw);
  return reply;
}

/**
 * The library takes the service's address from the request: set it to BASE_URL, and the caller to what TRUST_PROXY
 * gives.
 */
function ownHeaders(request: FastifyRequest, settings: HttpSettings): void {
  const { host, protocol } = new URL(settings.baseUrl);
  const { ip } = request;
  const { headers } = request.raw;
  headers.host = host;
  headers['x-forwarded-host'] = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-for'] = ip;
}
