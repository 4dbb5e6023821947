// Pooled arrays: each has one user at a time and is reused afterwards.
import { expect, test } from 'vitest';
import { withScratch, withScratchSync } from '../../src/evaluation/scratch.ts';

/** A length that no other code requests. */
const LENGTH = 77_777;

test("an array has one user until that user's work has ended", async () => {
  const lent: Float32Array[] = [];
  const work = async (mark: number) =>
    withScratch(LENGTH, async (array) => {
      lent.push(array);
      array.fill(mark);
      await new Promise((resolve) => setTimeout(resolve, 5));
      withScratchSync(LENGTH, (inner) => inner.fill(-1));
      return array.every((value) => value === mark);
    });
  expect(await Promise.all([1, 2, 3].map(work))).toEqual([true, true, true]);
  expect(new Set(lent).size).toBe(3);
  expect(withScratchSync(LENGTH, (array) => array.length)).toBe(LENGTH);
});

test('an array is reused, even after failed work', async () => {
  const lent: Float32Array[] = [];
  const failing = (array: Float32Array) => {
    lent.push(array);
    throw new RangeError('no');
  };
  await expect(withScratch(LENGTH + 1, async (array) => failing(array))).rejects.toThrow(RangeError);
  expect(() => withScratchSync(LENGTH + 1, failing)).toThrow(RangeError);
  await withScratch(LENGTH + 1, async (array) => lent.push(array));
  expect(new Set(lent).size).toBe(1);
});
