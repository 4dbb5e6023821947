// The calibration's thresholds: what the pairs at hand ask for, and what their hardest group does.
import { expect, test } from 'vitest';
import { REGION_NAMES } from '../../src/contract/regions.ts';
import { calibrate } from '../../src/measurement/recognition/calibrate.ts';
import type { Group } from '../../src/measurement/recognition/compared.ts';
import { scoreSet } from '../../src/measurement/score-set.ts';
import { normalQuantile } from '../../src/measurement/tail.ts';

const PAIRS = 4000;

/** Impostor scores spread normally around `impostorMean` by .1, genuine ones around .8. */
function normalGroup(name: string, impostorMean = 0, peopleCount = 40): Group {
  const of = (mean: number, same: boolean) =>
    scoreSet(
      Array.from({ length: PAIRS }, (_, i) => ({
        score: mean + 0.1 * normalQuantile((i + 0.5) / PAIRS),
        first: i % peopleCount,
        second: same ? i % peopleCount : (i + 1 + (i % 7)) % peopleCount,
      })),
    );
  const people = Array.from({ length: peopleCount }, (_, i) => i);
  return {
    ...{ column: 'set', name, pairs: [], people },
    ...{ genuine: of(0.8, true), impostor: of(impostorMean, false) },
  };
}

function thresholdsAt(targetFmr: number, groups: readonly Group[]) {
  const { thresholds } = calibrate({
    ...{ pack: 'p', population: 'nobody', madeBy: 'a test', madeAt: new Date(0), worstGroupFactor: 10 },
    // Four frames were only ever averaged for a handful of pairs.
    groups: [
      ...[1, 2, 3, 5].flatMap((probeFrames) => groups.map((group) => ({ group, probeFrames }))),
      {
        group: { ...groups[0]!, impostor: scoreSet([{ score: 0.1, first: 0, second: 1 }]) },
        probeFrames: 4,
      },
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

test('of one group the pairs at hand say all; numbers of frames with few impostors are left out', () => {
  const thresholds = thresholdsAt(1e-2, [normalGroup('these')]);
  expect(thresholds.map(({ probe_frames }) => probe_frames)).toEqual([1, 2, 3, 5]);
  for (const { cosine, set_by } of thresholds) {
    expect(cosine).toBeCloseTo(-0.1 * normalQuantile(1e-2), 2);
    expect(set_by).toBe('all');
  }
});

/** Of many people, so that every two of them counting once outweigh a small group. */
const kind = normalGroup('kind', 0, 400);

test('a group whose strangers are more alike sets the threshold, at ten times the target', () => {
  for (const { cosine, set_by } of thresholdsAt(1e-2, [kind, normalGroup('hard', 0.4, 10)])) {
    expect(set_by).toBe('hard');
    expect(cosine).toBeCloseTo(0.4 - 0.1 * normalQuantile(0.1), 2);
  }
});

test('a group of fewer than ten people is reported, not fitted to', () => {
  for (const { set_by } of thresholdsAt(1e-2, [kind, normalGroup('hard', 0.4, 9)]))
    expect(set_by).toBe('all');
});
