// The job queue of one worker process (graphile-worker): lanes of tasks, each with its own concurrency. A lane restarts
// if the queue gives up a worker, and stops gracefully.
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Logger as QueueLogger,
  runTaskList,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import type { Logger } from '../base/log.ts';
import { type ConnectionPool, openLongLivedPool } from '../storage/postgres/long-lived-connection.ts';
import type { WorkerPresence } from './worker-presence.ts';

export type Task = (payload: unknown, job: { readonly id: string }) => Promise<void>;

/** Tasks that share one concurrency limit. */
export interface JobLane {
  readonly name: string;
  /** How many jobs of this lane the process runs at once. */
  readonly concurrency: number;
  /** If a task throws, it is run again later as the same job. */
  readonly tasks: Readonly<Record<string, Task>>;
}

export interface JobRunner {
  /** Takes no more jobs; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** NOTIFY announces new jobs; polling finds jobs that fall due and jobs put back. */
const POLL_MS = 1_000;
const RESTART_PAUSE_MS = 1_000;

export async function startJobRunner(parts: {
  connectionString: string;
  lanes: readonly JobLane[];
  presence: WorkerPresence;
  /** Whether the process must end; if so, an unreachable database is not waited for. */
  isStopping?: () => boolean;
  log: Logger;
}): Promise<JobRunner> {
  const started = await Promise.all(parts.lanes.map((lane) => startLane(parts, lane)));
  return {
    stop: async () => {
      await Promise.all(started.map((lane) => lane.stop()));
    },
  };
}

type LaneParts = Omit<Parameters<typeof startJobRunner>[0], 'lanes'>;

async function startLane(parts: LaneParts, lane: JobLane): Promise<JobRunner> {
  let stopping = false;
  const isStopping = () => stopping || parts.isStopping?.() === true;
  let current = await startWhenPossible(parts, lane, isStopping);
  const supervised = (async () => {
    while (!stopping) {
      await current.ended;
      if (stopping) break;
      parts.log.warn({ lane: lane.name }, 'the job queue lost a worker and is being restarted');
      await current.stop();
      await delay(RESTART_PAUSE_MS);
      if (!stopping) current = await startWhenPossible(parts, lane, isStopping);
    }
    await current.stop();
  })();
  return {
    stop: async () => {
      stopping = true;
      await current.stop();
      await supervised;
    },
  };
}

interface Queue {
  /** Resolves when a worker is given up or the queue ends. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Retries while the database is unavailable. */
async function startWhenPossible(parts: LaneParts, lane: JobLane, isStopping: () => boolean): Promise<Queue> {
  for (;;) {
    try {
      return await startQueue(parts, lane);
    } catch (error) {
      parts.log.error({ err: error, lane: lane.name }, 'the job queue cannot start');
      if (isStopping()) return { ended: Promise.resolve(), stop: async () => {} };
      await delay(RESTART_PAUSE_MS);
    }
  }
}

async function startQueue(parts: LaneParts, lane: JobLane): Promise<Queue> {
  const events = new EventEmitter() as WorkerEvents;
  const workerIds = new Set<string>();
  events.on('worker:create', ({ worker }) => {
    workerIds.add(worker.workerId);
    parts.presence.hold(worker.workerId);
  });
  // One connection listens. The other takes and ends jobs, which needs milliseconds.
  const pool = openLongLivedPool({ connectionString: parts.connectionString, max: 2 });
  // The queue does not replace a worker that could not give its job back. A worker whose request for a job got no
  // answer may hold a job that it does not know of, for as long as it lives. After a broken connection, the queue
  // retries silently.
  const lost = new Promise<void>((resolve) => {
    for (const event of ['worker:fatalError', 'worker:getJob:error'] as const)
      events.on(event, () => resolve());
    // Deferred, so that the queue hears of it first; stopped before that, it would print a stack trace.
    pool.on('connect', (client) => client.on('error', () => setImmediate(resolve)));
  });
  // Without a listener a broken connection would end the process.
  pool.on('error', () => {});
  // Check the database first: the queue gives up workers that find none when they start.
  await tryOut(pool).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  // Not the library's `run`, which adds cron: if the database fails while it registers its empty crontab, the rejection
  // is unhandled and ends the process (found by `npm run torture`).
  const workers = runTaskList(
    {
      concurrency: lane.concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: queueLogger(parts.log, lane.name),
      events,
    },
    tasksOf(lane),
    pool,
  );
  let stopped: Promise<void> | null = null;
  return {
    ended: Promise.race([lost, workers.promise.catch(() => {})]),
    stop: () => {
      stopped ??= stopQueue(workers, pool, workerIds, parts.presence);
      return stopped;
    },
  };
}

async function tryOut(pool: ConnectionPool): Promise<void> {
  const client = await pool.connect();
  await client.query('select 1').finally(() => client.release());
}

const tasksOf = (lane: JobLane): TaskList =>
  Object.fromEntries(
    Object.entries(lane.tasks).map(([name, run]) => [
      name,
      (payload, { job }) => run(payload, { id: job.id }),
    ]),
  );

async function stopQueue(
  workers: WorkerPool,
  pool: ConnectionPool,
  workerIds: Set<string>,
  presence: WorkerPresence,
): Promise<void> {
  await workers.gracefulShutdown().catch(() => {});
  await pool.end();
  for (const workerId of workerIds) presence.release(workerId);
  workerIds.clear();
}

/** The queue's log. Job payloads are only ids, but are left out all the same. */
function queueLogger(log: Logger, lane: string): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error') log.error({ lane }, message);
    else if (level === 'warning') log.warn({ lane }, message);
    else log.debug({ lane }, message);
  });
}
