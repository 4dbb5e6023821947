// The keys of challenges: read along with their rows, deleted by erasures and retention. Every deletion notes its bucket in
// the same transaction: until the bucket has been rewritten (key-shredder.ts), the bytes are still on the disk.
import { sql, type Transaction } from 'kysely';
import type { ChallengeKeys } from '../../challenge/challenge.ts';
import { challengeKeyBucket, newErasureKey } from '../../keys/erasure-key.ts';
import type { Database } from './database.ts';
import { noteErasure, WITHIN_TEN_MINUTES } from './key-buckets.ts';
import type { Schema } from './schema.ts';

/**
 * The keys of these challenges, by their ids; erased ones are left out. A separate statement from the one that reads the
 * rows: with the slots as parameters, PostgreSQL reads no other bucket.
 */
export async function readChallengeKeys(
  db: Database,
  challengeIds: readonly string[],
): Promise<ReadonlyMap<string, ChallengeKeys>> {
  if (challengeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('challenge_key')
    .select(['challenge_id', 'details_key', 'video_key'])
    .where('slot', '=', sql<number>`any(${slotsOf(challengeIds)}::smallint[])`)
    .where('challenge_id', '=', sql<string>`any(${challengeIds}::text[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.challenge_id, { detailsKey: row.details_key, videoKey: row.video_key }]),
  );
}

/** Deletes the keys of challenges that are erased or past their retention. */
export async function eraseChallengeKeys(
  trx: Transaction<Schema>,
  challengeIds: readonly string[],
  withinSeconds: number,
): Promise<void> {
  if (challengeIds.length === 0) return;
  await noteErasure(trx, 'challenge', bucketsOf(challengeIds), withinSeconds);
  // A separate statement: it must see where a rewrite that held the buckets has put the keys.
  await trx
    .deleteFrom('challenge_key')
    .where('slot', '=', sql<number>`any(${slotsOf(challengeIds)}::smallint[])`)
    .where('challenge_id', '=', sql<string>`any(${challengeIds}::text[])`)
    .execute();
}

/** Replaces the video keys of challenges whose last recording is discarded: no byte of it opens any more. */
export async function renewVideoKeys(
  trx: Transaction<Schema>,
  challengeIds: readonly string[],
): Promise<void> {
  if (challengeIds.length === 0) return;
  await noteErasure(trx, 'challenge', bucketsOf(challengeIds), WITHIN_TEN_MINUTES);
  const fresh = challengeIds.map(newErasureKey);
  await sql`
    update challenge_key k set video_key = given.video_key
    from unnest(${challengeIds}::text[], ${fresh}::bytea[]) as given (challenge_id, video_key)
    where k.slot = any(${slotsOf(challengeIds)}::smallint[]) and k.challenge_id = given.challenge_id`.execute(
    trx,
  );
}

/** Destroys the video keys of challenges that will not be recorded again; the rest stays readable. */
export async function eraseVideoKeys(
  trx: Transaction<Schema>,
  challengeIds: readonly string[],
): Promise<void> {
  if (challengeIds.length === 0) return;
  await noteErasure(trx, 'challenge', bucketsOf(challengeIds), WITHIN_TEN_MINUTES);
  await trx
    .updateTable('challenge_key')
    .set({ video_key: null })
    .where('slot', '=', sql<number>`any(${slotsOf(challengeIds)}::smallint[])`)
    .where('challenge_id', '=', sql<string>`any(${challengeIds}::text[])`)
    .execute();
}

const bucketsOf = (challengeIds: readonly string[]): number[] => [
  ...new Set(challengeIds.map(challengeKeyBucket)),
];

/** Both sides of every bucket that holds one of them. */
const slotsOf = (challengeIds: readonly string[]): number[] =>
  bucketsOf(challengeIds).flatMap((bucket) => [2 * bucket, 2 * bucket + 1]);
