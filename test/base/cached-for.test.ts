// A cached answer is read once a minute, shared, and never a failure.
import { expect, test } from 'vitest';
import { cachedFor } from '../../src/base/cached-for.ts';

function rig() {
  let nowMs = 0;
  const readings: ((answer: string | Error) => void)[] = [];
  const ask = cachedFor(
    { now: () => new Date(nowMs) },
    60_000,
    () =>
      new Promise<string>((resolve, reject) => {
        readings.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  );
  return { ask, readings, pass: (ms: number) => (nowMs += ms) };
}

test('those who ask within the minute share one reading', async () => {
  const { ask, readings, pass } = rig();
  const asked = [ask(), ask()];
  pass(30_000);
  readings[0]!('first');
  expect(await Promise.all([...asked, ask()])).toEqual(['first', 'first', 'first']);
  pass(29_999);
  expect(await ask()).toBe('first');
  pass(1);
  const next = ask();
  readings[1]!('second');
  expect(await next).toBe('second');
  expect(readings).toHaveLength(2);
});

test('after a failure the next one reads again', async () => {
  const { ask, readings } = rig();
  const failing = ask();
  readings[0]!(new Error('the database is away'));
  await expect(failing).rejects.toThrow('away');
  const next = ask();
  readings[1]!('back');
  expect(await next).toBe('back');
});

test('a clock that is set back makes no answer last longer', async () => {
  const { ask, readings, pass } = rig();
  const first = ask();
  readings[0]!('first');
  await first;
  pass(-3_600_000);
  const next = ask();
  readings[1]!('second');
  expect(await next).toBe('second');
});
