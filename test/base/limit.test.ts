import { expect, test } from 'vitest';
import { createLimit } from '../../src/base/limit.ts';

test('at most so many run at once, owners take turns, and a failure gives its place on', async () => {
  const limit = createLimit(2);
  const order: string[] = [];
  let running = 0;
  const work = (name: string, owner: string) =>
    limit(async () => {
      running += 1;
      expect(running).toBeLessThanOrEqual(2);
      order.push(name);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      if (name === 'a3') throw new Error(name);
    }, owner);
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2'].map((name) => work(name, name[0]!));
  const settled = await Promise.allSettled(all);
  expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});
