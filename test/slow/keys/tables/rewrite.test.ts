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
import { createChallengeStore } from '../../../../src/challenge/tables/store.ts';
import { createAccountKeys } from '../../../../src/keys/account-keys.ts';
import { createAccounts } from '../../../../src/keys/accounts.ts';
import { keyBucket } from '../../../../src/keys/erasure-key.ts';
import { createMasterKeyRing } from '../../../../src/keys/master-key-ring.ts';
import { createAccountStore } from '../../../../src/keys/tables/account-store.ts';
import { createApiKeyStore } from '../../../../src/keys/tables/api-key-store.ts';
import { rewriteErased } from '../../../../src/keys/tables/rewrite.ts';
import { type OpenDatabase, openDatabase } from '../../../../src/storage/open-database.ts';
import { LOCK_CLASSES } from '../../../../src/storage/postgres/coordination/advisory-locks.ts';
import { createDatabase } from '../../../../src/storage/postgres/database.ts';
import { filesWith } from '../../../support/secret-search.ts';
import { seedChallenges } from '../../../support/seed-challenges.ts';

const log = createLogger({ level: 'silent', process: 'test' });
let dataDir: string;
let database: OpenDatabase;
let custody: ReturnType<typeof createAccountKeys>;
let accountId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-rewrite-'));
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
const rewrite = (db = database.db) => rewriteErased(db, 'due', log);
const checkpoint = () => sql`checkpoint`.execute(database.db);
const keysOf = async () => {
  const { rows } = await sql<{ id: string }>`select id from erasure_key`.execute(database.db);
  return new Set(rows.map(({ id }) => id));
};

describe('a deleted key', () => {
  test('is in no file once its bucket is rewritten; the other keys stay', async () => {
    const challenges = await seed(300);
    const [victim, ...others] = challenges;
    const needles = { details: victim!.detailsKey, video: victim!.videoKey };
    await checkpoint();
    await sql`analyze`.execute(database.db);
    expect(filesWith(cluster(), needles).length).toBeGreaterThanOrEqual(2);
    await erase(victim!.id);
    await checkpoint();
    // A deleted key is still in the files, which is why buckets are rewritten.
    expect(filesWith(cluster(), needles)).not.toEqual([]);
    expect(await rewrite()).toEqual({ rewritten: 1, waiting: 0 });
    expect(filesWith(cluster(), needles)).toEqual([]);
    const left = await keysOf();
    expect(others.every(({ id }) => left.has(id))).toBe(true);
    expect(await rewrite()).toEqual({ rewritten: 0, waiting: 0 });
  });

  test('waits for a transaction that still sees it, such as a backup, and blocks nobody', async () => {
    const [victim, other] = await seed(2);
    const reader = new pg.Client({ connectionString: database.connectionString });
    await reader.connect();
    try {
      await reader.query('begin isolation level repeatable read');
      // What pg_dump does first: a lock on every table.
      await reader.query('lock table erasure_key, challenge in access share mode');
      const seen = async () =>
        (await reader.query('select from erasure_key where id = $1', [victim!.id])).rowCount;
      expect(await seen()).toBe(1);
      await erase(victim!.id);
      expect(await rewrite()).toEqual({ rewritten: 0, waiting: 1 });
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
    expect(await rewrite()).toEqual({ rewritten: 1, waiting: 0 });
    expect(filesWith(cluster(), { details: victim!.detailsKey })).toEqual([]);
  });

  test('goes while challenges are created, read and erased in its bucket, and no other key is lost', async () => {
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
    // A busy machine erases fewer in the same time.
    const [until, latest] = [Date.now() + 2_500, Date.now() + 20_000];
    while (Date.now() < until || (erased.length <= 3 && Date.now() < latest))
      await Promise.all([rewrite(), rewrite()]);
    over = true;
    await Promise.all(busy);
    expect(await rewrite()).toMatchObject({ waiting: 0 });
    const left = await keysOf();
    expect(made.filter(({ id }) => !left.has(id))).toEqual([]);
    expect(erased.filter(({ id }) => left.has(id))).toEqual([]);
    expect(erased.length).toBeGreaterThan(3);
    const some = [...erased.slice(0, 4), ...erased.slice(-4)];
    const needles = Object.fromEntries(some.map(({ id, detailsKey }) => [id, detailsKey]));
    expect(filesWith(cluster(), needles)).toEqual([]);
  });

  test('goes from where a move in progress has put it', async () => {
    const [victim] = await seed(1);
    const mover = await beginMove(keyBucket(victim!.id));
    const erasing = erase(victim!.id);
    await delay(200);
    await mover.query('commit');
    await mover.end();
    expect(await erasing).not.toBeNull();
    expect((await keysOf()).has(victim!.id)).toBe(false);
    await rewrite();
    expect(filesWith(cluster(), { details: victim!.detailsKey })).toEqual([]);
  });
});

test('a rewrite that is killed at any moment loses no key, keeps no deleted one, and is done by the next', async () => {
  const challenges = await seed(3_000);
  const erased: typeof challenges = [];
  const outcomes = new Set<unknown>();
  for (let kill = 0; kill < 12; kill++) {
    erased.push(challenges.pop()!);
    await erase(erased.at(-1)!.id);
    const own = createDatabase(`${database.connectionString}?application_name=killed`);
    const outcome = rewrite(own).catch(() => 'killed');
    await delay(kill * 15);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'killed'`.execute(
      database.db,
    );
    outcomes.add(await outcome);
    await own.destroy();
    const left = await keysOf();
    expect(challenges.filter(({ id }) => !left.has(id))).toEqual([]);
    expect(erased.filter(({ id }) => left.has(id))).toEqual([]);
  }
  expect(outcomes).toContain('killed');
  expect(await rewrite()).toMatchObject({ waiting: 0 });
  const needles = Object.fromEntries(erased.map(({ id, detailsKey }) => [id, detailsKey]));
  expect(filesWith(cluster(), needles)).toEqual([]);
});

test('a server that died while keys were moved has lost none and kept no deleted one', async () => {
  const challenges = await seed(500);
  const [victim, ...others] = challenges;
  await erase(victim!.id);
  // Half-way: moved, not committed, and on the disk.
  const mover = await beginMove(keyBucket(victim!.id));
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
  await expect.poll(() => rewrite().catch(() => null)).toMatchObject({ waiting: 0 });
  expect(filesWith(cluster(), { details: victim!.detailsKey })).toEqual([]);
  // The copies of the aborted move are also gone after the next erasure in its bucket.
  const [next] = others;
  await erase(next!.id);
  await rewrite();
  expect(filesWith(cluster(), { details: next!.detailsKey })).toEqual([]);
});

/** Moves the keys of a bucket to its other side, as a rewrite does, and leaves the transaction open. */
async function beginMove(bucket: number): Promise<pg.Client> {
  const mover = new pg.Client({ connectionString: database.connectionString });
  mover.on('error', () => {});
  await mover.connect();
  const { rows } = await mover.query(
    'update key_bucket set side = 1 - side where bucket = $1 returning 2 * bucket + side as to, 2 * bucket + 1 - side as from',
    [bucket],
  );
  await mover.query('begin');
  await mover.query('select pg_advisory_xact_lock($1, $2)', [LOCK_CLASSES.keyBuckets, bucket]);
  await mover.query(
    `with moved as (delete from erasure_key_${rows[0].from} returning id, key, video_key, reference_tag)
     insert into erasure_key select ${rows[0].to}, * from moved`,
  );
  return mover;
}
