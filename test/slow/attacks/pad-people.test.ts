// Where a bona fide take is counted: within the limits that the product states, or beyond them.
import { expect, test } from 'vitest';
import { WEAR_GLASSES } from '../../../bench/attacks/sources.ts';
import { type Measured, type Met, peopleSection } from '../../../bench/pad-people.ts';

const USUAL: Measured = { luma: 120, eyeDistancePx: 80, burntShare: 0 };

const met = (
  kind: string,
  measured: Measured | null,
  outcome: Met['outcome'],
  species: string | null = null,
) => ({ kind, measured, outcome, species, subject: kind, reasons: ['too_dark'] }) as unknown as Met;

test('takes are placed by what was measured in them, whatever their environment is called', () => {
  const { columns, rows } = peopleSection('Bench', [
    met('dim', USUAL, 'accepted'),
    met('dim', { ...USUAL, luma: 39 }, 'sentBack'),
    met('far', { ...USUAL, eyeDistancePx: 39 }, 'sentBack'),
    met('bright', { ...USUAL, burntShare: 0.3 }, 'refused'),
    met('hidden', null, 'sentBack'),
    met('print', USUAL, 'accepted', 'print'),
  ]);
  const at = (name: string) => columns.indexOf(name);
  const line = (kind: string, limits: string) =>
    rows.find((row) => row[at('environment')] === kind && row[at('limits')] === limits);
  expect(line('all', 'within')?.[at('n')]).toBe('1');
  expect(line('all', 'within')?.[at('first try')]).toBe('100.0 %');
  expect(line('all', 'beyond')?.[at('n')]).toBe('4');
  expect(line('all', 'beyond')?.[at('refused for good')]).toBe('1');
  expect(line('dim', 'within')?.[at('luma')]).toBe('120–120');
  expect(line('dim', 'beyond')?.[at('luma')]).toBe('39–39');
  expect(line('hidden', 'beyond')?.[at('luma')]).toBe('–');
  expect(rows.some((row) => row[at('environment')] === 'print')).toBe(false);
  expect(line('with glasses', 'within')).toBeUndefined();
});

test('people with glasses have a row of their own', () => {
  const subject = [...WEAR_GLASSES][0]!;
  const { rows } = peopleSection('Bench', [
    { ...met('dim', USUAL, 'accepted'), subject },
    { ...met('far', USUAL, 'sentBack'), subject },
    met('dim', USUAL, 'accepted'),
  ]);
  expect(rows.find(([name]) => name === 'with glasses')).toEqual(
    expect.arrayContaining(['within', '2', '50.0 %']),
  );
});
