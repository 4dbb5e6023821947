// The console explains every check of the judgement, and none that does not exist.
import { expect, it } from 'vitest';
import { CHECKS } from '../../src/evaluation/liveness/checks.ts';
import { CUE_MEASURES } from '../../web/console/parts/cue-measures.ts';

it('every check of the judgement has a measure in the console', () => {
  const names = [...new Set(CHECKS.map(({ cue }) => cue))].sort();
  expect(Object.keys(CUE_MEASURES).sort()).toEqual(names);
});
