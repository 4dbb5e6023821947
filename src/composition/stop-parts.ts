// Stops the parts of a process, and gives up what does not end: whoever told it to stop kills it after its grace period.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';

/** Stops one part. */
export type Stop = () => Promise<void>;

/** Time for a part after the others have used up all of it: enough to close connections. Chosen, not measured. */
const LEAST_MS = 5_000;

/**
 * Stops the parts, in reverse order of their start, within `withinMs`, or a little later if one does not end.
 * @returns whether all have ended
 */
export async function stopParts(stops: readonly Stop[], withinMs: number, log: Logger): Promise<boolean> {
  const until = performance.now() + withinMs;
  let haveEnded = true;
  for (const stop of stops.toReversed()) {
    const waiting = new AbortController();
    const ended = stop()
      .catch((error: unknown) => log.error({ err: error }, 'a part did not stop cleanly'))
      .then(() => true);
    const leftMs = Math.max(LEAST_MS, until - performance.now());
    const late = delay(leftMs, false, { signal: waiting.signal }).catch(() => true);
    haveEnded = (await Promise.race([ended, late])) && haveEnded;
    waiting.abort();
  }
  return haveEnded;
}
