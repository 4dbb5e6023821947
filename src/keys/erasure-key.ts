// Erasure keys: 32 random bytes of a challenge or a FeatureID, kept in buckets of a table that an erasure rewrites
// (src/storage/postgres/keys/shredder.ts). The id determines the base, which has one bucket or, where it has many keys, several
// (src/storage/postgres/keys/bucket-sizes.ts). Pure.
import { randomBytes } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import { KEY_BYTES } from './master-key-ring.ts';

/** As many as src/storage/migrations gives a first bucket each. */
export const CHALLENGE_KEY_BASES = 32;
/** Fewer, because a comparison with a hundred FeatureIDs reads all of them. */
const FEATID_KEY_BASES = 16;

/** Buckets rewritten, and buckets whose deleted keys a transaction can still see: the sweep tries those again. */
export interface Shredded {
  readonly rewritten: number;
  readonly waiting: number;
}

/** Removes from the disk the bytes of keys that were deleted before the call (src/storage/postgres/keys/shredder.ts). */
export interface KeyShredder {
  /** Of all deleted keys, or of those that are due: an erasure's at once, retention's within the hour. */
  shred(which: 'due' | 'all'): Promise<Shredded>;
  /** For an erasure: resolves when its keys are gone, or after 10 s. Never rejects: the sweep goes on with what is left. */
  shredNow(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Crockford's base32, as TypeID spells a UUID: ten digits hold the 48 bits of its time. */
const CHALLENGE_ID = /^ch_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

export function newErasureKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/**
 * The base of a challenge: by the hour in which its id was made. Challenges of one hour are written, and after their
 * retention deleted, together: both then touch few buckets.
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
