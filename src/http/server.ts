// The HTTP server of an instance: hooks and scopes in the order in which a request meets them. It does not listen.

import type { IncomingMessage, ServerResponse } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import underPressure from '@fastify/under-pressure';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  fastify,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { LOG_SERIALIZERS, logAccess } from './access-log.ts';
import { requireApiKey } from './authentication.ts';
import { refuseBrokenRequests } from './client-errors.ts';
import { FieldChecks } from './field-faults.ts';
import { takeJsonOnly } from './json-body.ts';
import { HTTP_LIMITS, type HttpLimits, MAX_PARAM_LENGTH } from './limits.ts';
import { measureRequests } from './metrics.ts';
import { describeApi, SHARED_SCHEMAS } from './openapi.ts';
import { addProblemReplies, sendProblem } from './problem-reply.ts';
import { addressOf, limitRate } from './rate-limits.ts';
import { requestIdOf } from './request-id.ts';
import { assetLinkRoutes } from './routes/asset-links.ts';
import { captureApiRoutes } from './routes/capture-api.ts';
import { capturePageRoutes } from './routes/capture-page.ts';
import { challengeRoutes } from './routes/challenges.ts';
import { consoleApiRoutes } from './routes/console-api.ts';
import { consolePageRoutes } from './routes/console-page.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { docsRoutes } from './routes/docs.ts';
import { featidRoutes } from './routes/featids.ts';
import { frontPageRoutes } from './routes/front-page.ts';
import { healthRoutes } from './routes/health.ts';
import { webhookTestRoutes } from './routes/webhook-test.ts';
import { securityHeaders } from './security-headers.ts';
import type { HttpServices, HttpSettings } from './services.ts';
import { traceRequests } from './traces.ts';
import { readTrustProxy } from './trust-proxy.ts';
import { answerUnmatched } from './unmatched.ts';

/** The fastify instance that routes are added to. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/**
 * Makes the server; `listen` or `inject` is the caller's. Closing it waits for requests under way.
 * @throws Fault CONFIG_INVALID where TRUST_PROXY cannot be read, and where the capture page is not built
 */
export async function createHttpServer(services: HttpServices, settings: HttpSettings): Promise<App> {
  const limits = { ...HTTP_LIMITS, ...settings.limits };
  const app = newInstance(settings, limits);
  const checks = new FieldChecks(SHARED_SCHEMAS);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    checks.compile(schema as object, (httpPart ?? 'body') as Parameters<FieldChecks['compile']>[1]),
  );
  // Response schemas describe; what a service answers goes out whole.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.decorateRequest('caller', null);
  const everywhere = await securityHeaders(settings.baseUrl.startsWith('https:'));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere).header('x-request-id', request.id);
    done();
  });
  endConnectionsOnClose(app);
  addProblemReplies(app, settings.baseUrl);
  measureRequests(app, settings.metrics);
  logAccess(app);
  if (settings.trace) traceRequests(app, settings.trace);
  answerUnmatched(app);
  await app.register(rateLimit, { global: false, cache: 20_000 });
  await describeApi(app, settings);

  takeJsonOnly(app, limits.jsonBodyBytes);
  await app.register(async (scope) => {
    await scope.register(underPressure, { maxEventLoopDelay: limits.maxEventLoopDelayMs, retryAfter: 5 });
    await scope.register(apiScope(services, settings, limits));
    await scope.register(pageScope(services, settings, limits));
    await scope.register(consoleScope(services.console, settings));
  });
  healthRoutes(app as App, services);
  await docsRoutes(app as App, settings);
  await frontPageRoutes(app as App, services, settings);
  return app as App;
}

/** Answers while the server closes are the last of their connection: it would stay open for its next request. */
function endConnectionsOnClose(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Everything below /v1: behind an API key and its rate. */
function apiScope(services: HttpServices, settings: HttpSettings, limits: HttpLimits) {
  return async (scope: FastifyInstance) => {
    requireApiKey(scope, services.accounts, {
      failuresPerMinute: settings.wrongKeyRatePerMinute,
      unknownKeysPerSecond: limits.unknownKeysPerSecond,
    });
    limitRate(scope, {
      max: settings.keyRatePerMinute,
      countedBy: (request) => request.caller?.actor ?? addressOf(request),
    });
    const routes = scope.withTypeProvider<TypeBoxTypeProvider>() as unknown as App;
    challengeRoutes(routes, services);
    deliveryRoutes(routes, services);
    featidRoutes(routes, services);
    webhookTestRoutes(routes, services);
  };
}

/** What a person's browser and whoever holds an asset link may call: no key, a rate per address. */
function pageScope(services: HttpServices, settings: HttpSettings, limits: HttpLimits) {
  return async (scope: FastifyInstance) => {
    const routes = scope.withTypeProvider<TypeBoxTypeProvider>() as unknown as App;
    await scope.register(async (limited) => {
      limitRate(limited, { max: settings.pageRatePerMinute, countedBy: addressOf });
      const limitedRoutes = limited.withTypeProvider<TypeBoxTypeProvider>() as unknown as App;
      captureApiRoutes(limitedRoutes, services, limits);
      assetLinkRoutes(limitedRoutes, services);
    });
    await capturePageRoutes(routes, services, settings);
  };
}

/** The operator's console: its page, and what that asks for behind a session. */
function consoleScope(console: HttpServices['console'], settings: HttpSettings) {
  return async (scope: FastifyInstance) => {
    await consolePageRoutes(scope as unknown as App, console !== null, settings);
    if (console) {
      await scope.register((api) => consoleApiRoutes(api, console, settings), { prefix: '/console/api' });
    }
  };
}

function newInstance(settings: HttpSettings, limits: HttpLimits): FastifyInstance {
  return fastify({
    loggerInstance: settings.logger.child({}, { serializers: LOG_SERIALIZERS }),
    genReqId: (request) => requestIdOf(request),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: readTrustProxy(settings.trustProxy),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    bodyLimit: limits.jsonBodyBytes,
    connectionTimeout: limits.connectionTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckIntervalMs,
    },
    // Requests that come while closing are still answered: see `endConnectionsOnClose`.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      const kind = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'not-found' : 'bad-request';
      sendProblem(reply, settings.baseUrl, kind);
    },
    clientErrorHandler: refuseBrokenRequests(settings.baseUrl),
  }) as unknown as FastifyInstance;
}
