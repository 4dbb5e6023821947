import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTIONS, type ActionName, decide, isClosed } from '../../src/challenge/lifecycle.ts';
import { CHALLENGE_STATUSES, type ChallengeStatus } from '../../src/contract/states.ts';

const names = Object.keys(ACTIONS) as ActionName[];

/** The model: a challenge that actions happen to, with the deadline coming at one moment. */
function live(script: readonly { name: ActionName; expired: boolean }[]) {
  let status: ChallengeStatus = 'created';
  let deadlinePassed = false;
  let closings = 0;
  const notified: string[] = [];
  const visited: ChallengeStatus[] = [status];
  for (const { name, expired } of script) {
    deadlinePassed ||= expired;
    const decision = decide(name, status, deadlinePassed);
    if (decision.status === 'refused') continue;
    if (!isClosed(status) && isClosed(decision.to)) closings++;
    status = decision.to;
    visited.push(status);
    const { notifies } = ACTIONS[name];
    if (notifies) notified.push(notifies);
  }
  return { status, closings, notified, visited };
}

const scripts = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    expired: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  }),
  { maxLength: 60 },
);

describe('lifecycle table', () => {
  it('never leaves a closed status, closes at most once, and notifies once for every closing but a cancel', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { status, closings, notified, visited } = live(script);
        const firstClosed = visited.findIndex(isClosed);
        if (firstClosed >= 0) expect(new Set(visited.slice(firstClosed)).size).toBe(1);
        expect(closings).toBe(isClosed(status) ? 1 : 0);
        const expected = { completed: ['complete'], expired: ['expired'] } as Record<string, string[]>;
        expect(notified).toEqual(expected[status] ?? []);
      }),
      { numRuns: 2000 },
    );
  });

  it('names known statuses only, and every status but `created` can be reached', () => {
    for (const rule of Object.values(ACTIONS)) {
      for (const from of rule.from) expect(CHALLENGE_STATUSES).toContain(from);
    }
    const reached = new Set(Object.values(ACTIONS).flatMap((rule) => rule.to ?? []));
    expect([...reached].sort()).toEqual(CHALLENGE_STATUSES.filter((status) => status !== 'created').sort());
  });

  it('does not expire a challenge whose capture is being judged', () => {
    expect(decide('expire', 'processing', true)).toEqual({ status: 'refused', because: 'status' });
    expect(decide('complete', 'processing', true)).toEqual({ status: 'allowed', to: 'completed' });
    expect(decide('rejectCapture', 'processing', true)).toEqual({ status: 'refused', because: 'time' });
    expect(decide('rejectCaptureLate', 'processing', true)).toEqual({ status: 'allowed', to: 'expired' });
  });
});
