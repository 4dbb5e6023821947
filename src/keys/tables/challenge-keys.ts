// The keys of challenges: one for the details, one for the recordings, and the tag by which a reference is found.
import { sql } from 'kysely';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { ChallengeKeys } from '../erasure-key.ts';
import { CHALLENGE_BUCKETS, newErasureKey } from '../erasure-key.ts';
import { noteErasure, readErasureKeys, WITHIN_TEN_MINUTES } from './erasure-keys.ts';

/** The keys of these challenges, by id; erased ones are left out. */
export async function readChallengeKeys(
  db: Database,
  challengeIds: readonly string[],
): Promise<ReadonlyMap<string, ChallengeKeys>> {
  const found = await readErasureKeys(db, challengeIds);
  return new Map([...found].map(([id, { key, videoKey }]) => [id, { detailsKey: key, videoKey }]));
}

/** Ids of the challenges whose references have one of these tags. */
export async function findTagged(db: Database, tags: readonly Buffer[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from find_tagged(${tags}::bytea[], ${CHALLENGE_BUCKETS}) as id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Replaces the video keys of challenges whose last recording is discarded, so that none of its bytes can be decrypted.
 */
export function renewVideoKeys(trx: Trx, challengeIds: readonly string[]): Promise<void> {
  return replaceVideoKeys(trx, challengeIds, newErasureKey);
}

/** Deletes the video keys of challenges that will not be recorded again; the rest stays readable. */
export function eraseVideoKeys(trx: Trx, challengeIds: readonly string[]): Promise<void> {
  return replaceVideoKeys(trx, challengeIds, () => null);
}

async function replaceVideoKeys(
  trx: Trx,
  challengeIds: readonly string[],
  newKey: () => Buffer | null,
): Promise<void> {
  for (const { slots, ids } of await noteErasure(trx, challengeIds, WITHIN_TEN_MINUTES)) {
    await sql`
      update erasure_key k set video_key = given.video_key
      from unnest(${ids}::text[], ${ids.map(newKey)}::bytea[]) as given (id, video_key)
      where k.slot = any(${slots}::smallint[]) and k.id = given.id`.execute(trx);
  }
}
