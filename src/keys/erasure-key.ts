// Erasure keys: 32 random bytes per challenge or FeatureID. Their table has a fixed number of buckets, so that getting
// an erased key off the disk rewrites one of them (src/keys/tables/rewrite.ts). The id determines the bucket.
// Pure.
import { randomBytes } from 'node:crypto';
import { KEY_BYTES } from './master-key-ring.ts';

/** The first buckets, for challenges. A prime, so that the busy hours of the day spread over all of them. */
export const CHALLENGE_BUCKETS = 61;
/** The rest. Few, because a comparison with a hundred FeatureIDs reads all of them. */
const FEATID_BUCKETS = 16;

const HOUR_MS = 3_600_000;
/** Crockford's base32, as TypeID encodes a UUID: the first ten digits hold the 48 bits of its timestamp. */
const CHALLENGE_ID = /^ch_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

export function newErasureKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/**
 * The bucket of a key. For a challenge's, by the hour in which its id was made: challenges of one hour are written
 * together and deleted together after their retention, so both touch few buckets. For others, by the whole id.
 */
export function keyBucket(id: string): number {
  const [, digits] = CHALLENGE_ID.exec(id) ?? [];
  if (digits) {
    const madeAtMs = [...digits].reduce((value, digit) => value * 32 + BASE32.indexOf(digit), 0);
    return Math.floor(madeAtMs / HOUR_MS) % CHALLENGE_BUCKETS;
  }
  const hash = [...id].reduce((value, digit) => (value * 31 + digit.charCodeAt(0)) >>> 0, 0);
  return CHALLENGE_BUCKETS + (hash % FEATID_BUCKETS);
}

/** The keys of a challenge, which its erasure destroys. */
export interface ChallengeKeys {
  /** Seals the request, the result and the deliveries. */
  readonly detailsKey: Buffer;
  /** Seals recordings: the upload in progress, the video, the best frame. Null after their retention has ended. */
  readonly videoKey: Buffer | null;
}
