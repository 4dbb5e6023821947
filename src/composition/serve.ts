// `likeness serve`: reads the configuration, opens the foundation, starts the roles, prints the ready line, and stops
// them again on SIGTERM.
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, type Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import type { Limits } from '../config/limits.ts';
import { readConfig } from '../config/read-config.ts';
import { type MetricsServer, startMetricsServer } from '../metrics/metrics-server.ts';
import { readTrustAnchors } from '../passkeys/attestation/trust-anchors.ts';
import { type ApiRole, startApi } from './api-role.ts';
import { ensureDevCredentials } from './development/credentials.ts';
import { localBaseUrl, withDevTls } from './development/dev-tls.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { type Stop, stopParts } from './stop-parts.ts';
import { listenForStop, type StopSignal } from './stop-signal.ts';
import { startWorker, type WorkerRole } from './worker-role.ts';
import { superviseWorkers, type WorkerSupervisor } from './worker-supervisor.ts';

/**
 * Time for work in progress after SHUTDOWN_DELAY_SECONDS. Every supervisor gives more (deploy/): the chart 60 s to
 * workers and 80 s to APIs, Compose 90 s.
 */
const STOP_WITHIN_MS = 40_000;

/**
 * Runs the service until SIGTERM or SIGINT. Then it reports not ready for SHUTDOWN_DELAY_SECONDS and finishes work in
 * progress. Resolves when everything has stopped; what does not end in time is given up, and the process exits with 1.
 * @param limits those of this process that differ from a deployment's
 * @throws Fault if it cannot start
 */
export async function serve(environment: NodeJS.ProcessEnv, limits: Partial<Limits> = {}): Promise<void> {
  const read = readConfig(environment);
  const given = { ...read, limits: { ...read.limits, ...limits } };
  const config = withDevTls(await withPort(given, environment), environment);
  // A file that is missing stops the start, not the first enrolment.
  if (config.passkeyMakers !== null) readTrustAnchors(config.passkeyMakers);
  const log = createLogger({ level: config.LOG_LEVEL, process: config.ROLE });
  const stops: Stop[] = [];
  const signal = listenForStop(log);
  try {
    await start(config, log, stops, signal);
    await signal.asked;
    // Keep answering while not ready, until load balancers have noticed. No requests are routed to a worker.
    if (config.ROLE !== 'worker') await delay(config.SHUTDOWN_DELAY_SECONDS * 1_000);
  } finally {
    const haveEnded = await stopParts(stops, STOP_WITHIN_MS, log);
    signal.close();
    if (!haveEnded) {
      log.error('work in progress did not end in time and is given up');
      process.exit(1);
    }
    // The channel to the parent would keep an idle worker alive, in particular one that could not start.
    if (process.connected) process.disconnect();
  }
  log.info('stopped');
}

async function start(
  config: Config,
  log: Logger,
  stops: Stop[],
  { asked, isAsked: isStopping }: StopSignal,
): Promise<void> {
  const foundation = await openFoundation(config, log);
  stops.push(() => foundation.close());
  if (config.ROLE === 'worker') {
    await openMetrics(foundation, await startWorker(foundation, isStopping), stops);
    log.info('ready');
    process.send?.('ready');
    return;
  }
  let workers: WorkerSupervisor | null = null;
  const api = await startApi(foundation, async () => workers?.metrics() ?? [], isStopping);
  await openMetrics(foundation, api, stops);
  if (config.ROLE === 'all') {
    workers = superviseOwnWorkers(foundation, isStopping);
    stops.push(workers.stop);
    // A worker that cannot start must not keep this process from ending.
    await Promise.race([workers.ready, asked]);
  }
  if (isStopping()) return;
  if (config.MODE === 'development') await announceDevelopment(foundation);
  else if (config.FRAME_ANCESTORS === '*')
    log.warn(
      "any site may show the capture page in a frame: set FRAME_ANCESTORS to the origins that may, or to 'none'",
    );
  process.stdout.write(`likeness ready on ${config.baseUrl}\n`);
}

/** Opens the operator's port of a role, which answers until the role has stopped. */
async function openMetrics(
  { config, log }: Foundation,
  role: ApiRole | WorkerRole,
  stops: Stop[],
): Promise<void> {
  let server: MetricsServer | null = null;
  stops.push(async () => {
    await role.stop().finally(() => server?.stop());
  });
  server = await startMetricsServer(config, role.metrics, log);
}

function superviseOwnWorkers(foundation: Foundation, isStopping: () => boolean): WorkerSupervisor {
  const { config, database, log } = foundation;
  return superviseWorkers({
    count: config.WORKER_PROCESSES,
    environment: {
      DATABASE_URL: database.connectionString,
      DATABASE_DIRECT_URL: database.directConnectionString,
      BASE_URL: config.baseUrl,
      DATA_DIR: config.dataDir,
      // This process exposes their metrics with its own.
      METRICS_PORT: '0',
    },
    isStopping,
    log,
  });
}

/** Prints where the keys are; on the first start, also the keys themselves. */
async function announceDevelopment(foundation: Foundation): Promise<void> {
  const { credentials, file, isNew } = await ensureDevCredentials(
    foundation,
    localBaseUrl(foundation.config),
  );
  const keys = [
    `  API key         ${credentials.api_key}`,
    `  webhook secret  ${credentials.webhook_secret}`,
    `  sandbox key     ${credentials.sandbox_api_key}`,
  ];
  const lines = [
    `development account ${credentials.account}`,
    ...(isNew ? keys : []),
    `  kept in         ${file}`,
    `  try it          ${foundation.config.baseUrl}/`,
  ];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** With PORT=0, picks a free port now, because links contain it from the start. */
async function withPort(config: Config, environment: NodeJS.ProcessEnv): Promise<Config> {
  if (config.PORT !== 0 || config.ROLE === 'worker') return config;
  const port = await freePort(config.HOST);
  return {
    ...config,
    PORT: port,
    baseUrl: environment.BASE_URL?.trim() ? config.baseUrl : `http://127.0.0.1:${port}`,
  };
}

function freePort(host: string): Promise<number> {
  return new Promise((done, refuse) => {
    const probe = createServer();
    probe.once('error', refuse);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => done(port));
    });
  });
}
