// The API process: HTTP and the sweeps.
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { readQueues } from '../console/tables/queue-figures.ts';
import type { App } from '../http/app-type.ts';
import { createConsoleServer } from '../http/console-server.ts';
import { listenOn } from '../http/listen.ts';
import { createHttpServer } from '../http/server.ts';
import type { ConsoleServices, HttpServices } from '../http/services.ts';
import type { HttpSettings } from '../http/settings.ts';
import type { MetricsParts } from '../metrics/metrics-server.ts';
import { measureQueues, measureReadiness } from '../metrics/work-metrics.ts';
import { DECODER } from '../pictures/decode-picture.ts';
import { composeConsole } from './console.ts';
import { warnOfReach } from './decoders.ts';
import { listenByTls } from './development/dev-tls.ts';
import type { Foundation } from './foundation.ts';
import { composeHttpServices, httpSettings } from './http.ts';
import { composeLogin } from './oidc/login.ts';
import { readyUntilStop } from './readiness.ts';
import { composeServices } from './services.ts';
import { startSweeps } from './sweeps.ts';

export interface ApiRole {
  /** What the operator's port shows about this process and its workers. */
  readonly metrics: MetricsParts;
  /** Stops listening; waits for requests in progress and for the sweep. */
  stop(): Promise<void>;
}

/**
 * Listens on HOST and PORT. `workerMetrics` returns the metrics of this process's workers. Once `isStopping` returns
 * true, the process reports not ready and closes each connection after the response to its next request.
 */
export async function startApi(
  foundation: Foundation,
  workerMetrics: () => Promise<object[]>,
  isStopping: () => boolean,
): Promise<ApiRole> {
  const { config, database, log } = foundation;
  const services = composeServices(foundation);
  await Promise.all([foundation.accounts.recallKeysInUse(), warnOfReach(DECODER, 'pictures', log)]);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics, prefix: 'likeness_' });
  measureQueues(metrics, () => readQueues(database.db));
  const scrape = async () => {
    const [own, workers] = await Promise.all([metrics.getMetricsAsJSON(), workerMetrics()]);
    return AggregatorRegistry.aggregate([own, ...workers]).metrics();
  };
  const settings = { ...httpSettings(config), logger: log, metrics, isStopping };
  const login = await composeLogin(foundation, services, settings);
  const console = await composeConsole(foundation, services, login.consolePages);
  const composed = composeHttpServices(foundation, services, console, login);
  const readiness = readyUntilStop(composed.readiness, isStopping);
  measureReadiness(metrics, readiness);
  const httpServices = { ...composed, readiness };
  const { servers, overTls } = await startServers(config, httpServices, console, settings).catch(
    async (error: unknown) => {
      await services.close();
      throw error;
    },
  );
  // Sets up a new asset store. One that is unavailable now works again once it is back.
  services.challengeParts.assets.check().catch((err: unknown) => log.error({ err }, 'no asset store'));
  const sweeps = startSweeps(foundation, services);
  return {
    metrics: { scrape, readiness },
    stop: async () => {
      await overTls?.stop();
      await Promise.all(servers.map((server) => server.close()));
      await sweeps.stop();
      await services.close();
    },
  };
}

interface ListeningServers {
  readonly servers: readonly App[];
  /** With DEV_TLS: the public server again, over TLS. */
  readonly overTls: { stop(): Promise<void> } | null;
}

/** Starts the public server, the console's if it has its own port, and TLS. Either all of them listen or none. */
async function startServers(
  config: Config,
  services: HttpServices,
  console: ConsoleServices | null,
  settings: HttpSettings,
): Promise<ListeningServers> {
  const open = await createHttpServer(services, settings);
  const servers = [open];
  try {
    await listenOn(open, ['HOST', config.HOST], ['PORT', config.PORT]);
    if (console && config.CONSOLE_PORT !== 0) {
      const own = await createConsoleServer(console, services.challenges, settings);
      servers.push(own);
      await listenOn(own, ['OPERATOR_HOST', config.OPERATOR_HOST], ['CONSOLE_PORT', config.CONSOLE_PORT]);
    }
    return { servers, overTls: config.DEV_TLS === '1' ? await listenByTls(open, config) : null };
  } catch (error) {
    // A server that already listens would keep alive a process that could not start.
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
}
