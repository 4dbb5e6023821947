// The API process: HTTP, and the sweeps that every instance runs.
import { resolve } from 'node:path';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { Fault } from '../base/errors.ts';
import type { Trace } from '../base/trace.ts';
import { notificationFaults } from '../challenge/request-rules.ts';
import type { Config } from '../config.ts';
import { type App, createHttpServer } from '../http/server.ts';
import type { HttpServices } from '../http/services.ts';
import { createKeptAnswers } from '../storage/postgres/kept-answers.ts';
import { readQueues } from '../storage/postgres/queue-figures.ts';
import { composeConsole } from './console.ts';
import { listenByTls } from './dev-tls.ts';
import type { Foundation } from './foundation.ts';
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
  const httpServices: HttpServices = {
    accounts: foundation.accounts,
    custody: foundation.keys,
    challenges: services.challenges,
    deliveries: services.deliveries,
    featids: services.featids,
    console: await composeConsole(foundation, services),
    trial: composeTrial(foundation, services.challenges),
    answers: createKeptAnswers(database.db),
    readiness: createReadiness(database.db, services.challengeParts.assets),
    endpointFaults: (configuration, pointer) =>
      notificationFaults(configuration, pointer, services.challengeParts.settings),
  };
  const server = await createHttpServer(httpServices, {
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
    logger: log,
    trace,
    metrics,
  });
  const overTls = await listen(server, config).catch(async (error: unknown) => {
    // What listens already would keep a process alive that could not start.
    await server.close();
    await services.close();
    throw error;
  });
  const sweeps = startSweeps(foundation, services);
  return {
    metrics: { scrape, readiness: httpServices.readiness },
    stop: async () => {
      await overTls?.stop();
      await server.close();
      await sweeps.stop();
      await services.close();
    },
  };
}

/** The public port, and with DEV_TLS the one above it. */
async function listen(server: App, config: Config): Promise<{ stop(): Promise<void> } | null> {
  const { HOST: host, PORT: port } = config;
  const listenTextResolver = (address: string) => `listening on ${address}`;
  await server.listen({ host, port, listenTextResolver }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.syscall !== 'listen') throw cause;
    throw new Fault('LISTEN_FAILED', `HOST ${host}, PORT ${port}: ${cause.code}`, { cause });
  });
  return config.DEV_TLS === '1' ? listenByTls(server, config) : null;
}
