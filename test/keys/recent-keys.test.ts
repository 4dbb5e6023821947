import { describe, expect, it } from 'vitest';
import { createRecentKeys } from '../../src/keys/recent-keys.ts';

const principal = { accountId: 'acct_1', keyId: 'key_1', sandbox: false };
const hash = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 8);
const numbered = (number: number) => {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(number);
  return bytes;
};

describe('recent keys', () => {
  it('remember a key for a second, and no other key', () => {
    let now = 1;
    const recent = createRecentKeys(() => now);
    recent.keep(hash, principal);
    now = 1_000;
    expect(recent.find(hash)).toEqual(principal);
    expect(recent.find(other)).toBeUndefined();
    now = 1_002;
    expect(recent.find(hash)).toBeUndefined();
  });

  it('forget at once when told, but keep the trust', () => {
    const recent = createRecentKeys(() => 1);
    recent.keep(hash, principal);
    recent.forget();
    expect(recent.find(hash)).toBeUndefined();
    expect(recent.standing(hash)).toBe('trusted');
  });

  it('remember a wrong key for a minute; a trusted key that turns out wrong is no longer trusted', () => {
    let now = 1;
    const recent = createRecentKeys(() => now);
    recent.trust([hash]);
    expect([recent.standing(hash), recent.standing(other)]).toEqual(['trusted', 'unknown']);
    recent.keep(hash, null);
    expect(recent.standing(hash)).toBe('wrong');
    now = 60_002;
    expect(recent.standing(hash)).toBe('unknown');
  });

  it('keep trusted keys, and little else, whatever is sent', () => {
    const recent = createRecentKeys(() => 1);
    recent.keep(hash, principal);
    const before = process.memoryUsage().heapUsed;
    for (let number = 0; number < 200_000; number++) recent.keep(numbered(number), null);
    expect(recent.standing(hash)).toBe('trusted');
    expect(recent.standing(numbered(0))).toBe('unknown');
    expect(recent.standing(numbered(199_999))).toBe('wrong');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40_000_000);
  });
});
