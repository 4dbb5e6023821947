// Custody of an account's secrets: every sealed_* column and every asset key is sealed and opened here, under the
// account's own key, which the master key wraps.
import { createHmac } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import { hkdfSha256 } from './hkdf.ts';
import { KEY_BYTES, type MasterKeys, type WrappedKey } from './master-key-ring.ts';
import { openRecord, sealRecord } from './seal.ts';

/** Account keys are random and of full length: RFC 5869 §3.1 asks for no salt. */
const NO_SALT = Buffer.alloc(0);

/** Where the wrapped keys lie (src/storage). */
export interface WrappedKeyStore {
  readWrappedKey(accountId: string): Promise<WrappedKey | undefined>;
}

/**
 * Seals, opens and derives under an account's key. `purpose` separates uses: what was sealed for one opens for no other.
 * `associatedData` binds a record to its place (usually the row's id): a record moved elsewhere does not open.
 * Every method throws Fault INVARIANT for an account that does not exist, KEY_UNKNOWN for one whose master key is not
 * held here.
 */
export interface AccountKeys {
  /** Authenticated encryption; adds 49 bytes. */
  seal(accountId: string, purpose: string, plaintext: Uint8Array, associatedData: string): Promise<Buffer>;
  /** @throws Fault SEAL_BROKEN for another account, purpose or place, or altered bytes. */
  open(accountId: string, purpose: string, sealed: Uint8Array, associatedData: string): Promise<Buffer>;
  /** HMAC-SHA-256 under a key of the account for this purpose; 32 bytes, the same for the same input. */
  fingerprint(accountId: string, purpose: string, bytes: Uint8Array): Promise<Buffer>;
  /** A 32-byte key of the account for this purpose, the same every time (HKDF-SHA-256). */
  deriveKey(accountId: string, purpose: string): Promise<Buffer>;
}

/** What other rooms use of it: sealing, opening, fingerprints. Keys themselves stay here and in src/featid. */
export type Custody = Pick<AccountKeys, 'seal' | 'open' | 'fingerprint'>;

/**
 * Makes the custody service. It owns the one cache of unwrapped account keys: the `maxCached` most recently used stay
 * in memory. A cached key never goes stale, as rotation of the master key re-wraps account keys without changing them.
 */
export function createAccountKeys(parts: {
  masterKeys: MasterKeys;
  store: WrappedKeyStore;
  maxCached?: number;
}): AccountKeys {
  const { masterKeys, store, maxCached = 10_000 } = parts;
  const cached = new Map<string, Promise<Buffer>>();
  const unwrap = async (accountId: string): Promise<Buffer> => {
    const wrapped = await store.readWrappedKey(accountId);
    if (!wrapped) throw new Fault('INVARIANT', `no account ${accountId}`);
    return masterKeys.unwrap(accountId, wrapped);
  };
  const begin = (accountId: string): Promise<Buffer> => {
    const started = unwrap(accountId);
    // A failure is not kept: the database may be back at the next call.
    started.catch(() => {
      if (cached.get(accountId) === started) cached.delete(accountId);
    });
    return started;
  };
  const keyOf = (accountId: string): Promise<Buffer> => {
    const found = cached.get(accountId) ?? begin(accountId);
    // Map keeps the order of insertion: taking out and putting in again makes it the most recent.
    cached.delete(accountId);
    cached.set(accountId, found);
    if (cached.size > maxCached) cached.delete(cached.keys().next().value!);
    return found;
  };
  const deriveKey = async (accountId: string, purpose: string): Promise<Buffer> =>
    hkdfSha256(await keyOf(accountId), NO_SALT, `likeness derived v1\0${purpose}`, KEY_BYTES);
  return {
    seal: async (accountId, purpose, plaintext, associatedData) =>
      sealRecord(await keyOf(accountId), purpose, plaintext, associatedData),
    open: async (accountId, purpose, sealed, associatedData) =>
      openRecord(await keyOf(accountId), purpose, sealed, associatedData),
    fingerprint: async (accountId, purpose, bytes) =>
      createHmac('sha256', await deriveKey(accountId, `fingerprint\0${purpose}`))
        .update(bytes)
        .digest(),
    deriveKey,
  };
}
