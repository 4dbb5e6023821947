// The public HTTP server of an instance: its scopes and routes. It does not listen.
import cookie from '@fastify/cookie';
import underPressure from '@fastify/under-pressure';
import { checkFields, createApp } from './app.ts';
import type { App } from './app-type.ts';
import { consoleScope } from './console-server.ts';
import { describeApi, SHARED_SCHEMAS } from './documents/openapi.ts';
import { requireApiKey } from './guards/authentication.ts';
import { acceptJsonOnly } from './guards/json-body.ts';
import { HTTP_LIMITS, type HttpLimits } from './guards/limits.ts';
import { forbidCaching } from './guards/no-store.ts';
import { addressOf, limitRate } from './guards/rate-limits.ts';
import { refuseWhenBehind } from './guards/saturation.ts';
import { FieldChecks } from './problems/field-faults.ts';
import { assetLinkRoutes } from './routes/asset-links.ts';
import { captureApiRoutes } from './routes/capture-api.ts';
import { capturePageRoutes } from './routes/capture-page.ts';
import { challengeRoutes } from './routes/challenges.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { deviceRoutes } from './routes/devices.ts';
import { docsRoutes } from './routes/docs.ts';
import { featidRoutes } from './routes/featids.ts';
import { frontPageRoutes } from './routes/front-page.ts';
import { healthRoutes } from './routes/health.ts';
import { pictureRoutes } from './routes/pictures.ts';
import { publicKeysRoute, receiptRoute } from './routes/receipts.ts';
import { webhookTestRoutes } from './routes/webhook-test.ts';
import type { HttpServices } from './services.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Makes the server; the caller calls `listen` or `inject`. Closing it waits for requests in progress.
 * @throws Fault CONFIG_INVALID if TRUST_PROXY cannot be parsed, or the capture page is not built
 */
export async function createHttpServer(services: HttpServices, settings: HttpSettings): Promise<App> {
  const limits = { ...HTTP_LIMITS, ...settings.limits };
  const app = await createApp(settings, limits);
  await describeApi(app, settings);
  await app.register(async (scope: App) => {
    await scope.register(underPressure, {
      maxEventLoopDelay: limits.maxEventLoopDelayMs,
      pressureHandler: refuseWhenBehind,
    });
    await scope.register(apiScope(services, settings, limits));
    await scope.register(pageScope(services, settings, limits));
    for (const { prefix, routes } of services.furtherRoutes) await scope.register(routes, { prefix });
    if (services.console !== 'elsewhere') await scope.register(consoleScope(services.console, settings));
  });
  healthRoutes(app, services);
  await docsRoutes(app, settings);
  await frontPageRoutes(app, services, settings);
  return app;
}

/** Everything below /v1: behind an API key and its rate limit. */
function apiScope(services: HttpServices, settings: HttpSettings, limits: HttpLimits) {
  return async (scope: App) => {
    forbidCaching(scope);
    requireApiKey(scope, services.accounts, {
      failuresPerMinute: settings.wrongKeyRatePerMinute,
      unknownKeysPerSecond: limits.unknownKeysPerSecond,
    });
    limitRate(scope, {
      max: settings.keyRatePerMinute,
      countedBy: (request) => request.caller?.actor ?? addressOf(request),
    });
    challengeRoutes(scope, services);
    receiptRoute(scope, services);
    deliveryRoutes(scope, services);
    featidRoutes(scope, services);
    deviceRoutes(scope, services);
    webhookTestRoutes(scope, services, limits);
    await scope.register(pictureRoutes(services, settings, limits));
  };
}

/** What a person's browser, and anyone with an asset link, may call: no key, a rate limit per address. */
function pageScope(services: HttpServices, settings: HttpSettings, limits: HttpLimits) {
  return async (scope: App) => {
    await scope.register(async (limited: App) => {
      limitRate(limited, { max: settings.pageRatePerMinute, countedBy: addressOf });
      acceptJsonOnly(limited, limits.pageBodyBytes);
      // Our own page sends valid requests, and other callers need no more than one fault.
      checkFields(limited, new FieldChecks(SHARED_SCHEMAS, { allErrors: false }));
      if (services.browserTie) await limited.register(cookie);
      captureApiRoutes(limited, services, limits);
      assetLinkRoutes(limited, services.challenges);
      publicKeysRoute(limited, services);
    });
    await capturePageRoutes(scope, services, settings);
  };
}
