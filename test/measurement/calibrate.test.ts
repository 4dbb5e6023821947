// The calibration's thresholds: known ones hold from their number of probe frames on, until the group has another.
import { expect, test } from 'vitest';
import { REGION_NAMES } from '../../src/contract/regions.ts';
import { calibrate, type KnownThreshold } from '../../src/measurement/recognition/calibrate.ts';
import type { Group } from '../../src/measurement/recognition/compared.ts';
import { scoreSet } from '../../src/measurement/score-set.ts';
import { normalQuantile } from '../../src/measurement/tail.ts';

const PEOPLE = 40;

/** Impostor scores spread normally around 0 by .1, genuine ones around .8. */
function normalGroup(name: string): Group {
  const of = (mean: number, same: boolean) =>
    scoreSet(
      Array.from({ length: 4000 }, (_, i) => ({
        score: mean + 0.1 * normalQuantile((i + 0.5) / 4000),
        first: i % PEOPLE,
        second: same ? i % PEOPLE : (i + 1 + (i % 7)) % PEOPLE,
      })),
    );
  const people = Array.from({ length: PEOPLE }, (_, i) => i);
  return { column: 'set', name, pairs: [], genuine: of(0.8, true), impostor: of(0, false), people };
}

function thresholdsAt(targetFmr: number, known: readonly KnownThreshold[]) {
  const group = normalGroup('these');
  const { thresholds } = calibrate({
    ...{
      pack: 'p',
      population: 'nobody',
      madeBy: 'a test',
      madeAt: new Date(0),
      known,
      worstGroupFactor: 10,
    },
    // Four frames were only ever averaged for a handful of pairs.
    groups: [
      ...[1, 2, 3, 5].map((probeFrames) => ({ group, probeFrames })),
      { group: { ...group, impostor: scoreSet([{ score: 0.1, first: 0, second: 1 }]) }, probeFrames: 4 },
    ],
    regions: {
      ...{ targetFmr: 0.05, impostor: 100 },
      thresholds: Object.fromEntries(REGION_NAMES.map((name) => [name, 0.5])),
    },
  })!;
  return thresholds.map(({ probe_frames, points }) => {
    const { cosine, set_by } = points.find(({ target_fmr }) => target_fmr === targetFmr)!;
    return { probe_frames, cosine, set_by };
  });
}

test('without known thresholds the pairs at hand say all', () => {
  for (const { cosine, set_by } of thresholdsAt(1e-2, [])) {
    expect(cosine).toBeCloseTo(-0.1 * normalQuantile(1e-2), 2);
    expect(set_by).toBe('all');
  }
});

test('a known threshold holds from its number of frames on, until the group has another', () => {
  const known = [
    { group: 'webcam', probeFrames: 1, fmr: 1e-2, cosine: 0.6 },
    { group: 'webcam', probeFrames: 1, fmr: 1e-3, cosine: 0.65 },
    { group: 'webcam', probeFrames: 3, fmr: 1e-3, cosine: 0.7 },
    { group: 'phone', probeFrames: 5, fmr: 1e-3, cosine: 0.72 },
  ];
  expect(thresholdsAt(1e-4, known)).toEqual([
    { probe_frames: 1, cosine: 0.65, set_by: 'webcam' },
    { probe_frames: 2, cosine: 0.65, set_by: 'webcam' },
    { probe_frames: 3, cosine: 0.7, set_by: 'webcam' },
    { probe_frames: 5, cosine: 0.72, set_by: 'phone' },
  ]);
});

test('a known threshold that the pairs at hand exceed changes nothing', () => {
  const known = [{ group: 'kind', probeFrames: 1, fmr: 1e-3, cosine: 0.1 }];
  expect(thresholdsAt(1e-4, known)).toEqual(thresholdsAt(1e-4, []));
});
