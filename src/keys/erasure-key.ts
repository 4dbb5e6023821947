// Erasure keys: 32 random bytes per challenge or FeatureID, kept in buckets of a table that an erasure rewrites
// (src/storage/postgres/keys/shredder.ts). The id determines the base. A base has one bucket, or several if it has many
// keys (src/storage/postgres/keys/bucket-sizes.ts). Pure.
import { randomBytes } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import { KEY_BYTES } from './master-key-ring.ts';

/** The number of bases for which src/storage/migrations creates a first bucket. */
export const CHALLENGE_KEY_BASES = 32;
/** Fewer, because a comparison with a hundred FeatureIDs reads all of them. */
const FEATID_KEY_BASES = 16;

/**
 * Counts of buckets rewritten, and of buckets whose deleted keys a transaction can still see; the sweep retries those.
 */
export interface Shredded {
  readonly rewritten: number;
  readonly waiting: number;
}

/** Removes the bytes of keys deleted before the call from the disk (src/storage/postgres/keys/shredder.ts). */
export interface KeyShredder {
  /** Shreds all deleted keys, or those that are due: keys of erasures at once, of retention within the hour. */
  shred(which: 'due' | 'all'): Promise<Shredded>;
  /**
   * For an erasure: resolves when its keys are gone, or after 10 s. Never rejects; the sweep continues with the rest.
   */
  shredNow(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Crockford's base32, as TypeID encodes a UUID: the first ten digits hold the 48 bits of its timestamp. */
const CHALLENGE_ID = /^ch_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

export function newErasureKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/**
 * The base of a challenge, by the hour in which its id was made. Challenges of one hour are written together and
 * deleted together after their retention, so both touch few buckets.
 */
export function challengeKeyBase(challengeId: string): number {
  const [, digits] = CHALLENGE_ID.exec(challengeId) ?? [];
  if (!digits) throw new Fault('INVARIANT', 'not a challenge id');
  const madeAtMs = [...digits].reduce((value, digit) => value * 32 + BASE32.indexOf(digit), 0);
  return Math.floor(madeAtMs / HOUR_MS) % CHALLENGE_KEY_BASES;
}

/** The base of a FeatureID, by its id, which is random. */
export function featidKeyBase(featidId: string): number {
  const hash = [...featidId].reduce((value, digit) => (value * 31 + digit.charCodeAt(0)) >>> 0, 0);
  return hash % FEATID_KEY_BASES;
}
