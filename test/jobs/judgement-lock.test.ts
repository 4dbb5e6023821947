// Work beside other work, and work alone.
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJudgementLock } from '../../src/jobs/judgement-lock.ts';

it('never runs anything beside what runs alone, runs everything once, and loses no error', async () => {
  const work = fc.record({
    alone: fc.boolean(),
    fails: fc.boolean(),
    begins: fc.integer({ min: 0, max: 4 }),
    takes: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 12 }), async (all) => {
      const judgementLock = createJudgementLock();
      const running = new Set<number>();
      const disturbed: number[] = [];
      const ended = all.map(async ({ alone, fails, begins, takes }, i) => {
        await delay(begins);
        const run = async () => {
          running.add(i);
          await delay(takes);
          if (running.size > 1 && [...running].some((each) => all[each]!.alone)) disturbed.push(i);
          running.delete(i);
          if (fails) throw new Error(`work ${i}`);
          return i;
        };
        return alone ? judgementLock.exclusive(run) : judgementLock.shared(run);
      });
      const outcomes = await Promise.allSettled(ended);
      expect(disturbed).toEqual([]);
      expect(outcomes.map((each) => (each.status === 'rejected' ? each.reason.message : each.value))).toEqual(
        all.map(({ fails }, i) => (fails ? `work ${i}` : i)),
      );
    }),
    { numRuns: 60 },
  );
});

it('runs work side by side where nothing runs alone', async () => {
  const judgementLock = createJudgementLock();
  let arrive = () => {};
  const second = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await Promise.all([judgementLock.shared(() => second), judgementLock.shared(async () => arrive())]);
});
