// An account newer than the tables' statistics: PostgreSQL takes it for one that has nothing.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { findChallenge } from '../../src/storage/postgres/challenge-reads.ts';
import { createFeatidStore } from '../../src/storage/postgres/featid-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { rowsRead } from './rows-read.ts';

const OLD_ROWS = 20_000;
const NEW_ROWS = 3_000;
const idOf = (kind: string, n: number) => `${kind}_${String(n).padStart(26, '0')}`;
const account = newId('account');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await sql`alter table challenge set (autovacuum_enabled = false)`.execute(db);
  await sql`alter table featid set (autovacuum_enabled = false)`.execute(db);
  const old = Array.from({ length: 20 }, () => newId('account'));
  await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
    select id, id, 'A shop', '', 'k' from unnest(${[...old, account]}::text[]) id`.execute(db);
  const fill = async (owners: string[], from: number, to: number) => {
    await sql`insert into challenge (id, account_id, status, public_request, sealed_request, link_hash, created_at, expires_at)
      select 'ch_' || lpad(n::text, 26, '0'), (${owners}::text[])[1 + n % ${owners.length}::int], 'created', '{}', '',
        sha256(n::text::bytea), now(), now() + interval '1 day'
      from generate_series(${from}::int, ${to}::int) n`.execute(db);
    await sql`insert into featid (id, account_id, challenge_id, pack, layout, sealed_template, key_check)
      select 'fid_' || lpad(n::text, 26, '0'), (${owners}::text[])[1 + n % ${owners.length}::int],
        'ch_' || lpad(n::text, 26, '0'), 'pack', 1, '\\x01', '' from generate_series(${from}::int, ${to}::int) n`.execute(
      db,
    );
  };
  await fill(old, 1, OLD_ROWS);
  await sql`vacuum (analyze) challenge, featid`.execute(db);
  await fill([account], OLD_ROWS + 1, OLD_ROWS + NEW_ROWS);
});
afterAll(() => database?.drop());

it('has one of its FeatureIDs found without all being read', async () => {
  const ids = [1, 2, 3].map((n) => idOf('fid', OLD_ROWS + n));
  const { read, answer } = await rowsRead(database.db, 'featid', (trx) =>
    createFeatidStore(trx).findMany(account, ids, 32),
  );
  expect(answer.map(({ pack }) => pack)).toEqual(['pack', 'pack', 'pack']);
  expect(read).toBeLessThanOrEqual(ids.length);
});

it('has one of its challenges found without all being read', async () => {
  const { read } = await rowsRead(database.db, 'challenge', (trx) =>
    findChallenge(trx, account, idOf('ch', OLD_ROWS + 7)),
  );
  expect(read).toBe(1);
});
