// An account newer than the table's statistics: PostgreSQL estimates that it has no rows.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { createFeatidStore } from '../../../src/featid/tables/store.ts';
import { rowsRead } from '../../storage/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const OLD_ROWS = 20_000;
const NEW_ROWS = 3_000;
const idOf = (n: number) => `fid_${String(n).padStart(26, '0')}`;
const account = newId('account');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await sql`alter table featid set (autovacuum_enabled = false)`.execute(db);
  const old = Array.from({ length: 20 }, () => newId('account'));
  await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
    select id, id, 'A shop', '', 'k' from unnest(${[...old, account]}::text[]) id`.execute(db);
  const fill = async (owners: string[], from: number, to: number) => {
    await sql`insert into featid (id, account_id, challenge_id, source, pack, layout, sealed_template, key_check)
      select 'fid_' || lpad(n::text, 26, '0'), (${owners}::text[])[1 + n % ${owners.length}::int],
        'ch_' || lpad(n::text, 26, '0'), 'image', 'pack', 1, '\\x01', '' from generate_series(${from}::int, ${to}::int) n`.execute(
      db,
    );
  };
  await fill(old, 1, OLD_ROWS);
  await sql`vacuum (analyze) featid`.execute(db);
  await fill([account], OLD_ROWS + 1, OLD_ROWS + NEW_ROWS);
});
afterAll(() => database?.drop());

it('finds one of its FeatureIDs without reading them all', async () => {
  const ids = [1, 2, 3].map((n) => idOf(OLD_ROWS + n));
  const { read, answer } = await rowsRead(database.db, 'featid', (trx) =>
    createFeatidStore(trx).findMany(account, ids, 32),
  );
  expect(answer.map(({ pack }) => pack)).toEqual(['pack', 'pack', 'pack']);
  expect(read).toBeLessThanOrEqual(ids.length);
});
