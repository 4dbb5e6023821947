// The fastify instance that each server of this process starts from: hooks in the order in which a request meets them,
// and errors as problems. It has no routes and does not listen.

import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify';
import type { App } from './app-type.ts';
import { SHARED_SCHEMAS } from './documents/openapi.ts';
import { LOG_SERIALIZERS, logAccess } from './guards/access-log.ts';
import { refuseBrokenRequests } from './guards/client-errors.ts';
import { acceptJsonOnly } from './guards/json-body.ts';
import { type HttpLimits, MAX_PARAM_LENGTH } from './guards/limits.ts';
import { closeLingering } from './guards/lingering-close.ts';
import { measureRequests } from './guards/metrics.ts';
import { requestIdOf } from './guards/request-id.ts';
import { securityHeaders } from './guards/security-headers.ts';
import { readTrustProxy } from './guards/trust-proxy.ts';
import { answerUnmatched } from './guards/unmatched.ts';
import { FieldChecks } from './problems/field-faults.ts';
import { addProblemReplies, HttpProblem, sendProblem } from './problems/problem-reply.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Makes an instance; the caller calls `listen` or `inject`. Closing it waits for requests in progress.
 * @throws Fault CONFIG_INVALID if TRUST_PROXY cannot be parsed
 */
export async function createApp(settings: HttpSettings, limits: HttpLimits): Promise<App> {
  const app = newInstance(settings, limits);
  checkFields(app, new FieldChecks(SHARED_SCHEMAS));
  // Response schemas are documentation only: answers are serialised whole, not filtered by them.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  app.decorateRequest('caller', null);
  const everywhere = await securityHeaders(settings.baseUrl.startsWith('https:'));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere).header('x-request-id', request.id);
    done(lacksHost(request) ? new HttpProblem('bad-request', { detail: 'Send a Host header.' }) : undefined);
  });
  // Otherwise node answers 417 itself, without a problem or an id. RFC 9110 §10.1.1 lets a server ignore expectations
  // that it does not know.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  endConnectionsOnStop(app, settings.isStopping);
  closeLingering(app, limits.lingerMs);
  addProblemReplies(app, settings.baseUrl);
  measureRequests(app, settings.metrics);
  logAccess(app);
  answerUnmatched(app);
  acceptJsonOnly(app, limits.jsonBodyBytes);
  await app.register(rateLimit, { global: false, cache: 20_000 });
  return app as App;
}

/** RFC 9112 §3.2 requires 400 for such a request. Node would send it too, but without a problem or an id. */
function lacksHost({ raw: { httpVersion, headers } }: FastifyRequest): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

/** Validates the requests of a scope, and of the scopes inside it, with these checks. */
export function checkFields(scope: FastifyInstance, checks: FieldChecks): void {
  scope.setValidatorCompiler(({ schema, httpPart }) =>
    checks.compile(schema as object, (httpPart ?? 'body') as Parameters<FieldChecks['compile']>[1]),
  );
}

/**
 * A stopping process closes each connection with its response, instead of keeping it open for the next request. Clients
 * that keep connections alive, such as proxies, then have none left when the listener closes.
 */
function endConnectionsOnStop(app: FastifyInstance, isStopping: () => boolean): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || isStopping()) reply.header('connection', 'close');
    done(null, payload);
  });
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
      requireHostHeader: false,
    },
    // Requests that arrive while closing are still answered: see `endConnectionsOnStop`.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      const kind = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'not-found' : 'bad-request';
      sendProblem(reply, settings.baseUrl, kind);
    },
    clientErrorHandler: refuseBrokenRequests(settings.baseUrl),
  }) as unknown as FastifyInstance;
}
