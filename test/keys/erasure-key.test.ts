import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { CHALLENGE_BUCKETS, keyBucket } from '../../src/keys/erasure-key.ts';

/** A challenge id of a given time: a UUIDv7 as TypeID writes it, 48 bits of time before 80 other bits. */
function idAt(ms: number, rest: bigint): string {
  let value = (BigInt(ms) << 80n) | rest;
  let digits = '';
  for (let at = 0; at < 26; at++) {
    digits = '0123456789abcdefghjkmnpqrstvwxyz'[Number(value & 31n)]! + digits;
    value >>= 5n;
  }
  return `ch_${digits}`;
}

describe("the bucket of a challenge's keys", () => {
  test('depends only on the hour of its id', () => {
    const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(moment, fc.bigInt({ min: 0n, max: 2n ** 80n - 1n }), (ms, rest) => {
        const bucket = Math.floor(ms / 3_600_000) % CHALLENGE_BUCKETS;
        expect(keyBucket(idAt(ms, rest))).toBe(bucket);
      }),
    );
  });

  test('of a new challenge is that of the current hour', () => {
    const before = Math.floor(Date.now() / 3_600_000);
    const bucket = keyBucket(newId('challenge'));
    const after = Math.floor(Date.now() / 3_600_000);
    expect([before, after].map((hour) => hour % CHALLENGE_BUCKETS)).toContain(bucket);
  });

  test("is none of the other keys', which spread over the rest", () => {
    const ids = Array.from({ length: 1_000 }, () => randomBytes(16).toString('base64url'));
    const buckets = new Set([...ids, newId('picture')].map(keyBucket));
    expect([...buckets].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, at) => CHALLENGE_BUCKETS + at),
    );
  });
});
