// When a delivery is tried again: a pure function of the attempt's outcome.
import type { AttemptOutcome } from '../contract/delivery.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/**
 * Waits after each failed attempt; the first attempt is immediate. Ten attempts over about three days: 5 s, 5 min, 30
 * min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, the steps of Standard Webhooks ("Deliverability and reliability").
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
].map((seconds) => seconds * SECOND);

/** A receiver may ask for a later attempt, but not keep its delivery alive longer than the schedule's longest step. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Delays grow by up to this share and never shrink, so that receivers that failed together are not retried together.
 */
export const JITTER = 0.2;

/** What follows for a delivery after an attempt. */
export type NextStep =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed' }
  | { readonly status: 'pending'; readonly delayMs: number };

/** What follows an attempt, given that `step` attempts of this run of the schedule were finished before it. */
export type RetrySchedule = (
  attempt: {
    outcome: AttemptOutcome;
    /** `Retry-After` of the answer, if it had one. */
    retryAfterMs: number | null;
  },
  step: number,
) => NextStep;

/**
 * Makes the schedule.
 * @param delaysMs waiting times; there is one attempt more than waiting times
 * @param random in [0, 1), for the jitter
 */
export function createRetrySchedule(delaysMs: readonly number[], random: () => number): RetrySchedule {
  return (attempt, step) => {
    if (attempt.outcome === 'delivered') return { status: 'delivered' };
    const delayMs = delaysMs[step];
    if (attempt.outcome === 'gone' || delayMs === undefined) return { status: 'failed' };
    const jittered = Math.round(delayMs * (1 + JITTER * random()));
    const asked = Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    return { status: 'pending', delayMs: Math.max(jittered, asked) };
  };
}

/** `Retry-After` (RFC 9110 §10.2.3), which is seconds or a date, in milliseconds from `now`; null if it is neither. */
export function retryAfterMs(value: string | null | undefined, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND;
  const at = /^[A-Z][a-z]+, .{9,24} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
