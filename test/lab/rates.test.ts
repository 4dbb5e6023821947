// Rates of a group with their intervals: what a bootstrap over people can show, and how many trials a certainty rests
// on.
import { expect, test } from 'vitest';
import { zeroCountInterval } from '../../src/lab/intervals.ts';
import type { ComparedPair, Group } from '../../src/lab/recognition/compared.ts';
import { ratesOf } from '../../src/lab/recognition/rates.ts';
import { type ScoredPair, scoreSet } from '../../src/lab/score-set.ts';

const numbers = (count: number) => [...new Array(count).keys()];

function groupOf(genuine: readonly ScoredPair[], listed: readonly ScoredPair[], impostor = listed): Group {
  const compared =
    (same: boolean) =>
    (pair: ScoredPair): ComparedPair => ({
      ...pair,
      same,
      probeFrames: 1,
      referenceFrames: 1,
      pair: { probe: [], reference: [], same, columns: {} },
    });
  const people = new Set([...genuine, ...impostor].flatMap(({ first, second }) => [first, second]));
  return {
    column: '',
    name: 'all',
    people: [...people].sort((a, b) => a - b),
    pairs: [...genuine.map(compared(true)), ...listed.map(compared(false))],
    genuine: scoreSet(genuine),
    impostor: scoreSet(impostor),
  };
}

test('additional strangers add no certainty where every listed pair is decided correctly', () => {
  const genuine = numbers(40).map((i) => ({ score: 0.9, first: i, second: i }));
  const listed = numbers(40).map((i) => ({ score: 0.1, first: i, second: (i + 1) % 40 }));
  const strangers = numbers(40).flatMap((i) => numbers(i).map((j) => ({ score: 0.1, first: i, second: j })));
  const { accuracy } = ratesOf(groupOf(genuine, listed, strangers), () => 0.5);
  expect(accuracy).toEqual({ value: 1, interval: [1 - zeroCountInterval(80)[1], 1] });
});

test('a replicate without impostors does not change the FNMR at their threshold', () => {
  const genuine = numbers(4).map((i) => ({ score: 0.5, first: i, second: i }));
  const impostors = [0.9, 0.1].map((score) => ({ score, first: 0, second: 1 }));
  const { fnmrAtFmr } = ratesOf(groupOf(genuine, impostors), () => 0.5);
  for (const { fnmr } of fnmrAtFmr)
    expect(fnmr).toEqual({ value: 1, interval: [1 - zeroCountInterval(4)[1], 1] });
});

test('below the kept scores the operating point’s FMR is unknown, and its FNMR is known', () => {
  const genuine = numbers(4).map((i) => ({ score: 0.9, first: i, second: i }));
  const group = groupOf(genuine, [{ score: 0.5, first: 0, second: 1 }]);
  const partial = { ...group, impostor: { ...group.impostor, count: 8 } };
  expect(ratesOf(partial, () => 0.4).atOperatingPoint).toMatchObject({ fmr: null, fnmr: { value: 0 } });
  expect(ratesOf(partial, () => 0.5).atOperatingPoint.fmr).toMatchObject({ value: 1 / 8 });
});
