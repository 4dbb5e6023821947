import { describe, expect, it } from 'vitest';
import { createRecentKeys } from '../../src/keys/recent-keys.ts';

const principal = { accountId: 'acct_1', keyId: 'key_1', sandbox: false };
const hash = Buffer.alloc(32, 7);

describe('recent keys', () => {
  it('know a key for a second, and no other key', () => {
    let now = 0;
    const recent = createRecentKeys(() => now);
    recent.keep(hash, principal);
    now = 999;
    expect(recent.find(hash)).toEqual(principal);
    expect(recent.find(Buffer.alloc(32, 8))).toBeUndefined();
    now = 1_000;
    expect(recent.find(hash)).toBeUndefined();
  });

  it('forget at once when told', () => {
    const recent = createRecentKeys(() => 0);
    recent.keep(hash, principal);
    recent.forget();
    expect(recent.find(hash)).toBeUndefined();
  });
});
