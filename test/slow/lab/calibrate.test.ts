// The calibration's thresholds: what the pairs measured require, and what their hardest group changes.
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { normalQuantile } from '../../../src/lab/normal-distribution.ts';
import { calibrate } from '../../../src/lab/recognition/calibrate.ts';
import type { Group } from '../../../src/lab/recognition/compared.ts';
import { pool } from '../../../src/lab/recognition/fit-threshold.ts';
import { allStrangers, scoreSet } from '../../../src/lab/score-set.ts';
import { Cosine } from '../../../src/models/packs/calibration.ts';

const PAIRS = 4000;

/** Impostor scores normally distributed around `impostorMean` with a deviation of 0.1, genuine ones around 0.8. */
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
    column: 'set',
    name,
    pairs: [],
    people,
    genuine: of(0.8, true),
    impostor: of(impostorMean, false),
  };
}

const input = {
  pack: 'p',
  population: 'nobody',
  madeBy: 'a test',
  code: '0123456789ab',
  madeAt: new Date(0),
  worstGroupFactor: 10,
};
const oneEach = { probeFrames: 1, referenceFrames: 1 };

function thresholdsAt(targetFmr: number, groups: readonly Group[]) {
  const few = { ...groups[0]!, impostor: scoreSet([{ score: 0.1, first: 0, second: 1 }]) };
  const counts = [1, 2, 5].flatMap((probeFrames) =>
    [1, 5].map((referenceFrames) => ({ probeFrames, referenceFrames })),
  );
  const { thresholds } = calibrate({
    ...input,
    // Averages of four frames exist for only a few pairs.
    groups: [
      ...counts.flatMap((frames) => groups.map((group) => ({ group, ...frames }))),
      { group: few, probeFrames: 4, referenceFrames: 4 },
    ],
  })!;
  return thresholds.map(({ probe_frames, reference_frames, points }) => {
    const { cosine, set_by } = points.find(({ target_fmr }) => target_fmr === targetFmr)!;
    return { frames: [probe_frames, reference_frames], cosine, set_by };
  });
}

test('with one group its own pairs set the threshold; numbers of frames with few impostors are left out', () => {
  const thresholds = thresholdsAt(1e-2, [normalGroup('these')]);
  expect(thresholds.map(({ frames }) => frames.join('×'))).toEqual([
    '1×1',
    '1×5',
    '2×1',
    '2×5',
    '5×1',
    '5×5',
  ]);
  for (const { cosine, set_by } of thresholds) {
    expect(cosine).toBeCloseTo(-0.1 * normalQuantile(1e-2), 2);
    expect(set_by).toBe('all');
  }
});

/** So many people that, with each pair of people counted once, it outweighs a small group. */
const kind = normalGroup('kind', 0, 400);

test('a group with more similar strangers sets the threshold, at ten times the target', () => {
  for (const { cosine, set_by } of thresholdsAt(1e-2, [kind, normalGroup('hard', 0.4, 10)])) {
    expect(set_by).toBe('hard');
    expect(cosine).toBeCloseTo(0.4 - 0.1 * normalQuantile(0.1), 2);
  }
});

test('a group without strangers has no FMR', () => {
  const alone = { ...kind, name: 'alone', impostor: scoreSet([]) };
  const of = (groups: readonly Group[]) =>
    calibrate({ ...input, groups: groups.map((group) => ({ group, ...oneEach })) })!.thresholds[0]!
      .points[0]!;
  const { groups, cosine } = of([kind, alone]);
  // It requires nothing, so the threshold of the others stays.
  expect(cosine).toBe(of([kind]).cosine);
  expect(groups[1]).toMatchObject({ group: 'alone', fmr: null, fmr_interval: null });
  expect(groups[1]!.fnmr).not.toBeNull();
});

