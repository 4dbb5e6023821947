import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { oneAtATime } from '../../../../src/storage/postgres/coordination/one-at-a-time.ts';
import { createDatabase } from '../../../../src/storage/postgres/database.ts';
import { createTestDatabase } from '../../../support/database.ts';

test('waiting callers leave a connection of the pool for the working one; after a failure the next one works', async () => {
  const database = await createTestDatabase();
  const small = createDatabase(database.url, { maxConnections: 2 });
  try {
    let [now, most] = [0, 0];
    const work = (fails: boolean) => async () => {
      now += 1;
      most = Math.max(most, now);
      await sql`select 1`.execute(small);
      now -= 1;
      if (fails) throw new Error('as it should');
    };
    const all = Array.from({ length: 6 }, (_, index) => oneAtATime(small, 'test', work(index === 2)));
    const ended = await Promise.allSettled(all);
    expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true, true]);
    expect(most).toBe(1);
  } finally {
    await small.destroy();
    await database.drop();
  }
}, 30_000);
