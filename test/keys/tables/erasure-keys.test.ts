// Erasure keys are written, read, searched and erased by their ids, whatever their buckets.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { newErasureKey } from '../../../src/keys/erasure-key.ts';
import {
  eraseVideoKeys,
  findTagged,
  readChallengeKeys,
  renewVideoKeys,
} from '../../../src/keys/tables/challenge-keys.ts';
import {
  AT_ONCE,
  eraseKeys,
  insertErasureKeys,
  readErasureKeys,
} from '../../../src/keys/tables/erasure-keys.ts';
import type { Database } from '../../../src/storage/postgres/database.ts';
import { createTestDatabase } from '../../support/database.ts';

const TAG = randomBytes(32);
let db: Database;

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  return () => database.drop();
});

test('the keys of challenges and FeatureIDs, some of which are erased', async () => {
  const challenges = Array.from({ length: 50 }, () => ({
    id: newId('challenge'),
    key: newErasureKey(),
    videoKey: newErasureKey(),
    referenceTag: TAG,
  }));
  const featids = Array.from({ length: 300 }, () => ({
    id: randomBytes(16).toString('base64url'),
    key: newErasureKey(),
  }));
  const all = [...challenges, ...featids];
  const ids = all.map(({ id }) => id);
  await insertErasureKeys(db, all);
  const found = await readErasureKeys(db, ids);
  for (const { id, key } of all) expect(found.get(id)?.key).toEqual(key);
  expect((await findTagged(db, [randomBytes(32), TAG])).sort()).toEqual(
    challenges.map(({ id }) => id).sort(),
  );

  const gone = ids.filter((_, at) => at % 7 === 0);
  await db.transaction().execute((trx) => eraseKeys(trx, gone, AT_ONCE));
  const left = await readErasureKeys(db, ids);
  expect(ids.filter((id) => !left.has(id))).toEqual(gone);
  expect(await findTagged(db, [TAG])).not.toContain(gone[0]);
});

test('the video keys of challenges, renewed or erased', async () => {
  const challenges = Array.from({ length: 3 }, () => ({
    id: newId('challenge'),
    key: newErasureKey(),
    videoKey: newErasureKey(),
  }));
  await insertErasureKeys(db, challenges);
  const [kept, renewed, erased] = challenges.map(({ id }) => id);
  await db.transaction().execute(async (trx) => {
    await renewVideoKeys(trx, [renewed!]);
    await eraseVideoKeys(trx, [erased!]);
  });
  const keys = await readChallengeKeys(db, [kept!, renewed!, erased!]);
  for (const { id, key } of challenges) expect(keys.get(id)!.detailsKey).toEqual(key);
  expect(keys.get(kept!)!.videoKey).toEqual(challenges[0]!.videoKey);
  expect(keys.get(renewed!)!.videoKey).toHaveLength(32);
  expect(keys.get(renewed!)!.videoKey).not.toEqual(challenges[1]!.videoKey);
  expect(keys.get(erased!)!.videoKey).toBeNull();
});

test('finds a reference with more challenges than a call can have parameters', async () => {
  const many = 150_000;
  await sql`insert into erasure_key (slot, id, key, reference_tag)
    select 0, 'ch_' || lpad(n::text, 26, '0'), sha256(n::text::bytea), ${TAG} from generate_series(1, ${many}::int) n`.execute(
    db,
  );
  expect(await findTagged(db, [TAG])).toHaveLength(many);
});
