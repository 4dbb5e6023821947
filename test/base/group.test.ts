// Group commits: which writes wait for which, and which writes a failure affects.
import { describe, expect, test } from 'vitest';
import { createGroup } from '../../src/base/group.ts';

/** A writer whose batches end when the test says so. */
function heldWriter() {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const write = async (items: readonly string[]) => {
    batches.push([...items]);
    await new Promise<void>((done) => ends.push(done));
    return items.map((item) => `${item} written`);
  };
  return { batches, write, endNext: () => ends.shift()!() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a group commit', () => {
  test('starts a lone write at once and batches the writes that arrive meanwhile', async () => {
    const { batches, write, endNext } = heldWriter();
    const commit = createGroup({ maxBatch: 10, work: write });
    const answers = ['a', 'b', 'c'].map((item) => commit(item));
    expect(batches).toEqual([['a']]);
    endNext();
    expect(await answers[0]).toBe('a written');
    await settled();
    expect(batches).toEqual([['a'], ['b', 'c']]);
    endNext();
    expect(await Promise.all(answers)).toEqual(['a written', 'b written', 'c written']);
  });

  test('limits a batch to its maximum and to one item per key, in order of arrival', async () => {
    const { batches, write, endNext } = heldWriter();
    const commit = createGroup({ maxBatch: 2, work: write, keyOf: (item) => item[0]! });
    const answers = ['x', 'a1', 'a2', 'b1', 'a3'].map((item) => commit(item));
    for (let batch = 0; batch < 4; batch++) {
      await settled();
      endNext();
    }
    await Promise.all(answers);
    expect(batches).toEqual([['x'], ['a1', 'b1'], ['a2'], ['a3']]);
  });

  test('fails only the items of a failed batch, and runs the next batch', async () => {
    let calls = 0;
    const commit = createGroup<string, string>({
      maxBatch: 10,
      work: async (items) => {
        if (calls++ === 0) throw new Error('lost');
        return items;
      },
    });
    const answers = await Promise.allSettled(['first', 'good', 'fine'].map((item) => commit(item)));
    expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
      'Error: lost',
      'good',
      'fine',
    ]);
  });
});
