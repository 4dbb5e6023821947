// The checks of section 1 of the assurance report, as the document lists them.
import { expect, it } from 'vitest';
import { CHECKS } from '../../../src/evaluation/liveness/checks.ts';
import { publishedChecks } from '../../../src/lab/assurance/published-checks.ts';

it('reads every check, with what it measures and what passes', () => {
  const checks = publishedChecks()!;
  expect(checks.map(({ check }) => check)).toEqual(CHECKS.map(({ cue }) => cue));
  expect(checks.every((each) => Object.values(each).every((cell) => cell !== ''))).toBe(true);
});

it('knows a deployment without the document', () => {
  expect(publishedChecks(import.meta.dirname)).toBeNull();
});
