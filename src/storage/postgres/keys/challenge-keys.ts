// The keys of challenges: read along with their rows, deleted by erasures and retention. Every deletion marks its
// bucket in the same transaction, because the bytes stay on the disk until the bucket has been rewritten (shredder.ts).
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { ChallengeKeys } from '../../../challenge/challenge.ts';
import { challengeKeyBase, newErasureKey } from '../../../keys/erasure-key.ts';
import type { Database, Trx } from '../database.ts';
import { type KeyPlace, markKeysErased, WITHIN_TEN_MINUTES } from './buckets.ts';

/** The keys of these challenges, by id; erased ones are left out. */
export async function readChallengeKeys(
  db: Database,
  challengeIds: readonly string[],
): Promise<ReadonlyMap<string, ChallengeKeys>> {
  if (challengeIds.length === 0) return new Map();
  const { rows } = await sql<{ challenge_id: string; details_key: Buffer; video_key: Buffer | null }>`
    select challenge_id, details_key, video_key
    from challenge_keys(${challengeIds}::text[], ${challengeIds.map(challengeKeyBase)}::smallint[])`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [row.challenge_id, { detailsKey: row.details_key, videoKey: row.video_key }]),
  );
}

/** Most buckets that one search statement reads, because it locks their tables. */
const SEARCHED_AT_ONCE = 64;

/** Ids of the challenges whose references have one of these tags. */
export async function findTagged(db: Database, tags: readonly Buffer[]): Promise<string[]> {
  for (;;) {
    const ranges = await listRanges(db);
    const buckets = ranges.map(({ bucket }) => bucket);
    const found: string[] = [];
    for (let at = 0; at < buckets.length; at += SEARCHED_AT_ONCE) {
      const { rows } = await sql<{ id: string }>`
        select id from find_tagged(${tags}::bytea[], ${buckets.slice(at, at + SEARCHED_AT_ONCE)}::smallint[]) as id`.execute(
        db,
      );
      for (const { id } of rows) found.push(id);
    }
    // Keys that moved to another bucket meanwhile may have been missed.
    if (isDeepStrictEqual(await listRanges(db), ranges)) return found;
  }
}

function listRanges(db: Database): Promise<{ bucket: number; from_id: string | null }[]> {
  return db
    .selectFrom('key_bucket')
    .select(['bucket', 'from_id'])
    .where('family', '=', 'challenge')
    .where('base', 'is not', null)
    .orderBy('bucket')
    .execute();
}

/** Deletes the keys of challenges that are erased or past their retention. */
export async function eraseChallengeKeys(
  trx: Trx,
  challengeIds: readonly string[],
  withinSeconds: number,
): Promise<void> {
  if (challengeIds.length === 0) return;
  const buckets = await markKeysErased(trx, 'challenge', placesOf(challengeIds), withinSeconds);
  // Separate statements, because they must see where a rewrite that held the buckets has moved the keys.
  for (const { slots, ids } of buckets) {
    await trx
      .deleteFrom('challenge_key')
      .where('slot', '=', sql<number>`any(${slots}::smallint[])`)
      .where('challenge_id', '=', sql<string>`any(${ids}::text[])`)
      .execute();
  }
}

/**
 * Replaces the video keys of challenges whose last recording is discarded, so that none of its bytes can be decrypted.
 */
export async function renewVideoKeys(trx: Trx, challengeIds: readonly string[]): Promise<void> {
  if (challengeIds.length === 0) return;
  const buckets = await markKeysErased(trx, 'challenge', placesOf(challengeIds), WITHIN_TEN_MINUTES);
  for (const { slots, ids } of buckets) {
    await sql`
      update challenge_key k set video_key = given.video_key
      from unnest(${ids}::text[], ${ids.map(newErasureKey)}::bytea[]) as given (challenge_id, video_key)
      where k.slot = any(${slots}::smallint[]) and k.challenge_id = given.challenge_id`.execute(trx);
  }
}

/** Deletes the video keys of challenges that will not be recorded again; the rest stays readable. */
export async function eraseVideoKeys(trx: Trx, challengeIds: readonly string[]): Promise<void> {
  if (challengeIds.length === 0) return;
  const buckets = await markKeysErased(trx, 'challenge', placesOf(challengeIds), WITHIN_TEN_MINUTES);
  for (const { slots, ids } of buckets) {
    await trx
      .updateTable('challenge_key')
      .set({ video_key: null })
      .where('slot', '=', sql<number>`any(${slots}::smallint[])`)
      .where('challenge_id', '=', sql<string>`any(${ids}::text[])`)
      .execute();
  }
}

const placesOf = (challengeIds: readonly string[]): KeyPlace[] =>
  challengeIds.map((id) => ({ id, base: challengeKeyBase(id) }));
