import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { newErasureKey } from '../../src/keys/erasure-key.ts';
import { createMasterKeyRing, masterKeyId, type WrappedKey } from '../../src/keys/master-key-ring.ts';
import { turnOneBit } from '../support/tamper.ts';

const broken = { code: 'SEAL_BROKEN' };

async function custody(accounts: string[], master = randomBytes(32)) {
  const ring = createMasterKeyRing([master]);
  const rows = new Map<string, WrappedKey>();
  for (const account of accounts) rows.set(account, await ring.wrap(account, randomBytes(32)));
  let reads = 0;
  const store = {
    readWrappedKey: async (accountId: string) => {
      reads++;
      return rows.get(accountId);
    },
  };
  return { rows, store, master, keys: createAccountKeys({ masterKeys: ring, store }), reads: () => reads };
}

describe('the master key ring', () => {
  test('wraps under the first key and unwraps under all', async () => {
    const [old, current] = [randomBytes(32), randomBytes(32)];
    const accountKey = randomBytes(32);
    const wrapped = await createMasterKeyRing([old]).wrap('acct_1', accountKey);
    const ring = createMasterKeyRing([current, old]);
    expect(ring.currentId).toBe(masterKeyId(current));
    expect(await ring.unwrap('acct_1', wrapped)).toEqual(accountKey);
    const again = await ring.wrap('acct_1', accountKey);
    expect(again.masterKeyId).toBe(masterKeyId(current));
    expect(masterKeyId(current)).not.toBe(masterKeyId(old));
  });

  test('a wrapped key opens only for its account and with its master key', async () => {
    const ring = createMasterKeyRing([randomBytes(32)]);
    const wrapped = await ring.wrap('acct_1', randomBytes(32));
    await expect(ring.unwrap('acct_2', wrapped)).rejects.toMatchObject(broken);
    const other = createMasterKeyRing([randomBytes(32)]);
    await expect(other.unwrap('acct_1', wrapped)).rejects.toMatchObject({ code: 'KEY_UNKNOWN' });
    const cut = { ...wrapped, wrapped: wrapped.wrapped.subarray(1) };
    await expect(ring.unwrap('acct_1', cut)).rejects.toMatchObject(broken);
  });

  test('keys of another size are refused', () => {
    expect(() => createMasterKeyRing([])).toThrow();
    expect(() => createMasterKeyRing([randomBytes(16)])).toThrow();
  });
});

