// Runs periodic tasks repeatedly, each at its own interval. The rooms define the work, the files *-tasks.ts its
// schedule, and in-turn.ts which of it one instance does for all.
import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, createBackoff } from '../base/backoff.ts';
import type { Logger } from '../base/log.ts';

/** One piece of work, repeated `everyMs` after its last run ended. Resolves with the number of things it did. */
export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<number>;
}

export interface Sweeper {
  /** Starts no more runs; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** Starts every task, each with its own interval. A failed run is logged and retried at the next interval. */
export function startSweeper(tasks: readonly PeriodicTask[], log: Logger): Sweeper {
  // Failures are logged immediately, then after one, two, four minutes: a task may fail twice a second.
  const logBackoff = createBackoff();
  // One signal each: node warns of a leak when eleven listeners wait on one.
  const loops = tasks.map((task) => {
    const ending = new AbortController();
    return { ending, ended: repeat(task, { log, logBackoff }, ending.signal) };
  });
  return {
    stop: async () => {
      for (const { ending } of loops) ending.abort();
      await Promise.all(loops.map(({ ended }) => ended));
    },
  };
}

/**
 * @param logBackoff tells, by task name, which failures must not be logged again yet
 */
async function repeat(
  task: PeriodicTask,
  { log, logBackoff }: { readonly log: Logger; readonly logBackoff: Backoff },
  ending: AbortSignal,
): Promise<void> {
  let unlogged = 0;
  while (!ending.aborted) {
    try {
      const done = await task.run();
      if (done > 0) log.debug({ task: task.name, done }, 'sweep');
      if (unlogged > 0) log.info({ task: task.name, failures: unlogged }, 'a sweep works again');
      logBackoff.succeeded(task.name);
      unlogged = 0;
    } catch (error) {
      if (logBackoff.pausing().includes(task.name)) unlogged += 1;
      else {
        logBackoff.failed(task.name);
        log.error(
          { err: error, task: task.name, ...(unlogged > 0 && { failures: unlogged }) },
          'a sweep failed',
        );
        unlogged = 0;
      }
    }
    // Rejects when the sweeper ends, immediately if it already has; the loop condition then ends the loop.
    await delay(task.everyMs, undefined, { signal: ending }).catch(() => {});
  }
}
