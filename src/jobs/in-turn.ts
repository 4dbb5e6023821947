// Periodic tasks that only one process of a deployment runs at a time: listing the whole asset store, and deleting what is past
// its retention, are done once, however many processes there are.
import { randomUUID } from 'node:crypto';
import type { Logger } from '../base/log.ts';
import type { PeriodicTask } from './sweep.ts';

/** Port: whose turn a task is, in the database that all processes share. Times are the database's. */
export interface TaskTurns {
  /** True if the task is due and nobody runs it: it is the holder's for so long. */
  take(task: string, holder: string, leaseMs: number): Promise<boolean>;
  extend(task: string, holder: string, leaseMs: number): Promise<void>;
  /** The run is over; the next is due after `nextInMs`. Nothing happens if the turn was lost meanwhile. */
  end(task: string, holder: string, nextInMs: number): Promise<void>;
}

/** A process that dies in a run is waited for as long as this. */
const LEASE_MS = 20_000;
const EXTEND_EVERY_MS = LEASE_MS / 4;
/** A task that comes seldom is asked for this often, so that another process takes over from one that ended. */
const MOST_BETWEEN_ASKS_MS = 60_000;

/**
 * The task as each process may start it: it is run if it is due and nobody runs it, in any process. A process that is
 * cut off from the database for longer than its lease goes on beside the next: tasks stay safe to run twice.
 */
export function inTurn(turns: TaskTurns, log: Logger): (task: PeriodicTask) => PeriodicTask {
  return (task) => ({
    name: task.name,
    everyMs: Math.min(task.everyMs, MOST_BETWEEN_ASKS_MS),
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
