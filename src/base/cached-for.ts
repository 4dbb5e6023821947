// Caches an answer for a fixed time, so that counts over whole tables cost the same however many pages ask.
import type { Clock } from './clock.ts';

/**
 * Makes a function that repeats `read`'s answer for `forMs` after it was asked for. Those who ask meanwhile share one
 * reading; a failed one is not repeated.
 */
export function cachedFor<T>(clock: Clock, forMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly askedMs: number; readonly answer: Promise<T> } | null = null;
  return () => {
    const nowMs = clock.now().getTime();
    // A clock that was set back makes no answer last longer.
    if (last && nowMs >= last.askedMs && nowMs < last.askedMs + forMs) return last.answer;
    const reading = { askedMs: nowMs, answer: read() };
    last = reading;
    reading.answer.catch(() => {
      if (last === reading) last = null;
    });
    return reading.answer;
  };
}
