// Port: which workers of the job queue are alive. A worker process holds one session lock per worker in the database,
// which is released with its connection however the process dies; src/storage implements it. Also the task that gives
// back the jobs of dead workers.
import type { PeriodicTask } from './sweep.ts';

export interface WorkerPresence {
  /** Holds this worker's lock while this process lives; takes it again after a lost connection. */
  hold(workerId: string): void;
  release(workerId: string): void;
  /** Workers that have locked jobs but do not hold their own lock. */
  listMissing(): Promise<string[]>;
  /** Gives the jobs of these workers back to the queue. */
  unlockJobsOf(workerIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 2_000;

/**
 * Gives back the jobs of dead workers. A worker counts as dead if its lock was missing in two consecutive rounds: a
 * living worker whose connection broke takes its lock again in between.
 */
export function unlockTask(presence: WorkerPresence): PeriodicTask {
  let suspects: ReadonlySet<string> = new Set();
  const run = async () => {
    const missing = await presence.listMissing();
    const dead = missing.filter((workerId) => suspects.has(workerId));
    suspects = new Set(missing);
    if (dead.length > 0) await presence.unlockJobsOf(dead);
    return dead.length;
  };
  return { name: 'unlock jobs of dead workers', everyMs: LOOK_EVERY_MS, run };
}
