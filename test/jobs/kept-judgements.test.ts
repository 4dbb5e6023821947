// Judgements that wait in memory for a device: few, not for long, and each given back once.
import { afterEach, expect, it, vi } from 'vitest';
import { createKeptJudgements } from '../../src/jobs/kept-judgements.ts';
import type { Judged } from '../../src/jobs/settle.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Only its identity counts here. */
const someJudged = () => ({}) as Judged;

it('gives each judgement back once', () => {
  const kept = createKeptJudgements();
  const judged = someJudged();
  kept.keep('a', judged);
  expect(kept.take('b')).toBeNull();
  expect(kept.take('a')).toBe(judged);
  expect(kept.take('a')).toBeNull();
});

it('drops the oldest for the seventeenth', () => {
  const kept = createKeptJudgements();
  for (let i = 0; i < 17; i++) kept.keep(String(i), someJudged());
  expect(kept.take('0')).toBeNull();
  for (let i = 1; i < 17; i++) expect(kept.take(String(i))).not.toBeNull();
});

it('drops each after two minutes', () => {
  vi.useFakeTimers();
  const kept = createKeptJudgements();
  kept.keep('a', someJudged());
  vi.advanceTimersByTime(60_000);
  kept.keep('b', someJudged());
  vi.advanceTimersByTime(60_000);
  expect(kept.take('a')).toBeNull();
  expect(kept.take('b')).not.toBeNull();
});
