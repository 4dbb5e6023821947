// Buckets of keys are split and retired while keys are written, read, searched and erased. No key is ever unavailable.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../src/base/ids.ts';
import { createLogger } from '../../../../src/base/log.ts';
import { challengeKeyBase, newErasureKey } from '../../../../src/keys/erasure-key.ts';
import type { Database } from '../../../../src/storage/postgres/database.ts';
import {
  eraseKeys,
  insertFeatidKeys,
  readFeatidKeys,
} from '../../../../src/storage/postgres/featids/keys.ts';
import { balanceKeyBuckets } from '../../../../src/storage/postgres/keys/bucket-sizes.ts';
import { AT_ONCE } from '../../../../src/storage/postgres/keys/buckets.ts';
import {
  eraseChallengeKeys,
  findTagged,
  readChallengeKeys,
  renewVideoKeys,
} from '../../../../src/storage/postgres/keys/challenge-keys.ts';
import { createKeyShredder } from '../../../../src/storage/postgres/keys/shredder.ts';
import { createTestDatabase } from '../../../support/database.ts';

/** Small enough for a test: a few pages. */
const FULL_KEYS = 100;
/** A bucket's growth is noticed by whole pages. */
const PAGE_OF_KEYS = 80;
const TAG = randomBytes(32);
let db: Database;

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  return () => database.drop();
});

interface Written {
  readonly id: string;
  readonly detailsKey: Buffer;
}

/** Keys of new challenges, all with one tag. */
async function writeChallenges(count: number): Promise<Written[]> {
  const made = Array.from({ length: count }, () => ({ id: newId('challenge'), detailsKey: newErasureKey() }));
  const ids = made.map(({ id }) => id);
  const keys = made.map(({ detailsKey }) => detailsKey);
  await sql`select insert_challenge_keys(${ids}::text[], ${ids.map(challengeKeyBase)}::smallint[], ${keys}::bytea[],
    ${keys}::bytea[], ${keys.map(() => TAG)}::bytea[])`.execute(db);
  return made;
}

const erase = (ids: readonly string[]) =>
  db.transaction().execute((trx) => eraseChallengeKeys(trx, ids, AT_ONCE));
const shred = () => createKeyShredder(db, createLogger({ level: 'silent', process: 'test' })).shred('due');

async function balanceAll(): Promise<void> {
  while ((await balanceKeyBuckets(db, FULL_KEYS)) > 0) await shred();
}

/** The used and spare buckets of a family, and the most keys in one bucket. */
async function describeBuckets(family: 'challenge' | 'featid') {
  const { rows } = await sql<{ used: number; spare: number; most: number }>`
    select count(*) filter (where base is not null)::int as used, count(*) filter (where base is null)::int as spare,
      max((select count(*) from ${sql.table(`${family}_key`)} where slot in (2 * bucket, 2 * bucket + 1)))::int as most
    from key_bucket where family = ${family}`.execute(db);
  return rows[0]!;
}

async function expectAllThere(made: readonly Written[]): Promise<void> {
  const found = await readChallengeKeys(
    db,
    made.map(({ id }) => id),
  );
  expect(made.filter(({ id, detailsKey }) => !found.get(id)?.detailsKey.equals(detailsKey))).toEqual([]);
}

