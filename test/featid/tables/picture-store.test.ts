// Pictures that wait for a worker: accounts take turns.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPictureStore } from '../../../src/featid/tables/picture-store.ts';
import { createTestFoundation, type TestFoundation } from '../../support/foundation.ts';

const MOST = { ofAll: 10, ofAccount: 4 };

let foundation: TestFoundation;
beforeAll(async () => {
  foundation = await createTestFoundation();
});
afterAll(() => foundation.close());

it('reads the first picture of an account before the second one of another', async () => {
  const { db } = foundation.database;
  const store = createPictureStore(db);
  const accountOf = async (name: string) => {
    const made = await foundation.accounts.create({ name }, 'test');
    if (made.status !== 'created') throw new Error(made.status);
    return made.accountId;
  };
  const [many, one] = [await accountOf('sends many'), await accountOf('sends one')];
  const submit = (id: string, accountId: string) => {
    const sealed = { sealedPicture: Buffer.alloc(8), erasureKey: randomBytes(32) };
    return store.submit({ id, accountId, actor: 'test', ...sealed }, MOST);
  };
  for (const id of ['a1', 'a2', 'a3', 'a4']) expect(await submit(id, many)).toBe(true);
  expect(await submit('a5', many)).toBe(false);
  expect(await submit('b1', one)).toBe(true);
  // The order in which the queue hands out its jobs.
  const { rows } = await sql<{ picture: string }>`
    select payload->>'picture' as picture from graphile_worker._private_jobs order by priority, run_at, id`.execute(
    db,
  );
  expect(rows.map(({ picture }) => picture)).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});
