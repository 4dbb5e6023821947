// After a rotation of the master key, none of the database's files contains what the old key opens. On a server of its
// own, because a checkpoint and the log affect the whole server.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../../../src/base/log.ts';
import { createMasterKeyRing, masterKeyId } from '../../../../src/keys/master-key-ring.ts';
import { rotateMaster } from '../../../../src/keys/rotate-master.ts';
import { serviceHolder } from '../../../../src/keys/service-holder.ts';
import { ensureServiceKey } from '../../../../src/keys/service-key.ts';
import { createAccountStore } from '../../../../src/keys/tables/account-store.ts';
import { dropOldWraps } from '../../../../src/keys/tables/old-wraps.ts';
import { createReceiptKeyStore } from '../../../../src/keys/tables/receipt-key-store.ts';
import { createServiceKeyStore } from '../../../../src/keys/tables/wrapped-keys.ts';
import { type OpenDatabase, openDatabase } from '../../../../src/storage/open-database.ts';
import { filesWith, type Secrets } from '../../../support/secret-search.ts';

const [old, next] = [randomBytes(32), randomBytes(32)];
/** Enough for the server to keep statistics of their columns. */
const ACCOUNTS = 60;
let dataDir: string;
let database: OpenDatabase;
let oldWraps: Secrets;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-wraps-'));
  await chmod(dataDir, 0o755);
  database = await openDatabase({ dataDir }, createLogger({ level: 'silent', process: 'test' }));
  const { db } = database;
  const ring = createMasterKeyRing([old]);
  for (let count = 0; count < ACCOUNTS; count++) {
    const id = `acct_${count}`;
    const { wrapped, masterKeyId } = await ring.wrap(id, randomBytes(32));
    const row = { id, name: id, display_name: id, wrapped_key: wrapped, master_key_id: masterKeyId };
    await db.insertInto('account').values(row).execute();
  }
  const key = await ring.wrap('rk_1', randomBytes(32));
  await createReceiptKeyStore(db).insertFirst({ id: 'rk_1', key });
  await ensureServiceKey(ring, createServiceKeyStore(db), serviceHolder('test'));
  await sql`analyze`.execute(db);
  await sql`checkpoint`.execute(db);
  const { rows } = await sql<{ id: string; wrapped_key: Buffer }>`
    select id, wrapped_key from account union all select id, wrapped_key from receipt_key
    union all select id, wrapped_key from service_key`.execute(db);
  oldWraps = Object.fromEntries(rows.map((row) => [row.id, row.wrapped_key]));
});
afterAll(async () => {
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const filesWithOld = () => filesWith(join(dataDir, 'postgres', 'cluster'), oldWraps);

test('what the old master key opens is off the disk once no old transaction can read it', async () => {
  const { db } = database;
  const masterKeys = createMasterKeyRing([next, old]);
  const dump = new pg.Client({ connectionString: database.connectionString });
  await dump.connect();
  try {
    await dump.query('begin isolation level repeatable read');
    const seen = async () =>
      (await dump.query(`select from account where master_key_id = '${masterKeyId(old)}'`)).rowCount;
    expect(await seen()).toBe(ACCOUNTS);
    for (const store of [createAccountStore(db), createReceiptKeyStore(db)])
      expect((await rotateMaster({ masterKeys, store }, 'operator')).failed).toEqual([]);
    expect(await dropOldWraps(db)).toBe('inUse');
    expect(await seen()).toBe(ACCOUNTS);
    await dump.query('commit');
  } finally {
    await dump.end();
  }
  // Rotated, but not gone: the old rows are still in their pages.
  expect(filesWithOld()).not.toEqual([]);
  expect(await dropOldWraps(db)).toBe('dropped');
  expect(filesWithOld()).toEqual([]);
  const left = await db.selectFrom('account').select('master_key_id').execute();
  expect(left).toEqual(Array.from({ length: ACCOUNTS }, () => ({ master_key_id: masterKeyId(next) })));
}, 60_000);
