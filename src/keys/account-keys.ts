// Custody: seals and opens every sealed_* column and every asset key. It uses the account's own key, which the master
// key wraps, or an erasable key, made from the account's key and a random one that an erasure destroys.
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Fault } from '../base/errors.ts';
import { hkdfSha256 } from './hkdf.ts';
import { KEY_BYTES, type MasterKeys } from './master-key-ring.ts';
import { openRecord, sealRecord } from './seal.ts';
import type { WrappedKeyStore } from './tables/wrapped-keys.ts';

/** Account keys are random and of full length, so HKDF needs no salt (RFC 5869 §3.1). */
const NO_SALT = Buffer.alloc(0);
/** Derivation purpose of the account's half of every erasable key. */
const ERASABLE_PURPOSE = 'erasable-record';

/**
 * A key that can be destroyed without destroying its account's. It consists of the account's key *and* these 32 random
 * bytes, which the database keeps where an erasure overwrites them (docs/decisions/0014-erasure-keys.md).
 */
export interface ErasableKey {
  readonly accountId: string;
  readonly erasureKey: Uint8Array;
}

/** Whose key seals: an account's own, by its id, or an erasable one. Personal data requires an erasable one. */
export type KeyHolder = string | ErasableKey;

/**
 * Seals, opens and derives under an account's key, or an erasable one. `purpose` separates uses: a record sealed for
 * one purpose does not open for another. `associatedData` binds a record to its place (usually the row's id): a record
 * moved elsewhere does not open. Every method rejects with Fault INVARIANT if the account does not exist, and with
 * KEY_UNKNOWN if its master key is not held here.
 */
export interface AccountKeys {
  /** Seals with authenticated encryption; adds 49 bytes. */
  seal(holder: KeyHolder, purpose: string, plaintext: Uint8Array, associatedData: string): Promise<Buffer>;
  /** Opens a sealed record. @throws Fault SEAL_BROKEN for another holder, purpose or place, or altered bytes */
  open(holder: KeyHolder, purpose: string, sealed: Uint8Array, associatedData: string): Promise<Buffer>;
  /** HMAC-SHA-256 under a key of the holder for this purpose; 32 bytes, the same for the same input. */
  fingerprint(holder: KeyHolder, purpose: string, bytes: Uint8Array): Promise<Buffer>;
  /** Derives a 32-byte key from the account's key for this purpose, the same every time (HKDF-SHA-256). */
  deriveKey(accountId: string, purpose: string): Promise<Buffer>;
}

/** The part that other rooms use: sealing, opening, fingerprints. Keys themselves stay here and in src/featid. */
export type Custody = Pick<AccountKeys, 'seal' | 'open' | 'fingerprint'>;

/**
 * Makes the custody service. It owns the only cache of unwrapped account keys, which keeps the `maxCached` most
 * recently used. A cached key never goes stale, because rotating the master key re-wraps account keys without changing
 * them.
 */
export function createAccountKeys(parts: {
  masterKeys: MasterKeys;
  store: WrappedKeyStore;
  maxCached?: number;
}): AccountKeys {
  const { masterKeys, store, maxCached = 10_000 } = parts;
  const cached = new LRUCache<string, Promise<UnwrappedKeys>>({ max: maxCached });
  const unwrap = async (accountId: string): Promise<UnwrappedKeys> => {
    const wrapped = await store.readWrappedKey(accountId);
    if (!wrapped) throw new Fault('INVARIANT', `no account ${accountId}`);
    const accountKey = await masterKeys.unwrap(accountId, wrapped);
    const erasableHalf = derive(accountKey, ERASABLE_PURPOSE);
    return { accountKey, erasableHalf, fingerprintKeys: new Map() };
  };
  const keysOf = (accountId: string): Promise<UnwrappedKeys> => {
    const found = cached.get(accountId);
    if (found) return found;
    const started = unwrap(accountId);
    cached.set(accountId, started);
    // Failures are not cached: the database may be back at the next call.
    started.catch(() => {
      if (cached.peek(accountId) === started) cached.delete(accountId);
    });
    return started;
  };
  const keyOf = async (holder: KeyHolder): Promise<Buffer> => {
    if (typeof holder === 'string') return (await keysOf(holder)).accountKey;
    const { accountId, erasureKey } = holder;
    if (erasureKey.length !== KEY_BYTES) throw new Fault('INVARIANT', 'an erasure key has the wrong length');
    // Both halves have 32 bytes, so the concatenation is unambiguous.
    return Buffer.concat([(await keysOf(accountId)).erasableHalf, erasureKey]);
  };
  const fingerprintKey = async (holder: KeyHolder, purpose: string): Promise<Buffer> => {
    const derived = async () => derive(await keyOf(holder), `fingerprint\0${purpose}`);
    if (typeof holder !== 'string') return derived();
    const { fingerprintKeys } = await keysOf(holder);
    const key = fingerprintKeys.get(purpose) ?? (await derived());
    fingerprintKeys.set(purpose, key);
    return key;
  };
  return {
    seal: async (holder, purpose, plaintext, associatedData) =>
      sealRecord(await keyOf(holder), purpose, plaintext, associatedData),
    open: async (holder, purpose, sealed, associatedData) =>
      openRecord(await keyOf(holder), purpose, sealed, associatedData),
    fingerprint: async (holder, purpose, bytes) =>
      createHmac('sha256', await fingerprintKey(holder, purpose))
        .update(bytes)
        .digest(),
    deriveKey: async (accountId, purpose) => derive((await keysOf(accountId)).accountKey, purpose),
  };
}

interface UnwrappedKeys {
  readonly accountKey: Buffer;
  /** The account's half of its erasable keys. */
  readonly erasableHalf: Buffer;
  /** Keys for the account's own fingerprints, by purpose: a handful, needed for every request. */
  readonly fingerprintKeys: Map<string, Buffer>;
}

function derive(key: Uint8Array, purpose: string): Buffer {
  return hkdfSha256(key, NO_SALT, `likeness derived v1\0${purpose}`, KEY_BYTES);
}
