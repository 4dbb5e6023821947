import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_OUTCOMES } from '../../src/contract/delivery.ts';
import {
  createRetrySchedule,
  JITTER,
  MAX_RETRY_AFTER_MS,
  RETRY_DELAYS_MS,
  retryAfterMs,
} from '../../src/webhook/schedule.ts';

type Attempt = Parameters<ReturnType<typeof createRetrySchedule>>[0];
const nextStep = (attempt: Attempt, step: number, random: number) =>
  createRetrySchedule(RETRY_DELAYS_MS, () => random)(attempt, step);
const failed = { outcome: 'http_status', retryAfterMs: null } as const;
const delayAt = (step: number, random: number) => {
  const next = nextStep(failed, step, random);
  return next.status === 'pending' ? next.delayMs : null;
};

describe('the retry schedule', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h after the previous attempt, then given up', () => {
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(seconds.map((_, step) => delayAt(step, 0))).toEqual(seconds.map((each) => each * 1_000));
    expect(nextStep(failed, seconds.length, 0)).toEqual({ status: 'failed' });
  });

  it('lasts about three days', () => {
    const hours = RETRY_DELAYS_MS.reduce((sum, each) => sum + each, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(72);
    expect(hours * (1 + JITTER)).toBeLessThan(96);
  });

  it('is lengthened by jitter, never shortened', () => {
    const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const step = fc.integer({ min: 0, max: RETRY_DELAYS_MS.length - 1 });
    fc.assert(
      fc.property(step, unit, (at, random) => {
        const [delay, base] = [delayAt(at, random)!, RETRY_DELAYS_MS[at]!];
        return delay >= base && delay <= base * (1 + JITTER);
      }),
    );
  });

  it('stops at success and at 410, and continues after everything else', () => {
    for (const outcome of ATTEMPT_OUTCOMES) {
      const expected = { delivered: 'delivered', gone: 'failed' }[outcome as string] ?? 'pending';
      expect(nextStep({ outcome, retryAfterMs: null }, 0, 0.5).status).toBe(expected);
    }
  });

  it('waits as long as Retry-After asks, up to a day, and never less than the schedule', () => {
    const asked = (ms: number, step = 0) => nextStep({ outcome: 'http_status', retryAfterMs: ms }, step, 0);
    expect(asked(120_000)).toEqual({ status: 'pending', delayMs: 120_000 });
    expect(asked(1_000)).toEqual({ status: 'pending', delayMs: 5_000 });
    expect(asked(1e15)).toEqual({ status: 'pending', delayMs: MAX_RETRY_AFTER_MS });
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-21T10:00:00Z');

  it('is seconds or a date', () => {
    expect(retryAfterMs('120', now)).toBe(120_000);
    expect(retryAfterMs(' 0 ', now)).toBe(0);
    expect(retryAfterMs('Sat, 21 Nov 2026 10:02:00 GMT', now)).toBe(120_000);
    expect(retryAfterMs('Saturday, 21-Nov-26 10:02:00 GMT', now)).toBe(120_000);
    expect(retryAfterMs('Sat, 21 Nov 2026 09:00:00 GMT', now)).toBe(0);
  });

  it.each([
    undefined,
    '',
    '-5',
    '1.5',
    '1e3',
    'soon',
    '12 s',
    'Sat, 99 Nov 2026 99:99:99 GMT',
    '2026-11-21',
  ])('%j is neither', (value) => {
    expect(retryAfterMs(value, now)).toBeNull();
  });

  it('is a finite wait or null, whatever the receiver sends', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = retryAfterMs(text, now);
        return wait === null || (Number.isFinite(wait) && wait >= 0);
      }),
    );
  });
});
