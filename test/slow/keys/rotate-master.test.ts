// Rotation of the master key on the real command line: killed in the middle and run again, it loses nothing.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFeatids } from '../../../src/featid/featids.ts';
import { insertFeatid } from '../../../src/featid/tables/keys.ts';
import { createFeatidStore } from '../../../src/featid/tables/store.ts';
import { createAccountKeys } from '../../../src/keys/account-keys.ts';
import { createMasterKeyRing, masterKeyId } from '../../../src/keys/master-key-ring.ts';
import { createAccountStore } from '../../../src/keys/tables/account-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ACCOUNTS = 800;
const PACK = 'test-pack-1';
const projectRoot = resolve(import.meta.dirname, '..', '..', '..');
const [old, next] = [randomBytes(32), randomBytes(32)];
const lost = createMasterKeyRing([randomBytes(32)]);
const [oldId, nextId] = [masterKeyId(old), masterKeyId(next)];
let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-rotate-'));
  const ring = createMasterKeyRing([old]);
  const rows = await Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, index) => {
      const id = `acct_${String(index).padStart(5, '0')}`;
      const { wrapped, masterKeyId } = await ring.wrap(id, randomBytes(32));
      return { id, name: id, display_name: id, wrapped_key: wrapped, master_key_id: masterKeyId };
    }),
  );
  await database.db.insertInto('account').values(rows).execute();
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

function startRotation(): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const { PATH, HOME } = process.env;
  const args = ['bin/likeness', 'keys', 'rotate-master', '--json'];
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: {
      PATH,
      HOME,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      MASTER_KEY: [next, old].map((key) => key.toString('base64')).join(','),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  return { child, ended: new Promise((done) => child.once('exit', (code) => done({ code, output }))) };
}

async function countByKey(): Promise<Record<string, number>> {
  const rows = await database.db
    .selectFrom('account')
    .select((eb) => ['master_key_id', eb.fn.countAll<number>().as('count')])
    .groupBy('master_key_id')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.master_key_id, row.count]));
}

const featidsUnder = (ring: ReturnType<typeof createMasterKeyRing>) =>
  createFeatids({
    keys: createAccountKeys({ masterKeys: ring, store: createAccountStore(database.db) }),
    store: createFeatidStore(database.db),
    region: 'au',
    usablePacks: [PACK],
  });

async function enrol(accountId: string): Promise<string> {
  const template = { packId: PACK, embedding: Float32Array.of(0.6, 0.8), regions: {}, frames: 5 };
  const made = await featidsUnder(createMasterKeyRing([old])).create({
    accountId,
    challengeId: null,
    template,
  });
  await database.db.transaction().execute((trx) => insertFeatid(trx, made.row));
  return made.featid;
}

test('killed in the middle and run again, puts every account under the new key and changes no string', async () => {
  const accounts = ['acct_00000', 'acct_00400', 'acct_00799'];
  const strings = await Promise.all(accounts.map(enrol));

  const { child, ended } = startRotation();
  await expect
    .poll(async () => (await countByKey())[nextId] ?? 0, { timeout: 60_000, interval: 5 })
    .toBeGreaterThan(20);
  child.kill('SIGKILL');
  expect((await ended).code).toBeNull();
  const { [nextId]: done = 0, [oldId]: left = 0 } = await countByKey();
  expect(done).toBeGreaterThan(0);
  expect(left).toBeGreaterThan(0);
  expect(done + left).toBe(ACCOUNTS);
  // Half-way, a process that holds both keys works as before.
  const both = featidsUnder(createMasterKeyRing([next, old]));
  for (const [at, accountId] of accounts.entries()) {
    expect(await both.check(accountId, [strings[at]!])).toMatchObject([{ ok: true }]);
  }

  const again = await startRotation().ended;
  expect(again.code).toBe(0);
  expect(JSON.parse(again.output)).toEqual({
    master_key_id: nextId,
    rewrapped: left,
    failed: [],
    old_wraps: expect.any(String),
  });
  expect(await countByKey()).toEqual({ [nextId]: ACCOUNTS });
  const alone = featidsUnder(createMasterKeyRing([next]));
  for (const [at, accountId] of accounts.entries()) {
    expect(await alone.openAll(accountId, [strings[at]!])).toMatchObject([{ ok: true }]);
  }
  const audited = await database.db
    .selectFrom('audit')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('action', '=', 'account.key_rewrapped')
    .executeTakeFirstOrThrow();
  expect(audited.count).toBe(ACCOUNTS);
}, 120_000);

test('an account whose key is lost is named, and does not stop the others', async () => {
  const wrap = async (ring: typeof lost, id: string) => {
    const { wrapped, masterKeyId } = await ring.wrap(id, randomBytes(32));
    return { id, name: id, display_name: id, wrapped_key: wrapped, master_key_id: masterKeyId };
  };
  const rows = [await wrap(lost, 'acct_x'), await wrap(createMasterKeyRing([old]), 'acct_y')];
  await database.db.insertInto('account').values(rows).execute();
  const { code, output } = await startRotation().ended;
  expect(code).toBe(1);
  expect(JSON.parse(output)).toEqual({
    master_key_id: nextId,
    rewrapped: 1,
    failed: [{ account: 'acct_x', master_key_id: lost.currentId, code: 'KEY_UNKNOWN' }],
    old_wraps: expect.any(String),
  });
}, 60_000);
