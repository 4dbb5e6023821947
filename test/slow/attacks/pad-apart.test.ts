// Limits fitted on some persons and tested on another.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accepts, apartSection, fit, foldsOf, type Presented, presented } from '../../../bench/pad-apart.ts';
import type { Met } from '../../../bench/pad-people.ts';
import { heldSmile } from '../../../bench/pad-smiles.ts';
import { atLeast, atMost, type Cue, notEvaluated } from '../../../src/evaluation/liveness/cue.ts';
import { fuse } from '../../../src/evaluation/liveness/fusion.ts';
import { ANSWER_CHECKS } from '../../../src/evaluation/liveness/prompt-checks.ts';
import {
  evidence,
  type Look,
  neutralFace,
  observe,
  SCRIPT,
  SMILE,
} from '../../evaluation/liveness/evidence.ts';

/** A presentation with this sharpness and standstill, at the product's limits of 0.075 and 200 ms. */
function met(
  subject: string,
  species: string | null,
  sharpness: number,
  {
    standstillMs = 0,
    rigid = notEvaluated('not_applicable'),
    smile = 1,
    heldSmile = null as number | null,
  } = {},
): Met {
  const cues: Cue[] = [
    { cue: 'sharpness', ...atLeast(sharpness, 0.075, 'blurred') },
    { cue: 'picture_alive', ...atMost(standstillMs, 200, 'view_broken') },
    { cue: 'rigid', ...rigid },
    { cue: 'smile', ...atLeast(smile, 1, 'smile_missing') },
  ];
  const { liveness } = fuse(cues);
  const outcome = liveness.overall ? 'accepted' : 'sentBack';
  const measured = { luma: 120, eyeDistancePx: 80, burntShare: 0 };
  return { subject, species, kind: null, liveness, outcome, cues, measured, heldSmile } as unknown as Met;
}

const accepted = (rows: readonly Presented[], limits: readonly number[]) =>
  rows.map((row) => accepts(row, limits));

test('the product’s verdict is that of its own limits', () => {
  const rows = [
    met('Ada', null, 0.2),
    met('Ada', null, 0.075, { standstillMs: 200 }),
    met('Ada', null, 0.07),
    met('Ada', null, 0.2, { standstillMs: 201 }),
    met('Ada', null, 0.2, { smile: 0 }),
    met('Ada', null, 0.2, { rigid: notEvaluated('too_dark') }),
    { ...met('Ada', null, 0.2), liveness: null, outcome: 'sentBack', cues: [] } as Met,
  ];
  const verdicts = presented(rows).map((row) => accepts(row, row.limits));
  expect(verdicts).toEqual([true, true, false, false, false, false, false]);
  expect(verdicts).toEqual(rows.map(({ outcome }) => outcome === 'accepted'));
});

test('limits that separate people from attacks are found, whichever way the gates pass', () => {
  const rows = presented([
    met('Ada', null, 0.3, { standstillMs: 300 }),
    met('Bob', null, 0.4),
    met('Eve', 'print', 0.2),
    met('Eve', 'loop', 0.5, { standstillMs: 400 }),
  ]);
  const limits = fit(rows);
  expect(accepted(rows, limits)).toEqual([true, true, false, false]);
  expect(limits.filter(Number.isFinite)).toEqual([(0.2 + 0.3) / 2, -(300 + 400) / 2]);
});

/** A face that smiles by this share of a clear smile. */
function smiling(share: number): Look {
  const rest = neutralFace();
  const measures = Object.keys(SMILE) as (keyof typeof SMILE)[];
  return Object.fromEntries(
    measures.map((measure) => [measure, rest[measure] + share * (SMILE[measure] - rest[measure])]),
  );
}

test('the strength of a smile reaches the limit where the judgement sees a smile, and nowhere else', () => {
  const smileCheck = ANSWER_CHECKS.find(({ cue }) => cue === 'smile')!;
  const seen = { smiles: 0, others: 0 };
  const shares = fc.array(fc.double({ min: 0.5, max: 1.2, noNaN: true }), { minLength: 25, maxLength: 25 });
  fc.assert(
    fc.property(shares, (inTurn) => {
      const observations = observe(3000, (timeMs) =>
        timeMs < 1040 ? {} : smiling(inTurn[(timeMs - 1040) / 80]!),
      );
      const given = evidence({ observations });
      const passes = smileCheck.run(given).status === 'passed';
      seen[passes ? 'smiles' : 'others']++;
      expect(heldSmile({ status: 'gathered', evidence: given, regions: {} }, SCRIPT)! >= 1).toBe(passes);
    }),
  );
  expect(Math.min(seen.smiles, seen.others)).toBeGreaterThan(5);
});

test('a smile is fitted by its strength, unless something else than that decided', () => {
  const rows = presented([
    met('Ada', null, 0.3, { smile: 0, heldSmile: 0.7 }),
    met('Bob', null, 0.3, { heldSmile: 1.4 }),
    met('Cid', null, 0.3, { smile: 0, heldSmile: 1.2 }),
    met('Eve', 'print', 0.3, { smile: 0, heldSmile: 0.3 }),
  ]);
  expect(rows.map((row) => accepts(row, row.limits))).toEqual([false, true, false, false]);
  const limits = fit(rows);
  expect(limits.filter(Number.isFinite)).toEqual([(0.3 + 0.7) / 2]);
  expect(accepted(rows, limits)).toEqual([true, true, false, false]);
});

test('where a limit changes nothing there is none, and what others refuse is not undone', () => {
  const rows = presented([
    met('Ada', null, 0.3),
    met('Ada', null, 0.1, { smile: 0 }),
    met('Eve', 'print', 0.3),
  ]);
  const limits = fit(rows);
  expect(limits.some(Number.isFinite)).toBe(false);
  expect(accepted(rows, limits)).toEqual([true, false, true]);
});

test('every presentation is tested once, and attacks on a person’s face with that person', () => {
  const rows = presented([
    met('Bob', null, 0.3),
    met('Ada', null, 0.3),
    ...['Ada', 'Eve', 'Ida', 'Bob', 'Joe', 'Eve'].map((subject) => met(subject, 'print', 0.2)),
  ]);
  const folds = foldsOf(rows);
  expect(folds.map((own) => own.map(({ subject }) => subject))).toEqual([
    ['Ada', 'Ada', 'Eve', 'Joe', 'Eve'],
    ['Bob', 'Ida', 'Bob'],
  ]);
});

test('a person unlike the others is lost only when left out', () => {
  const { columns, rows } = apartSection('Bench', [
    ...['Ada', 'Bob', 'Cid'].map((subject) => met(subject, null, 0.5)),
    met('Zoe', null, 0.3),
    ...['Eve', 'Ida', 'Joe', 'Kim'].map((subject, i) => met(subject, 'print', i === 0 ? 0.38 : 0.1)),
    ...['Eve', 'Ida', 'Joe', 'Kim'].map((subject) => met(subject, 'loop', 0.25)),
    { ...met('Zoe', null, 0.5), measured: null },
  ]);
  const column = (name: string) => rows.map((row) => row[columns.indexOf(name)]);
  expect(column('honest takes')).toEqual(['4', '4', '4', '4']);
  expect(column('first try')).toEqual(['100.0 %', '100.0 %', '100.0 %', '75.0 %']);
  expect(column('attacks')).toEqual(['8', '8', '8', '8']);
  expect(column('accepted')[0]).toBe('100.0 %');
  expect(column('mean over species')[2]).toBe('12.5 %');
});
