// Error rates of presentation attack detection against counts by hand, and the list of labelled files against hostile
// text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/lab/csv.ts';
import { parseManifest } from '../../src/lab/pad-manifest.ts';
import { acceptedPerChallenge, type Outcome, type Presentation, shareOf } from '../../src/lab/pad-rates.ts';

const outcome = fc.constantFrom<Outcome>('accepted', 'refused', 'sentBack');
const presentation = fc.record({
  species: fc.constantFrom(null, 'still'),
  subject: fc.constantFrom('a', 'b', 'c', 'd'),
  outcome,
});
const presentations = fc.array(presentation, { minLength: 1, maxLength: 40 });
const isAccepted = (one: Presentation) => one.outcome === 'accepted';
const of = (subject: string, ...outcomes: Outcome[]): Presentation[] =>
  outcomes.map((ended) => ({ species: 'still', subject, outcome: ended }));

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
        const own = all.filter(({ subject }) => subject === 'a');
        if (own.length === 0) return;
        expect(acceptedPerChallenge(own).rate).toBeGreaterThanOrEqual(shareOf(own, isAccepted).rate - 1e-12);
      }),
    );
    const uneven = [...of('a', 'accepted'), ...of('b', 'refused', 'refused', 'refused')];
    expect(acceptedPerChallenge(uneven).rate).toBe(0.5);
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
