import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { CHALLENGE_KEY_BASES, challengeKeyBase } from '../../src/keys/erasure-key.ts';

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

describe('the key base of a challenge', () => {
  test('depends only on the hour of its id', () => {
    const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(moment, fc.bigInt({ min: 0n, max: 2n ** 80n - 1n }), (ms, rest) => {
        const base = Math.floor(ms / 3_600_000) % CHALLENGE_KEY_BASES;
        expect(challengeKeyBase(idAt(ms, rest))).toBe(base);
      }),
    );
  });

  test('of a new challenge is that of the current hour', () => {
    const before = Math.floor(Date.now() / 3_600_000);
    const base = challengeKeyBase(newId('challenge'));
    const after = Math.floor(Date.now() / 3_600_000);
    expect([before, after].map((hour) => hour % CHALLENGE_KEY_BASES)).toContain(base);
  });

  test.each([
    '',
    'ch_',
    'ch_01kb2m7x9ee6rbb4hd5v1kq0z',
    'cap_01kb2m7x9ee6rbb4hd5v1kq0zt',
    'ch_01kb2m7x9ul6rbb4hd5v1kq0zt',
  ])('is refused for %j, which is no id', (text) => {
    expect(() => challengeKeyBase(text)).toThrow();
  });
});
