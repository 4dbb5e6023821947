// Which targets a film answers: those it was asked for, and fresh ones.
import { expect, test } from 'vitest';
import { answeredBy, targetsSection } from '../../../bench/pad-targets.ts';
import type { Script } from '../../../src/contract/script.ts';
import { dotOf, type Target } from '../../../src/contract/target.ts';
import type { Gathered } from '../../../src/evaluation/gather.ts';
import { evidence, observe } from '../../evaluation/liveness/evidence.ts';

const FIRST: Target = { angle_deg: 30, amount: 'near' };
const SECOND: Target = { angle_deg: 210, amount: 'near' };
const script: Script = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
    { prompt: 'target', ...FIRST, from_ms: 1000, to_ms: 3500 },
    { prompt: 'neutral', from_ms: 3500, to_ms: 4500 },
    { prompt: 'target', ...SECOND, from_ms: 4500, to_ms: 7000 },
  ],
};

/** Turns to the first dot, back, and to `then`. */
const film = (then: Target, durationMs = 8000): Gathered => {
  const observations = observe(durationMs, (t) => {
    if (t >= 1400 && t < 3500) return { head: dotOf(FIRST) };
    return t >= 5000 && t < 7000 ? { head: dotOf(then) } : {};
  });
  return { status: 'gathered', evidence: evidence({ observations }, durationMs), regions: null } as never;
};
const row = (species: string | null, kind: string | null, subject = 'Ada') =>
  ({ species, kind, subject, file: `${subject}.webm`, scriptFile: null }) as never;
const share = (hits: readonly boolean[]) => hits.filter(Boolean).length / hits.length;

test('one hold answers its own target and one fresh one in fourteen', () => {
  const answered = answeredBy(film(SECOND), row('puppet', null), script)!;
  expect(answered.asked).toEqual([true, true]);
  expect(1 / share(answered.fresh)).toBeCloseTo(14.4, 6);
  // The second stands on the far half of the circle.
  expect(share(answered.pairs)).toBeCloseTo((5 * 5) / (72 * 38), 6);
  expect(answeredBy(film(FIRST), row('puppet', null), script)!.asked).toEqual([true, false]);
});

test('people in public clips were asked for nothing, and for seven seconds', () => {
  const answered = answeredBy(film(FIRST), row(null, 'usual'), null)!;
  expect(answered.asked).toEqual([]);
  expect(1 / share(answered.fresh)).toBeCloseTo(14.4, 6);
  expect(share(answered.pairs)).toBe(0);
  expect(answeredBy(film(FIRST, 6800), row(null, 'usual'), null)).toBeNull();
  expect(answeredBy(film(FIRST), row(null, 'usual'), script)).toBeNull();
  expect(answeredBy(film(FIRST), row('still', null), script)).toBeNull();
});

test('the table counts targets, films and people', () => {
  const all = ['Ada', 'Grace'].flatMap((name) =>
    [SECOND, FIRST].map((then) => answeredBy(film(then), row('puppet_after_300_ms', null, name), script)!),
  );
  const { rows } = targetsSection(all);
  expect(rows.map((cells) => cells.slice(0, 5))).toEqual([
    ['rendered people who see no pointer', '2', '2', '8', '75.0 %'],
  ]);
});
