// The operator's console: its page, and the calls that the page makes within a session. It runs on the public server,
// or on a separate one that operators can reach.
import type { FastifyRequest } from 'fastify';
import type { ChallengeServices } from '../challenge/services.ts';
import { createApp } from './app.ts';
import type { App } from './app-type.ts';
import { HTTP_LIMITS } from './guards/limits.ts';
import { addressOf, isFromThisMachine, limitRate } from './guards/rate-limits.ts';
import { assetLinkRoutes } from './routes/asset-links.ts';
import { consoleApiRoutes } from './routes/console-api.ts';
import { consolePageRoutes } from './routes/console-page.ts';
import type { ConsoleServices } from './services.ts';
import type { HttpSettings } from './settings.ts';

/** The console on the public server. Null: its page says that it is off. */
export function consoleScope(console: ConsoleServices | null, settings: HttpSettings) {
  // On the public server BASE_URL decides, whatever a proxy reports. A tunnel to this machine has no TLS.
  const isHttps = settings.baseUrl.startsWith('https:');
  const isSecure = (request: FastifyRequest) => isHttps && !isFromThisMachine(request);
  return (scope: App) => addConsole(scope, console, settings, isSecure);
}

/**
 * A server with only the console, and the videos and frames that its page shows. It does not listen.
 * @throws Fault CONFIG_INVALID if TRUST_PROXY cannot be parsed
 */
export async function createConsoleServer(
  console: ConsoleServices,
  challenges: Pick<ChallengeServices, 'readAsset'>,
  settings: HttpSettings,
): Promise<App> {
  const app = await createApp(settings, { ...HTTP_LIMITS, ...settings.limits });
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/console'));
  await app.register(async (scope: App) => {
    limitRate(scope, { max: settings.pageRatePerMinute, countedBy: addressOf });
    assetLinkRoutes(scope, challenges);
  });
  await addConsole(app, console, settings, (request) => request.protocol === 'https');
  return app;
}

async function addConsole(
  scope: App,
  console: ConsoleServices | null,
  settings: HttpSettings,
  isSecure: (request: FastifyRequest) => boolean,
): Promise<void> {
  await consolePageRoutes(scope, console !== null, settings);
  if (!console) return;
  await scope.register((api: App) => consoleApiRoutes(api, console, settings, isSecure), {
    prefix: '/console/api',
  });
}
