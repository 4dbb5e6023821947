// The console's search for challenges by an account's name: it finds all of them, each once, and reads no others on the
// way.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { ChallengeSearch } from '../../../src/console/tables/challenge-search.ts';
import { challengeReadings } from '../../../src/console/tables/challenges.ts';
import { rowsRead } from '../../storage/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const SHOP_ROWS = 120;
const BUSY_ROWS = 20_000;
let database: TestDatabase;

/** Alternating challenges of two shops, followed by as many of a busy account. Clocks differ by up to 9 s. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const [shop, second, busy] = [newId('account'), newId('account'), newId('account')];
  await sql`insert into account (id, name, display_name, wrapped_key, master_key_id) values
    (${shop}, 'the shop', '', '', 'k'), (${second}, 'second shop', '', '', 'k'), (${busy}, 'busy', '', '', 'k')`.execute(
    db,
  );
  await sql`insert into challenge (id, account_id, status, closed_reason, public_request, sealed_request, link_hash,
      overall_result, created_at, expires_at, closed_at)
    select 'ch_' || lpad(n::text, 26, '0'), case when n > ${SHOP_ROWS} then ${busy} when n % 2 = 0 then ${shop} else ${second} end,
      status, nullif(status, 'created'), '{}', '', sha256(n::text::bytea), case when status = 'completed' then 'pass' end,
      now() + (n - n * 7 % 10) * interval '1 second', now() + interval '1 day', case when status <> 'created' then now() end
    from (select n, (array['created', 'completed', 'expired'])[1 + n % 3] as status
      from generate_series(1, ${SHOP_ROWS + BUSY_ROWS}::int) n) row`.execute(db);
  await sql`insert into erasure_key (slot, id, key)
    select 0, id, '\\x01' from challenge where id <= 'ch_' || lpad(${SHOP_ROWS}::text, 26, '0')`.execute(db);
  await sql`vacuum (analyze) challenge`.execute(db);
});
afterAll(() => database?.drop());

const shops: ChallengeSearch = { text: { text: 'shop', referenceTags: [] }, limit: 7 };

/** Ids of all pages; `between` is called with each cursor before it is used. */
async function pagesOf(search: ChallengeSearch, between: (cursor: string) => unknown = () => {}) {
  const readings = challengeReadings(database.db);
  const ids: string[] = [];
  for (let beforeId: string | undefined; ; ) {
    const page = await readings.searchChallenges({ ...search, ...(beforeId && { beforeId }) });
    for (const row of page.data) ids.push(row.id);
    if (!page.nextBeforeId) return ids;
    beforeId = page.nextBeforeId;
    await between(beforeId);
  }
}

const expected = async (where = sql`true`) => {
  const { rows } = await sql<{
    id: string;
  }>`select c.id from challenge c join account a on a.id = c.account_id
    where a.name like '%shop' and ${where} order by c.created_at desc, c.id desc`.execute(database.db);
  return rows.map(({ id }) => id);
};

it('lists each of them once, newest first, over all pages', async () => {
  const ids = await pagesOf(shops);
  expect(ids).toHaveLength(SHOP_ROWS);
  expect(ids).toEqual(await expected());
  expect(await pagesOf({ ...shops, status: 'expired' })).toEqual(await expected(sql`c.status = 'expired'`));
  expect(await pagesOf({ ...shops, result: 'pass' })).toEqual(await expected(sql`c.status = 'completed'`));
  expect(await pagesOf({ ...shops, text: { text: 'nobody', referenceTags: [] } })).toEqual([]);
});

it('reads no rows of an account that has created many since', async () => {
  const { read, answer } = await rowsRead(database.db, 'challenge', (trx) =>
    challengeReadings(trx).searchChallenges(shops),
  );
  expect(answer.data).toHaveLength(shops.limit);
  expect(read).toBeLessThan(100);
});

it('continues when the last challenge of a page is erased before the next page', async () => {
  const { db } = database;
  await sql`update challenge set created_at = '2026-01-01'::timestamptz + substr(id, 4)::int * interval '1 second'
    where id <= 'ch_' || lpad(${SHOP_ROWS}::text, 26, '0')`.execute(db);
  const all = await expected();
  expect(await pagesOf(shops, (id) => db.deleteFrom('challenge').where('id', '=', id).execute())).toEqual(
    all,
  );
  expect((await expected()).length).toBeLessThan(all.length);
});
