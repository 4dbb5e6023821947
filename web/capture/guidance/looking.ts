// Looks at a video at a steady pace, one look at a time, until it is stopped or looking fails.
import { pause } from '../time/pause.ts';
import type { Eyes, Sight } from './eyes.ts';

/** Ten looks a second, if the device can. */
const LOOK_INTERVAL_MS = 100;
/** A frame that takes longer is no longer a live hint (30–50 ms is usual), and the recorder needs the processor. */
const TOO_SLOW_MS = 1_000;
/** Consecutive failed or too slow frames before guidance gives up. */
const MAX_FAILURES = 3;
/** Without an answer by then, the page offers to continue without hints (they may still come). */
export const PATIENCE_MS = 12_000;

export interface Looker {
  seen(sight: Sight): void;
  /** A look is taking longer than anybody waits. */
  stalled(): void;
  /** Looking has failed; there are no more looks. */
  failed(why: unknown): void;
  /** How long to rest after each look, as a multiple of the look's duration. */
  restShare(): number;
}

/** Resolves when looking has ended; rejects if the detector cannot be loaded. */
export async function keepLooking(
  eyes: Eyes,
  video: HTMLVideoElement,
  looker: Looker,
  signal: AbortSignal,
): Promise<void> {
  await eyes.ready;
  for (let failures = 0; !signal.aborted; ) {
    const fromMs = performance.now();
    const stalled = setTimeout(looker.stalled, PATIENCE_MS);
    try {
      const sight = await eyes.look(video);
      failures = sight.tookMs > TOO_SLOW_MS ? failures + 1 : 0;
      if (!signal.aborted) looker.seen(sight);
      if (failures >= MAX_FAILURES) return looker.failed(`frames take ${Math.round(sight.tookMs)} ms`);
    } catch (error) {
      failures += 1;
      if (failures >= MAX_FAILURES && video.videoWidth > 0) return looker.failed(error);
    } finally {
      clearTimeout(stalled);
    }
    const tookMs = performance.now() - fromMs;
    await pause(Math.max(LOOK_INTERVAL_MS - tookMs, looker.restShare() * tookMs), signal);
  }
}
