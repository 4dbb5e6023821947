// Judgements that wait in memory for a device: few, and not for long.
import { afterEach, expect, it, vi } from 'vitest';
import { createKeptJudgements } from '../../src/jobs/kept-judgements.ts';
import type { Judged } from '../../src/jobs/settle.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Only its identity counts here. */
const someJudged = () => ({}) as Judged;

it('has each judgement until it is forgotten', () => {
  const kept = createKeptJudgements();
  const judged = someJudged();
  kept.keep('a', judged);
  expect(kept.find('b')).toBeNull();
  expect(kept.find('a')).toBe(judged);
  kept.forget('a');
  expect(kept.find('a')).toBeNull();
});

it('drops the oldest for the seventeenth', () => {
  const kept = createKeptJudgements();
  for (let i = 0; i < 17; i++) kept.keep(String(i), someJudged());
  expect(kept.find('0')).toBeNull();
  for (let i = 1; i < 17; i++) expect(kept.find(String(i))).not.toBeNull();
});

it('drops each after two minutes', () => {
  vi.useFakeTimers();
  const kept = createKeptJudgements();
  kept.keep('a', someJudged());
  vi.advanceTimersByTime(60_000);
  kept.keep('b', someJudged());
  vi.advanceTimersByTime(60_000);
  expect(kept.find('a')).toBeNull();
  expect(kept.find('b')).not.toBeNull();
  kept.keep('b', someJudged());
  vi.advanceTimersByTime(60_000);
  expect(kept.find('b')).not.toBeNull();
});
