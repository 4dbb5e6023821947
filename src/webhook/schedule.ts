// When a delivery is tried again: a pure function of what came back.
import type { AttemptOutcome } from '../contract/delivery.ts';
import type { NextStep } from './ports.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Waiting time after each failed attempt, the first attempt being at once: ten attempts over about three days
 * (Standard Webhooks, "Deliverability and reliability", with the same steps).
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A receiver may ask for a later attempt, but not keep its delivery alive longer than the schedule's longest step. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR;

/** Delays grow by up to this share, never shrink, so that receivers that failed together do not return together. */
export const JITTER = 0.2;

/**
 * What follows an attempt.
 * @param attempt its outcome, and the `Retry-After` of the answer in milliseconds where it had one
 * @param step attempts finished before it in this run of the schedule
 * @param random in [0, 1)
 */
export function nextStep(
  attempt: { outcome: AttemptOutcome; retryAfterMs: number | null },
  step: number,
  random: number,
): NextStep {
  if (attempt.outcome === 'delivered') return { status: 'delivered' };
  const delayMs = RETRY_DELAYS_MS[step];
  if (attempt.outcome === 'gone' || delayMs === undefined) return { status: 'failed' };
  const jittered = Math.round(delayMs * (1 + JITTER * random));
  const asked = Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return { status: 'pending', delayMs: Math.max(jittered, asked) };
}

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds from `now`: seconds or a date; null when it is neither. */
export function retryAfterMs(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND;
  const at = /^[A-Z][a-z]+, .{9,24} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
