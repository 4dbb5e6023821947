// Caches an answer for a fixed time, so that counts over whole tables cost the same however many pages ask.
import type { Clock } from './clock.ts';

/**
 * Makes a function that repeats `read`'s answer for `forMs` after it was asked for. Those who ask meanwhile share one
 * reading; a failed one is not repeated.
 */
export function cachedFor<T>(clock: Clock, forMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly untilMs: number; readonly answer: Promise<T> } | null = null;
  return () => {
    const nowMs = clock.now().getTime();
    if (last && nowMs < last.untilMs) return last.answer;
    const reading = { untilMs: nowMs + forMs, answer: read() };
    last = reading;
    reading.answer.catch(() => {
      if (last === reading) last = null;
    });
    return reading.answer;
  };
}
