// Error rates of presentation attack detection against counts by hand, and the list of labelled files against hostile
// text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/lab/csv.ts';
import type { JudgedRow } from '../../src/lab/pad-judge.ts';
import { parseManifest } from '../../src/lab/pad-manifest.ts';
import { acceptedPerChallenge, type Outcome, type Presentation, shareOf } from '../../src/lab/pad-rates.ts';
import { padReport, padTable } from '../../src/lab/pad-report.ts';

const outcome = fc.constantFrom<Outcome>('accepted', 'refused', 'sentBack');
const presentation = fc.record({
  species: fc.constantFrom(null, 'still'),
  kind: fc.constantFrom(null, 'dim'),
  subject: fc.constantFrom('a', 'b', 'c', 'd'),
  outcome,
});
const presentations = fc.array(presentation, { minLength: 1, maxLength: 40 });
const isAccepted = (one: Presentation) => one.outcome === 'accepted';
const of = (subject: string, ...outcomes: Outcome[]): Presentation[] =>
  outcomes.map((ended) => ({ species: 'still', kind: null, subject, outcome: ended }));
/** Honest presentations of one kind. */
const honest = (subject: string, kind: string, ...outcomes: Outcome[]): Presentation[] =>
  of(subject, ...outcomes).map((one) => ({ ...one, species: null, kind }));

describe('a share of presentations', () => {
  test('is the count over n, inside its interval, in any order', () => {
    fc.assert(
      fc.property(presentations, (all) => {
        const { n, count, rate, subjects, interval } = shareOf(all, isAccepted);
        expect(rate).toBe(all.filter(isAccepted).length / all.length);
        expect({ n, count }).toEqual({ n: all.length, count: all.filter(isAccepted).length });
        expect(subjects).toBe(new Set(all.map(({ subject }) => subject)).size);
        expect(interval[0]).toBeLessThanOrEqual(rate);
        expect(interval[1]).toBeGreaterThanOrEqual(rate);
        expect(interval[0]).toBeGreaterThanOrEqual(0);
        expect(interval[1]).toBeLessThanOrEqual(1);
        expect(shareOf(all.toReversed(), isAccepted).rate).toBe(rate);
      }),
    );
  });

  test('is uncertain for few subjects, however often they were presented', () => {
    const often = shareOf(of('a', ...Array<Outcome>(200).fill('refused')), isAccepted);
    const many = shareOf(Array.from({ length: 200 }, (_, i) => of(String(i), 'refused')).flat(), isAccepted);
    expect(often.interval[1]).toBeGreaterThan(0.9);
    expect(many.interval[1]).toBeLessThan(0.02);
  });

  test('of no presentations is unknown', () => {
    expect(shareOf([], isAccepted)).toMatchObject({ n: 0, interval: [0, 1] });
  });
});

describe('a challenge with three tries', () => {
  test('adds a try for every presentation that is sent back', () => {
    expect(acceptedPerChallenge(of('a', 'accepted', 'sentBack')).rate).toBeCloseTo(0.5 + 0.25 + 0.125, 12);
    expect(acceptedPerChallenge(of('a', 'accepted', 'refused')).rate).toBeCloseTo(0.5, 12);
    expect(acceptedPerChallenge(of('a', 'sentBack', 'sentBack')).rate).toBe(0);
    // The better of two: accepted in 3 of 4 pairs, refused in the other.
    expect(acceptedPerChallenge(of('a', 'accepted', 'refused'), 2).rate).toBeCloseTo(0.75, 12);
  });

  test('is never harder to pass than one try, and counts each subject once', () => {
    fc.assert(
      fc.property(presentations, (all) => {
        const own = all.filter(({ subject, kind }) => subject === 'a' && kind === null);
        if (own.length < 2) return;
        expect(acceptedPerChallenge(own).rate).toBeGreaterThanOrEqual(shareOf(own, isAccepted).rate - 1e-12);
      }),
    );
    const uneven = [...of('a', 'accepted'), ...of('b', 'refused', 'refused', 'refused')];
    expect(acceptedPerChallenge(uneven).rate).toBe(0.5);
  });

  test('is unknown where nobody was presented twice in one condition', () => {
    const once = [...honest('a', 'dim', 'sentBack'), ...honest('a', 'usual', 'accepted')];
    expect(acceptedPerChallenge([...once, ...of('b', 'accepted')])).toEqual({
      rate: Number.NaN,
      interval: [0, 1],
    });
  });

  test('takes nobody from the dark to the light for another try', () => {
    const dim = honest('a', 'dim', 'sentBack', 'sentBack');
    const all = [...dim, ...honest('a', 'usual', 'accepted', 'accepted')];
    expect(acceptedPerChallenge(all).rate).toBe(0.5);
    const rates = (one: readonly Presentation[]) => acceptedPerChallenge(one).rate;
    const kinds = (one: readonly Presentation[], name: string | null) =>
      one.filter(({ kind }) => kind === name);
    fc.assert(
      fc.property(presentations, (drawn) => {
        // Of one subject and twice of everything: the whole is between its conditions.
        const twice = drawn.map((one) => ({ ...one, subject: 'a' })).flatMap((one) => [one, one]);
        const each = [null, 'dim'].map((kind) => kinds(twice, kind)).filter(({ length }) => length > 0);
        const mean = each.reduce((sum, one) => sum + rates(one), 0) / each.length;
        expect(rates(twice)).toBeCloseTo(mean, 12);
      }),
    );
  });
});