describe('one pair of look-alikes among few people', () => {
  const PEOPLE = 7;
  const alike = normalGroup('few', 0.1, PEOPLE);

  /** All scores of people 0 and 1 are around `mean`, with a tenth of the spread of the others. */
  function withLookAlikes(mean: number): Group {
    const pairs = Array.from(alike.impostor.scores, (score, at) => {
      const [first, second] = [alike.impostor.first[at]!, alike.impostor.second[at]!];
      const isPair = Math.min(first, second) === 0 && Math.max(first, second) === 1;
      return { score: isPair ? mean + (score - 0.1) / 10 : score, first, second };
    });
    return { ...alike, impostor: scoreSet(pairs) };
  }

  const pointOf = (group: Group) =>
    calibrate({
      ...input,
      groups: [kind, group].map((each) => ({ group: each, ...oneEach })),
    })!.thresholds[0]!.points.find(({ target_fmr }) => target_fmr === 1e-4)!;

  test('is reported, with the thresholds with and without it and its share of the false matches', () => {
    const { worst_pair } = pointOf(withLookAlikes(0.65));
    expect(worst_pair).toMatchObject({ group: 'few', share: 1 });
    expect(worst_pair!.cosine_with).toBeGreaterThan(0.65);
    expect(worst_pair!.cosine_without).toBeLessThan(worst_pair!.cosine_with);
  });

  test('sets the threshold where that rejects almost nobody', () => {
    const { cosine, worst_pair } = pointOf(withLookAlikes(0.5));
    expect(worst_pair!.ships).toBe('with');
    expect(cosine).toBe(worst_pair!.cosine_with);
  });

  test('does not set it where that rejects people; then at most one in a hundred strangers passes', () => {
    const group = withLookAlikes(0.75);
    const { cosine, worst_pair } = pointOf(group);
    expect(worst_pair!.ships).toBe('without');
    expect(cosine).toBe(worst_pair!.cosine_without);
    const passing = group.impostor.scores.filter((score) => score >= cosine).length / PAIRS;
    expect(passing).toBeLessThanOrEqual(0.01);
  });

  test('sets no threshold if it is the whole group', () => {
    const two = {
      ...withLookAlikes(0.9),
      impostor: scoreSet([...Array(200)].map((_, i) => ({ score: i / 200, first: 0, second: 1 }))),
    };
    expect(pointOf(two).set_by).toBe('all');
  });
});

test('a long tail of few pairs requires at most the score of identical pictures, so that the file can be read', () => {
  const impostor = scoreSet(
    Array.from({ length: 120 }, (_, i) => ({
      score: i < 12 ? 0.95 - i / 1000 : -i / 1000,
      first: i % 40,
      second: (i + 1 + (i % 7)) % 40,
    })),
  );
  const { thresholds } = calibrate({ ...input, groups: [{ group: { ...kind, impostor }, ...oneEach }] })!;
  for (const { cosine, extrapolated } of thresholds[0]!.points) {
    expect(Value.Check(Cosine, cosine)).toBe(true);
    expect(cosine).toBeLessThanOrEqual(1);
    expect(extrapolated).toBe(cosine > 0.95);
  }
});

test('too few pairs of people to count a rate require at least their best score', () => {
  // Two people with many frames, and three strangers: neither group can set a threshold of its own.
  const two = scoreSet([...Array(200)].map((_, i) => ({ score: 0.9 - i / 1000, first: 0, second: 1 })));
  const three = scoreSet(
    [0.1, 0.2, 0.3].map((score, i) => ({ score, first: 2 + i, second: 2 + ((i + 1) % 3) })),
  );
  const groups = [two, three].map((impostor) => ({ group: { ...kind, impostor }, ...oneEach }));
  const { points } = calibrate({ ...input, groups })!.thresholds[0]!;
  for (const { cosine } of points) expect(cosine).toBeGreaterThan(0.9);
});

describe('all groups together', () => {
  /** Samples on a circle, `samples` per person. The angle between them determines the strangers' scores. */
  const strangers = (people: number, samples: number, from: number) =>
    allStrangers(
      Array.from({ length: people * samples }, (_, i) => ({
        person: from + (i % people),
        vector: Float32Array.of(Math.cos(i), Math.sin(i)),
      })),
    );

  test("a group's weight is its number of pairs of people, even if only its best scores are kept", () => {
    // 718,200 comparisons, nine for every two people, of which one eighth is kept.
    const large = strangers(400, 3, 0);
    // 30,000 comparisons of three pairs of people, which must count as 27.
    const small = strangers(3, 100, 400);
    expect(large.scores.length).toBeLessThan(large.count);
    expect(pool([large, small]).count).toBe(large.count + 3 * 9);
  });
});

test('names the code that made the templates', () => {
  expect(calibrate({ ...input, groups: [{ group: kind, ...oneEach }] })).toMatchObject({ code: input.code });
});