describe('a bucket of challenges', () => {
  test('that has grown is split until each part is small; keys are read, found and erased as before', async () => {
    const made = await writeChallenges(500);
    await balanceAll();
    const { used, most } = await describeBuckets('challenge');
    expect(used).toBeGreaterThanOrEqual(32 + 500 / (2 * FULL_KEYS));
    expect(most).toBeLessThanOrEqual(2 * FULL_KEYS);
    await expectAllThere(made);
    expect((await findTagged(db, [TAG])).sort()).toEqual(made.map(({ id }) => id).sort());

    const [gone, kept] = [made.filter((_, at) => at % 7 === 0), made.filter((_, at) => at % 7 !== 0)];
    await erase(gone.map(({ id }) => id));
    await db.transaction().execute((trx) => renewVideoKeys(trx, [kept[0]!.id]));
    expect(await shred()).toMatchObject({ waiting: 0 });
    expect(
      (
        await readChallengeKeys(
          db,
          gone.map(({ id }) => id),
        )
      ).size,
    ).toBe(0);
    await expectAllThere(kept);
    const renewed = (await readChallengeKeys(db, [kept[0]!.id])).get(kept[0]!.id)!;
    expect(renewed.videoKey!.equals(kept[0]!.detailsKey)).toBe(false);
  });

  test('that is full gets no new keys, and none are moved for that', async () => {
    const before = await writeChallenges(FULL_KEYS + 40);
    await balanceAll();
    const { most } = await describeBuckets('challenge');
    expect(most).toBe(before.length);
    const due = await sql`select from key_bucket where due_at is not null`.execute(db);
    expect(due.rows).toEqual([]);
    const after = await writeChallenges(20);
    expect((await describeBuckets('challenge')).most).toBe(before.length);
    await expectAllThere([...before, ...after]);
  });

  test('that is empty passes its ids to the next, and is reused', async () => {
    await erase((await writeChallenges(500)).map(({ id }) => id));
    const made = await writeChallenges(500);
    await balanceAll();
    const [first, last] = [made.slice(0, 400), made.slice(400)];
    await erase(first.map(({ id }) => id));
    await shred();
    const before = await describeBuckets('challenge');
    await balanceAll();
    const after = await describeBuckets('challenge');
    expect(after.used).toBeLessThan(before.used);
    expect(after.used + after.spare).toBe(before.used + before.spare);
    await expectAllThere(last);
    const again = await writeChallenges(500);
    await balanceAll();
    const reused = await describeBuckets('challenge');
    expect(reused.used).toBeGreaterThan(after.used);
    expect(reused.spare).toBeLessThan(after.spare);
    await expectAllThere([...last, ...again]);
  });

  test('from before the upgrade stays whole for an hour, because processes of the previous version would not find its keys', async () => {
    await sql`update key_bucket set whole_until = now() + interval '1 hour'`.execute(db);
    await writeChallenges(500);
    expect(await balanceKeyBuckets(db, FULL_KEYS)).toBe(0);
  });
});

test('finds a reference with more challenges than a call can have parameters', async () => {
  const many = 150_000;
  await sql`insert into challenge_key (slot, challenge_id, details_key, reference_tag)
    select 0, 'ch_' || lpad(n::text, 26, '0'), sha256(n::text::bytea), ${TAG} from generate_series(1, ${many}::int) n`.execute(
    db,
  );
  expect(await findTagged(db, [TAG])).toHaveLength(many);
});

test('is also split before PostgreSQL 17, where system columns have a statistics target of 0', async () => {
  // As in the catalogue of an older server.
  await sql`update pg_attribute set attstattarget = 0
    where attnum < 0 and attrelid in ('challenge_key'::regclass, 'featid_key'::regclass)`.execute(db);
  const made = await writeChallenges(500);
  await balanceAll();
  expect((await describeBuckets('challenge')).most).toBeLessThanOrEqual(2 * FULL_KEYS);
  await expectAllThere(made);
});

test('FeatureIDs: a bucket is split wherever its ids are, and a hundred are read from all buckets', async () => {
  const made = Array.from({ length: 3000 }, () => ({
    id: randomBytes(16).toString('base64url'),
    erasureKey: newErasureKey(),
  }));
  await db.transaction().execute((trx) => insertFeatidKeys(trx, made));
  await balanceAll();
  expect((await describeBuckets('featid')).most).toBeLessThanOrEqual(2 * FULL_KEYS + PAGE_OF_KEYS);
  const [gone, kept] = [made.slice(0, 100), made.slice(100)];
  await db.transaction().execute((trx) =>
    eraseKeys(
      trx,
      gone.map(({ id }) => id),
      AT_ONCE,
    ),
  );
  await shred();
  const found = await readFeatidKeys(
    db,
    made.map(({ id }) => id),
  );
  expect(kept.filter(({ id, erasureKey }) => !found.get(id)?.equals(erasureKey))).toEqual([]);
  expect(found.size).toBe(kept.length);
});

test('no key is lost or restored while keys are written, read, searched and erased during splits', async () => {
  const [kept, gone] = [[] as Written[], [] as Written[]];
  let over = false;
  const busy = Array.from({ length: 3 }, async () => {
    while (!over) {
      const [victim, ...others] = await writeChallenges(25);
      await expectAllThere([victim!, ...others]);
      const tagged = new Set(await findTagged(db, [TAG]));
      expect(others.filter(({ id }) => !tagged.has(id))).toEqual([]);
      await erase([victim!.id]);
      gone.push(victim!);
      kept.push(...others);
    }
  });
  const until = Date.now() + 20_000;
  for (let cuts = 0; cuts < 4 && Date.now() < until; await shred()) cuts += await balanceKeyBuckets(db, 40);
  over = true;
  await Promise.all(busy);
  expect((await describeBuckets('challenge')).used).toBeGreaterThanOrEqual(32 + 3);
  await expectAllThere(kept);
  expect(
    (
      await readChallengeKeys(
        db,
        gone.map(({ id }) => id),
      )
    ).size,
  ).toBe(0);
});