describe('the tables', () => {
  const judged = (all: readonly Presentation[]): JudgedRow[] =>
    all.map((one, i) => ({
      ...one,
      file: `${i}.webm`,
      scriptFile: null,
      liveness: null,
      smileAsked: false,
      reasons: one.outcome === 'accepted' ? [] : ['too_dark'],
      cues: [],
    }));
  const rows = judged([
    ...of('a', 'accepted', 'sentBack'),
    ...of('b', 'refused', 'refused'),
    ...['a', 'b', 'c'].flatMap((subject) =>
      of(subject, 'accepted').map((one) => ({ ...one, species: 'mask' })),
    ),
    ...honest('a', 'dim', 'sentBack', 'sentBack'),
    ...honest('a', 'usual', 'accepted', 'refused'),
  ]);
  const column = (table: readonly string[][], name: string, nth = 0) => {
    const places = table[0]!.flatMap((heading, place) => (heading === name ? [place] : []));
    return Object.fromEntries(table.slice(1).map((line) => [line[0], line[places[nth]!]]));
  };

  test('give APCER by species, the worst first, then BPCER, with presentations and subjects', () => {
    const table = padTable(rows);
    expect(column(table, 'APCER / BPCER')).toEqual({
      mask: '100.0 %',
      still: '25.0 %',
      'bona fide': '25.0 %',
      'bona fide: dim': '0.0 %',
      'bona fide: usual': '50.0 %',
    });
    expect(table.slice(1).map(([name]) => name)).toEqual(Object.keys(column(table, 'n')));
    expect(table.slice(1, 3).map(([name]) => name)).toEqual(['mask', 'still']);
    expect(column(table, 'n')).toMatchObject({ mask: '3', still: '4', 'bona fide': '4' });
    expect(column(table, 'subjects')).toMatchObject({ mask: '3', still: '2', 'bona fide': '1' });
    expect(column(table, 'sent back')).toMatchObject({ still: '25.0 %', 'bona fide': '50.0 %' });
    expect(column(table, 'commonest reasons')).toMatchObject({ mask: '', still: 'too_dark 3' });
    expect(
      padTable(rows, false)
        .map(([name]) => name)
        .slice(1),
    ).toEqual(['mask', 'still', 'bona fide']);
  });

  test('have a dash in place of an estimate that there is not', () => {
    const table = padTable(rows);
    expect(column(table, 'accepted in 3 tries')).toMatchObject({
      mask: '–',
      still: '43.8 %',
      'bona fide': '25.0 %',
      'bona fide: dim': '0.0 %',
    });
    expect(column(table, '95 %', 1).mask).toBe('–');
    expect(column(table, 'best of 6 each')).toMatchObject({ mask: '–', 'bona fide': '–' });
    expect(padReport(rows)).toMatchObject({
      species: { mask: { apcer: 1, per_challenge: { apcer: null, interval: [0, 1] } } },
      bona_fide: { bpcer: 0.25, per_challenge: { accepted: 0.25 } },
    });
  });
});

describe('the list of labelled files', () => {
  test('distinguishes labels, species, scripts and subjects', () => {
    const rows = parseManifest(
      'file,label,attack,script,subject\na.webm,real,,,\nb.mp4,Fake,replay (screen),b.json,luyt\nc.mp4,attack,,,x\n',
      'list.csv',
    );
    expect(rows).toEqual([
      { file: 'a.webm', species: null, kind: null, scriptFile: null, subject: 'a.webm' },
      { file: 'b.mp4', species: 'replay (screen)', kind: null, scriptFile: 'b.json', subject: 'luyt' },
      { file: 'c.mp4', species: 'unnamed', kind: null, scriptFile: null, subject: 'x' },
    ]);
  });

  test.each([
    ['', 'list.csv has no rows'],
    ['file,label\na,real\n', 'list.csv has no column attack'],
    ['file,label,attack\na,perhaps,\n', 'list.csv, line 2: the label perhaps'],
    ['file,label,attack\n,real,\n', 'list.csv, line 2: no file'],
    ['file,label,attack\n"a,real,\n', 'list.csv: Quote Not Closed'],
  ])('refuses %j and says what is wrong', (text, fault) => {
    expect(() => parseManifest(text, 'list.csv')).toThrow(fault);
  });

  test('reads or refuses any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(parseManifest(`file,label,attack\n${text}`, 'list.csv').length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
    );
  });
});
