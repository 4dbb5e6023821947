// Nothing of a deleted key remains on the disk, whoever reads, writes or backs up meanwhile. On a server of its own,
// because a checkpoint and the log affect the whole server.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../../../src/base/log.ts';
import { createAccountKeys } from '../../../../src/keys/account-keys.ts';
import { createAccounts } from '../../../../src/keys/accounts.ts';
import { challengeKeyBase } from '../../../../src/keys/erasure-key.ts';
import { createMasterKeyRing } from '../../../../src/keys/master-key-ring.ts';
import { type OpenDatabase, openDatabase } from '../../../../src/storage/open-database.ts';
import { createApiKeyStore } from '../../../../src/storage/postgres/accounts/api-key-store.ts';
import { createAccountStore } from '../../../../src/storage/postgres/accounts/store.ts';
import { createChallengeStore } from '../../../../src/storage/postgres/challenges/store.ts';
import { balanceKeyBuckets } from '../../../../src/storage/postgres/keys/bucket-sizes.ts';
import { createKeyShredder } from '../../../../src/storage/postgres/keys/shredder.ts';
import { filesWith } from '../../../support/secret-search.ts';
import { seedChallenges } from '../../../support/seed-challenges.ts';

const log = createLogger({ level: 'silent', process: 'test' });
let dataDir: string;
let database: OpenDatabase;
let custody: ReturnType<typeof createAccountKeys>;
let accountId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-shred-'));
  await chmod(dataDir, 0o755);
  database = await openDatabase({ dataDir }, log);
  const { db } = database;
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  const accounts = createAccountStore(db);
  custody = createAccountKeys({ masterKeys, store: accounts });
  const made = await createAccounts({ accounts, apiKeys: createApiKeyStore(db), masterKeys }).create(
    { name: 'shop' },
    'operator',
  );
  if (made.status !== 'created') throw new Error(made.status);
  accountId = made.accountId;
});
afterAll(async () => {
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const cluster = () => join(dataDir, 'postgres', 'cluster');
const seed = (count: number) => seedChallenges(database.db, custody, accountId, count);
const erase = (id: string) =>
  createChallengeStore(database.db, { assetRetentionDays: 30, replayWindowDays: 7 }).erase(
    accountId,
    id,
    'k',
  );
const shred = () => createKeyShredder(database.db, log).shred('due');
const checkpoint = () => sql`checkpoint`.execute(database.db);
const keysOf = async () => {
  const { rows } = await sql<{ id: string }>`select challenge_id as id from challenge_key`.execute(
    database.db,
  );
  return new Set(rows.map(({ id }) => id));
};

describe('a deleted key', () => {
  test('is in no file once it is shredded; the other keys stay', async () => {
    const challenges = await seed(300);
    const [victim, ...others] = challenges;
    const needles = { details: victim!.detailsKey, video: victim!.videoKey };
    await checkpoint();
    await sql`analyze`.execute(database.db);
    expect(filesWith(cluster(), needles).length).toBeGreaterThanOrEqual(2);
    await erase(victim!.id);
    await checkpoint();
    // A deleted key is still in the files, which is why the shredder exists.
    expect(filesWith(cluster(), needles)).not.toEqual([]);
    expect(await shred()).toEqual({ rewritten: 1, waiting: 0 });
    expect(filesWith(cluster(), needles)).toEqual([]);
    const left = await keysOf();
    expect(others.every(({ id }) => left.has(id))).toBe(true);
    expect(await shred()).toEqual({ rewritten: 0, waiting: 0 });
  });

  test('waits for a transaction that still sees it, such as a backup, and blocks nobody', async () => {
    const [victim, other] = await seed(2);
    const reader = new pg.Client({ connectionString: database.connectionString });
    await reader.connect();
    try {
      await reader.query('begin isolation level repeatable read');
      // What pg_dump does first: a lock on every table.
      await reader.query('lock table challenge_key, challenge in access share mode');
      const seen = async () =>
        (await reader.query('select from challenge_key where challenge_id = $1', [victim!.id])).rowCount;
      expect(await seen()).toBe(1);
      await erase(victim!.id);
      expect(await shred()).toEqual({ rewritten: 0, waiting: 1 });
      expect(await seen()).toBe(1);
      const found = await createChallengeStore(database.db, {
        assetRetentionDays: 30,
        replayWindowDays: 7,
      }).find(accountId, other!.id);
      expect(found?.detailsKey).toEqual(other!.detailsKey);
      await reader.query('commit');
    } finally {
      await reader.end();
    }
    expect(await shred()).toEqual({ rewritten: 1, waiting: 0 });
    expect(filesWith(cluster(), { details: victim!.detailsKey })).toEqual([]);
  });

  test('is shredded while challenges are created, read and erased in its bucket, and no other key is lost', async () => {
    const store = createChallengeStore(database.db, { assetRetentionDays: 30, replayWindowDays: 7 });
    const made: { id: string; detailsKey: Buffer }[] = [];
    const erased: { id: string; detailsKey: Buffer }[] = [];
    let over = false;
    const busy = Array.from({ length: 4 }, async (_, worker) => {
      while (!over) {
        const challenges = await seed(20);
        const [first, ...rest] = challenges;
        for (const { id, detailsKey } of rest) {
          expect((await store.find(accountId, id))?.detailsKey).toEqual(detailsKey);
        }
        if (worker % 2 === 0) {
          await erase(first!.id);
          erased.push(first!);
          made.push(...rest);
        } else made.push(...challenges);
      }
    });
    const shredders = [createKeyShredder(database.db, log), createKeyShredder(database.db, log)];
    // A busy machine erases fewer in the same time.
    const [until, latest] = [Date.now() + 2_500, Date.now() + 20_000];
    while (Date.now() < until || (erased.length <= 3 && Date.now() < latest))
      await Promise.all(shredders.map((each) => each.shred('due')));
    over = true;
    await Promise.all(busy);
    expect(await shred()).toMatchObject({ waiting: 0 });
    const left = await keysOf();
    expect(made.filter(({ id }) => !left.has(id))).toEqual([]);
    expect(erased.filter(({ id }) => left.has(id))).toEqual([]);
    expect(erased.length).toBeGreaterThan(3);
    const some = [...erased.slice(0, 4), ...erased.slice(-4)];
    const needles = Object.fromEntries(some.map(({ id, detailsKey }) => [id, detailsKey]));
    expect(filesWith(cluster(), needles)).toEqual([]);
  });

  test('is in no file after its bucket was split, neither in the old bucket nor in the new one', async () => {
    const challenges = await seed(300);
    const buckets = () =>
      sql`select from key_bucket where family = 'challenge'`.execute(database.db).then((r) => r.rows.length);
    const before = await buckets();
    expect(await balanceKeyBuckets(database.db, 100)).toBeGreaterThan(0);
    expect(await buckets()).toBeGreaterThan(before);
    await checkpoint();
    const [first, last] = [challenges[0]!, challenges.at(-1)!];
    for (const victim of [first, last]) {
      await erase(victim.id);
      expect(await shred()).toMatchObject({ waiting: 0 });
      expect(filesWith(cluster(), { details: victim.detailsKey, video: victim.videoKey })).toEqual([]);
    }
    const left = await keysOf();
    expect(challenges.slice(1, -1).every(({ id }) => left.has(id))).toBe(true);
  });

  test('is shredded where a move in progress has put it', async () => {
    const [victim] = await seed(1);
    const bucket = challengeKeyBase(victim!.id);
    const mover = new pg.Client({ connectionString: database.connectionString });
    await mover.connect();
    await mover.query('begin');
    const { rows } = await mover.query(
      `update key_bucket set side = 1 - side where family = 'challenge' and bucket = $1 returning side`,
      [bucket],
    );
    const [to, from] = [2 * bucket + rows[0].side, 2 * bucket + 1 - rows[0].side];
    await mover.query(
      `with moved as (delete from challenge_key where slot = ${from} returning *)
       insert into challenge_key select ${to}, challenge_id, details_key, video_key, reference_tag from moved`,
    );
    const erasing = erase(victim!.id);
    await delay(200);
    await mover.query('commit');
    await mover.end();
    expect(await erasing).not.toBeNull();
    expect((await keysOf()).has(victim!.id)).toBe(false);
    await shred();
    expect(filesWith(cluster(), { details: victim!.detailsKey })).toEqual([]);
  });
});

test('a server that died while keys were moved has lost none and kept no deleted one', async () => {
  const challenges = await seed(500);
  const [victim, ...others] = challenges;
  await erase(victim!.id);
  const bucket = challengeKeyBase(victim!.id);
  // Half-way: moved, not committed, and on the disk.
  const mover = new pg.Client({ connectionString: database.connectionString });
  mover.on('error', () => {});
  await mover.connect();
  await mover.query('begin');
  const { rows } = await mover.query(
    `update key_bucket set side = 1 - side where family = 'challenge' and bucket = $1 returning side`,
    [bucket],
  );
  const to = 2 * bucket + rows[0].side;
  await mover.query(
    `insert into challenge_key select ${to}, challenge_id, details_key, video_key, reference_tag
     from challenge_key where slot = ${2 * bucket + 1 - rows[0].side}`,
  );
  await checkpoint();
  const witness = new pg.Client({ connectionString: database.connectionString });
  witness.on('error', () => {});
  await witness.connect();
  const allEnded = new Promise((resolve) => witness.once('end', resolve));
  const { rows: pids } = await mover.query('select pg_backend_pid() as pid');
  process.kill(pids[0].pid, 'SIGKILL');
  // The server ends every session and recovers.
  await allEnded;
  const left = await vi.waitFor(keysOf, { timeout: 30_000, interval: 100 });
  expect(others.every(({ id }) => left.has(id))).toBe(true);
  await expect.poll(() => shred().catch(() => null)).toMatchObject({ waiting: 0 });
  expect(filesWith(cluster(), { details: victim!.detailsKey })).toEqual([]);
  // The copies of the aborted move are also gone after the next erasure in its bucket.
  const [next] = others;
  await erase(next!.id);
  await shred();
  expect(filesWith(cluster(), { details: next!.detailsKey })).toEqual([]);
});
