// Periodic tasks that only one process of a deployment runs at a time: listing the whole asset store and deleting what
// is past its retention are done once, however many processes there are.
import { randomUUID } from 'node:crypto';
import type { Logger } from '../base/log.ts';
import type { PeriodicTask } from './sweep.ts';

/** Port: which process may run a task, in the database that all processes share. Times are the database's. */
export interface TaskTurns {
  /** True if the task is due and nobody runs it; it then belongs to the holder for `leaseMs`. */
  take(task: string, holder: string, leaseMs: number): Promise<boolean>;
  extend(task: string, holder: string, leaseMs: number): Promise<void>;
  /** Ends the run; the next is due after `nextInMs`. Does nothing if the turn was lost meanwhile. */
  end(task: string, holder: string, nextInMs: number): Promise<void>;
}

/** Other processes wait this long for one that died during a run. */
const LEASE_MS = 20_000;
const EXTEND_EVERY_MS = LEASE_MS / 4;
/** An infrequent task is checked this often, so that another process takes over from one that ended. */
const MAX_CHECK_INTERVAL_MS = 60_000;

/**
 * Wraps a task so that every process may start it: it runs only if it is due and no process runs it. A process that is
 * cut off from the database for longer than its lease continues beside the next one, so tasks must be safe to run
 * twice.
 */
export function inTurn(turns: TaskTurns, log: Logger): (task: PeriodicTask) => PeriodicTask {
  return (task) => ({
    name: task.name,
    everyMs: Math.min(task.everyMs, MAX_CHECK_INTERVAL_MS),
    run: async () => {
      const holder = randomUUID();
      if (!(await turns.take(task.name, holder, LEASE_MS))) return 0;
      const extending = setInterval(() => {
        turns.extend(task.name, holder, LEASE_MS).catch((err: unknown) => {
          log.warn({ err, task: task.name }, 'the turn of a sweep cannot be extended');
        });
      }, EXTEND_EVERY_MS);
      try {
        return await task.run();
      } finally {
        clearInterval(extending);
        await turns.end(task.name, holder, task.everyMs);
      }
    },
  });
}
