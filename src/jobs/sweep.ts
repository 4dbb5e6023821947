// Periodic work: expiry, stale captures and assets, jobs of dead workers. Thin: the rooms say what is done, this says
// when; in-turn.ts which of it one instance does for all.
import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, createBackoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { type ExpiryParts, expireDue } from '../challenge/expire-due.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import {
  abandonStaleCaptures,
  deleteDueAssets,
  deleteOrphanAssets,
  finishStrandedUploads,
  foldFigures,
  foldStoredBytes,
  purgeOldResults,
} from '../challenge/retention.ts';
import type { SweepStore } from '../challenge/sweep-store.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { KeyShredder } from '../keys/erasure-key.ts';
import type { WorkerLiveness } from './worker-liveness.ts';

/** One piece of work, repeated `everyMs` after its last run ended. Answers how many things it did. */
export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<number>;
}

export interface Sweeper {
  /** Starts no more runs and waits for the running ones. */
  stop(): Promise<void>;
}

export interface PeriodicTaskParts extends ExpiryParts {
  readonly keyShredder: KeyShredder;
  readonly store: ChallengeParts['store'];
  readonly assets: ChallengeParts['assets'];
  readonly sweep: SweepStore;
  readonly liveness: WorkerLiveness;
}

interface RetentionParts {
  readonly sweep: SweepStore;
  readonly assets: ChallengeParts['assets'];
  readonly clock: Clock;
  readonly idempotency: Pick<Idempotency, 'deleteExpired'>;
  readonly resultRetentionDays: number;
  readonly replayWindowDays: number;
  readonly auditRetentionDays: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Tasks that every instance runs, side by side: they keep challenges and jobs moving, and keys off the disk. */
export function challengeTasks(parts: PeriodicTaskParts): PeriodicTask[] {
  const { sweep, keyShredder } = parts;
  const unreadable = createBackoff();
  return [
    { name: 'expire', everyMs: 500, run: () => expireDue(parts, unreadable) },
    unlockTask(parts.liveness),
    { name: 'abandon captures', everyMs: 5 * SECOND_MS, run: () => abandonStaleCaptures(sweep) },
    { name: 'finish uploads', everyMs: 10 * SECOND_MS, run: () => finishStrandedUploads(parts, sweep) },
    // Erasures shred at once; this does what they left, and what rejections and retention have collected.
    {
      name: 'shred keys',
      everyMs: 5 * SECOND_MS,
      run: async () => (await keyShredder.shred('due')).rewritten,
    },
  ];
}

/**
 * Tasks that one instance runs for all: they delete what is past its retention. `likeness purge` does them at once.
 */
export function retentionTasks(parts: RetentionParts): PeriodicTask[] {
  const { sweep, assets, clock } = parts;
  return [
    {
      name: 'purge results',
      everyMs: MINUTE_MS,
      run: () => purgeOldResults(sweep, parts.resultRetentionDays),
    },
    { name: 'delete assets', everyMs: 10 * SECOND_MS, run: () => deleteDueAssets(sweep, assets) },
    { name: 'fold stored bytes', everyMs: MINUTE_MS, run: () => foldStoredBytes(sweep) },
    {
      name: 'forget frame prints',
      everyMs: 10 * MINUTE_MS,
      run: () => sweep.forgetFramePrints(parts.replayWindowDays),
    },
    {
      name: 'drop months of the audit log',
      everyMs: 60 * MINUTE_MS,
      run: () => sweep.keepAuditMonths(parts.auditRetentionDays),
    },
    { name: 'balance buckets of keys', everyMs: MINUTE_MS, run: () => sweep.balanceKeyBuckets() },
    { name: 'fold figures', everyMs: 10 * SECOND_MS, run: () => foldFigures(sweep) },
    {
      name: 'delete idempotency records',
      everyMs: 10 * MINUTE_MS,
      run: () => parts.idempotency.deleteExpired(),
    },
    { name: 'delete orphans', everyMs: 30 * MINUTE_MS, run: () => deleteOrphanAssets(sweep, assets, clock) },
  ];
}

/** Starts every task, each with its own interval. A failed run is logged and tried again next time. */
export function startSweeper(tasks: readonly PeriodicTask[], log: Logger): Sweeper {
  // Failures are logged at once, then after a minute, two, four: a task may fail twice a second.
  const telling = createBackoff();
  // One signal each: node warns of a leak when eleven listeners wait on one.
  const loops = tasks.map((task) => {
    const ending = new AbortController();
    return { ending, ended: repeat(task, { log, telling }, ending.signal) };
  });
  return {
    stop: async () => {
      for (const { ending } of loops) ending.abort();
      await Promise.all(loops.map(({ ended }) => ended));
    },
  };
}

/** @param telling by the tasks' names, which failures are not to be logged again yet */
async function repeat(
  task: PeriodicTask,
  { log, telling }: { readonly log: Logger; readonly telling: Backoff },
  ending: AbortSignal,
): Promise<void> {
  let untold = 0;
  while (!ending.aborted) {
    try {
      const done = await task.run();
      if (done > 0) log.debug({ task: task.name, done }, 'sweep');
      if (untold > 0) log.info({ task: task.name, failures: untold }, 'a sweep works again');
      telling.succeeded(task.name);
      untold = 0;
    } catch (error) {
      if (telling.pausing().includes(task.name)) untold += 1;
      else {
        telling.failed(task.name);
        log.error({ err: error, task: task.name, ...(untold > 0 && { failures: untold }) }, 'a sweep failed');
        untold = 0;
      }
    }
    // Rejects when the sweeper ends, at once if it has: the loop then ends by itself.
    await delay(task.everyMs, undefined, { signal: ending }).catch(() => {});
  }
}

/**
 * Gives back the jobs of dead workers. A worker counts as dead when its lock was missing in two consecutive rounds: a
 * living one whose connection broke takes its lock again in between.
 */
export function unlockTask(liveness: WorkerLiveness): PeriodicTask {
  let suspects: ReadonlySet<string> = new Set();
  const run = async () => {
    const missing = await liveness.listMissing();
    const dead = missing.filter((workerId) => suspects.has(workerId));
    suspects = new Set(missing);
    if (dead.length > 0) await liveness.unlockJobsOf(dead);
    return dead.length;
  };
  return { name: 'unlock jobs of dead workers', everyMs: 2 * SECOND_MS, run };
}
