// The capture page before a recording: what it does when the service has no room for another judgement.
import { describe, expect, it } from 'vitest';
import type { Answer, CallFault } from '../../web/capture/api/calls.ts';
import { type IssueParts, issueCapture } from '../../web/capture/flow/issue.ts';

type Issued = Awaited<ReturnType<IssueParts['calls']['issueCapture']>>;

const FAULTS: Readonly<Record<number, CallFault>> = { 0: 'offline', 409: 'conflict', 429: 'too_many' };
const refusal = (status: number, retryAfterMs: number | null): Answer<never> => ({
  ok: false,
  fault: FAULTS[status] ?? 'server',
  status,
  body: null,
  retryAfterMs,
});
const given: Issued = { ok: true, value: { capture_id: 'cap_1' } as never };

/** Gives these answers in turn, the last one for ever. */
function asking(...answers: Issued[]) {
  const pausesMs: number[] = [];
  const leaving = new AbortController();
  let asked = 0;
  const parts: IssueParts = {
    calls: {
      issueCapture: async () => {
        asked += 1;
        return answers[Math.min(asked, answers.length) - 1]!;
      },
    },
    signal: leaving.signal,
    pause: async (ms) => void pausesMs.push(ms),
    random: () => 0.5,
  };
  return { parts, pausesMs, leaving, asked: () => asked };
}

describe('asking for a capture', () => {
  it('waits as long as a full service says, and retries more often than after a fault', async () => {
    const full = refusal(503, 10_000);
    const { parts, pausesMs } = asking(full, full, full, full, given);
    expect(await issueCapture(parts)).toBe(given);
    expect(pausesMs).toEqual([11_000, 11_000, 11_000, 11_000]);
  });

  it('waits after too many requests from a shared address, but not for hours', async () => {
    const often = refusal(429, 20_000);
    const { parts, pausesMs } = asking(often, given);
    expect(await issueCapture(parts)).toBe(given);
    expect(pausesMs).toEqual([21_000]);
    for (const refused of [refusal(429, 3_600_000), refusal(429, null)]) {
      const { parts, asked } = asking(refused);
      expect(await issueCapture(parts)).toBe(refused);
      expect(asked()).toBe(1);
    }
  });

  it('tells the person when the service stays full', async () => {
    const full = refusal(503, 10_000);
    const { parts, asked } = asking(full);
    expect(await issueCapture(parts)).toBe(full);
    expect(asked()).toBe(7);
  });

  it('tries three times in all after a lost connection or a fault, and never again after a refusal', async () => {
    for (const fault of [refusal(0, null), refusal(500, null)]) {
      const { parts, pausesMs } = asking(fault);
      expect(await issueCapture(parts)).toBe(fault);
      expect(pausesMs).toEqual([500, 1000]);
    }
    const conflict = asking(refusal(409, null));
    await issueCapture(conflict.parts);
    expect(conflict.asked()).toBe(1);
  });

  it('stops asking once the person has left', async () => {
    const waiting = asking(refusal(503, 10_000), given);
    const parts = { ...waiting.parts, pause: async () => waiting.leaving.abort() };
    expect(await issueCapture(parts)).toBeNull();
    expect(waiting.asked()).toBe(1);
  });
});
