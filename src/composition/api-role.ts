// The API process: HTTP, and the sweeps that every instance runs.
import { resolve } from 'node:path';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Trace } from '../base/trace.ts';
import { notificationFaults } from '../challenge/request-rules.ts';
import type { Config } from '../config.ts';
import type { App } from '../http/app.ts';
import { createConsoleServer } from '../http/console-server.ts';
import { createHttpServer } from '../http/server.ts';
import type { ConsoleServices, HttpServices, HttpSettings } from '../http/services.ts';
import { readQueues } from '../storage/postgres/queue-figures.ts';
import { composeConsole } from './console.ts';
import { listenByTls } from './dev-tls.ts';
import type { Foundation } from './foundation.ts';
import { listenOn } from './listen.ts';
import type { MetricsParts } from './metrics-server.ts';
import { createReadiness } from './readiness.ts';
import { composeServices } from './services.ts';
import { startSweeps } from './sweeps.ts';
import { composeTrial } from './trial.ts';
import { VERSION } from './version.ts';
import { measureQueues } from './work-metrics.ts';

export interface ApiRole {
  /** What the operator's port shows of this process and its workers. */
  readonly metrics: MetricsParts;
  /** Stops listening, waits for requests under way and for the sweep. */
  stop(): Promise<void>;
}

const packageRoot = resolve(import.meta.dirname, '..', '..');
const CAPTURE_PAGE_DIR = resolve(packageRoot, 'build', 'web', 'capture');
const CONSOLE_PAGE_DIR = resolve(packageRoot, 'build', 'web', 'console');
const GUIDES_DIR = resolve(packageRoot, 'docs', 'guides');

/** Listens on HOST and PORT. `workerMetrics` answers what the workers beside this process have counted. */
export async function startApi(
  foundation: Foundation,
  workerMetrics: () => Promise<object[]>,
  trace: Trace | null,
): Promise<ApiRole> {
  const { config, database, log } = foundation;
  const services = composeServices(foundation);
  await foundation.accounts.recallKeysInUse();
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics, prefix: 'likeness_' });
  measureQueues(metrics, () => readQueues(database.db));
  const scrape = async () => {
    const [own, workers] = await Promise.all([metrics.getMetricsAsJSON(), workerMetrics()]);
    return AggregatorRegistry.aggregate([own, ...workers]).metrics();
  };
  const console = await composeConsole(foundation, services);
  const httpServices: HttpServices = {
    accounts: foundation.accounts,
    challenges: services.challenges,
    deliveries: services.deliveries,
    featids: services.featids,
    console: config.CONSOLE_PORT === 0 ? console : 'elsewhere',
    trial: composeTrial(foundation, services.challenges),
    idempotency: services.idempotency,
    readiness: createReadiness(database.db, services.challengeParts.assets, services.challengeParts.room),
    endpointFaults: (configuration, pointer) =>
      notificationFaults(configuration, pointer, services.challengeParts.settings),
  };
  const settings = { ...httpSettings(config), logger: log, trace, metrics };
  const { servers, overTls } = await startServers(config, httpServices, console, settings).catch(
    async (error: unknown) => {
      await services.close();
      throw error;
    },
  );
  // Sets up a new asset store; an unavailable one recovers by itself.
  services.challengeParts.assets.check().catch((err: unknown) => log.error({ err }, 'no asset store'));
  const sweeps = startSweeps(foundation, services);
  return {
    metrics: { scrape, readiness: httpServices.readiness },
    stop: async () => {
      await overTls?.stop();
      await Promise.all(servers.map((server) => server.close()));
      await sweeps.stop();
      await services.close();
    },
  };
}

function httpSettings(config: Config): Omit<HttpSettings, 'logger' | 'trace' | 'metrics'> {
  return {
    baseUrl: config.baseUrl,
    region: config.REGION,
    version: VERSION,
    trustProxy: config.TRUST_PROXY,
    frameAncestors: config.FRAME_ANCESTORS,
    capturePageDir: CAPTURE_PAGE_DIR,
    consolePageDir: CONSOLE_PAGE_DIR,
    guidesDir: GUIDES_DIR,
    tryOut: config.MODE === 'development',
    keyRatePerMinute: config.CREATE_RATE_PER_MINUTE,
    pageRatePerMinute: config.PAGE_RATE_PER_MINUTE,
    wrongKeyRatePerMinute: config.WRONG_KEY_RATE_PER_MINUTE,
  };
}

interface ListeningServers {
  readonly servers: readonly App[];
  /** With DEV_TLS: the public server again, over TLS. */
  readonly overTls: { stop(): Promise<void> } | null;
}

/** The public server, that of the console where it has a port of its own, and TLS: all of them listen, or none. */
async function startServers(
  config: Config,
  services: HttpServices,
  console: ConsoleServices | null,
  settings: HttpSettings,
): Promise<ListeningServers> {
  const open = await createHttpServer(services, settings);
  const servers = [open];
  try {
    await listenOn(open, { host: config.HOST, port: config.PORT, prefix: '' });
    if (console && config.CONSOLE_PORT !== 0) {
      const own = await createConsoleServer(console, services.challenges, settings);
      servers.push(own);
      await listenOn(own, { host: config.CONSOLE_HOST, port: config.CONSOLE_PORT, prefix: 'CONSOLE_' });
    }
    return { servers, overTls: config.DEV_TLS === '1' ? await listenByTls(open, config) : null };
  } catch (error) {
    // A server that listens already would keep a process alive that could not start.
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
}