describe('account keys', () => {
  test('open what they sealed, whatever the bytes', async () => {
    const { keys } = await custody(['a']);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.string(), async (bytes, place) => {
        const sealed = await keys.seal('a', 'test', bytes, place);
        expect(await keys.open('a', 'test', sealed, place)).toEqual(Buffer.from(bytes));
        expect(sealed).toHaveLength(bytes.length + 49);
      }),
    );
  });

  test('do not open for another account, purpose or row', async () => {
    const { keys } = await custody(['a', 'b']);
    const sealed = await keys.seal('a', 'one', Buffer.from('secret'), 'row1');
    await expect(keys.open('b', 'one', sealed, 'row1')).rejects.toMatchObject(broken);
    await expect(keys.open('a', 'two', sealed, 'row1')).rejects.toMatchObject(broken);
    await expect(keys.open('a', 'one', sealed, 'row2')).rejects.toMatchObject(broken);
  });

  test('do not open after one bit was flipped or bytes were cut', async () => {
    const { keys } = await custody(['a']);
    const sealed = await keys.seal('a', 'one', Buffer.from('secret'), 'row1');
    await fc.assert(
      fc.asyncProperty(turnOneBit(sealed), async (changed) => {
        await expect(keys.open('a', 'one', changed, 'row1')).rejects.toMatchObject(broken);
      }),
    );
    for (let length = 0; length < sealed.length; length++) {
      await expect(keys.open('a', 'one', sealed.subarray(0, length), 'row1')).rejects.toMatchObject(broken);
    }
  });

  test('sealing twice gives two different records', async () => {
    const { keys } = await custody(['a']);
    const [one, two] = await Promise.all([1, 2].map(() => keys.seal('a', 'p', Buffer.from('x'), '')));
    expect(one).not.toEqual(two);
  });

  test('fingerprints are stable, and differ by account, purpose and bytes', async () => {
    const { keys, store, master } = await custody(['a', 'b']);
    const again = createAccountKeys({ masterKeys: createMasterKeyRing([master]), store });
    const bytes = Buffer.from('body');
    const fingerprint = await keys.fingerprint('a', 'p', bytes);
    expect(await again.fingerprint('a', 'p', bytes)).toEqual(fingerprint);
    expect(await keys.fingerprint('b', 'p', bytes)).not.toEqual(fingerprint);
    expect(await keys.fingerprint('a', 'q', bytes)).not.toEqual(fingerprint);
    expect(await keys.fingerprint('a', 'p', Buffer.from('bodY'))).not.toEqual(fingerprint);
  });

  test("an account's key is unwrapped once; a failure is not cached", async () => {
    const { keys, rows, reads } = await custody(['a']);
    await Promise.all([1, 2, 3].map(() => keys.deriveKey('a', 'p')));
    expect(reads()).toBe(1);
    await expect(keys.deriveKey('late', 'p')).rejects.toMatchObject({ code: 'INVARIANT' });
    rows.set('late', rows.get('a')!);
    await expect(keys.deriveKey('late', 'p')).rejects.toMatchObject(broken);
  });

  test('the cache keeps up to its maximum, the most recently used', async () => {
    const { store, master, reads } = await custody(['a', 'b', 'c']);
    const masterKeys = createMasterKeyRing([master]);
    const keys = createAccountKeys({ masterKeys, store, maxCached: 2 });
    for (const account of ['a', 'b', 'a', 'c', 'a']) await keys.deriveKey(account, 'p');
    expect(reads()).toBe(3);
    await keys.deriveKey('b', 'p');
    expect(reads()).toBe(4);
  });
});

describe('erasable keys', () => {
  test('open only with both halves, the account\u2019s and their own', async () => {
    const { keys, store, master } = await custody(['a', 'b']);
    const holder = { accountId: 'a', erasureKey: newErasureKey() };
    const sealed = await keys.seal(holder, 'p', Buffer.from('secret'), 'row1');
    expect((await keys.open(holder, 'p', sealed, 'row1')).toString()).toBe('secret');
    const others = [
      'a',
      { ...holder, accountId: 'b' },
      { ...holder, erasureKey: newErasureKey() },
      { ...holder, erasureKey: Buffer.alloc(32) },
    ];
    for (const other of others)
      await expect(keys.open(other, 'p', sealed, 'row1')).rejects.toMatchObject(broken);
    await expect(keys.open(holder, 'q', sealed, 'row1')).rejects.toMatchObject(broken);
    const again = createAccountKeys({ masterKeys: createMasterKeyRing([master]), store });
    expect((await again.open(holder, 'p', sealed, 'row1')).toString()).toBe('secret');
  });

  test('also separate fingerprints', async () => {
    const { keys } = await custody(['a']);
    const [one, two] = [newErasureKey(), newErasureKey()].map((erasureKey) => ({
      accountId: 'a',
      erasureKey,
    }));
    const of = (holder: Parameters<typeof keys.fingerprint>[0]) =>
      keys.fingerprint(holder, 'p', Buffer.from('x'));
    expect(await of(one!)).toEqual(await of(one!));
    expect(new Set([await of(one!), await of(two!), await of('a')].map(String)).size).toBe(3);
  });

  test.each([0, 16, 33])('of %i bytes are refused', async (length) => {
    const { keys } = await custody(['a']);
    const holder = { accountId: 'a', erasureKey: Buffer.alloc(length) };
    await expect(keys.seal(holder, 'p', Buffer.from('x'), '')).rejects.toMatchObject({ code: 'INVARIANT' });
  });
});
