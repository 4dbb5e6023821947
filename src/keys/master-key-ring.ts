// The master keys, the top of the key hierarchy: they wrap the accounts' keys and the receipt keys, and nothing else.
// Anyone with them and the database can open everything.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Fault } from '../base/errors.ts';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** An account's key as stored in the database. */
export interface WrappedKey {
  readonly wrapped: Buffer;
  /** Id of the master key that wrapped it. */
  readonly masterKeyId: string;
}

/**
 * Wraps and unwraps account keys. Asynchronous, so that a key management service can implement it: this is the port of
 * MASTER_KEY_MODULE (docs/template-protection.md).
 */
export interface MasterKeys {
  /** Id of the key that new wraps use; it is stored with each wrap. */
  readonly currentId: string;
  wrap(accountId: string, accountKey: Uint8Array): Promise<WrappedKey>;
  /** @throws Fault KEY_UNKNOWN if the wrapping key is not held here, SEAL_BROKEN if the wrap does not open */
  unwrap(accountId: string, wrapped: WrappedKey): Promise<Buffer>;
}

/** The public id of a master key: the beginning of its hash. In practice no two keys share one. */
export function masterKeyId(key: Uint8Array): string {
  return createHash('sha256').update('likeness master key id v1').update(key).digest('hex').slice(0, 16);
}

/**
 * Master keys held in this process's memory. The first one wraps and all of them unwrap, so that a key can be replaced
 * while older wraps remain.
 * @throws Fault CONFIG_INVALID, naming `source`, for a key that is not 32 bytes, one key twice, or no key
 */
export function createMasterKeyRing(keys: readonly Uint8Array[], source = 'MASTER_KEY'): MasterKeys {
  const [current] = keys;
  if (!current || keys.some(({ length }) => length !== KEY_BYTES)) {
    throw new Fault('CONFIG_INVALID', `${source}: a master key must be ${KEY_BYTES} bytes`);
  }
  const byId = new Map(keys.map((key) => [masterKeyId(key), Buffer.from(key)]));
  if (byId.size < keys.length) throw new Fault('CONFIG_INVALID', `${source}: one key stands there twice`);
  const currentId = masterKeyId(current);
  return {
    currentId,
    wrap: async (accountId, accountKey) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', byId.get(currentId)!, nonce);
      cipher.setAAD(wrapContext(accountId));
      const body = Buffer.concat([cipher.update(accountKey), cipher.final()]);
      return { wrapped: Buffer.concat([nonce, body, cipher.getAuthTag()]), masterKeyId: currentId };
    },
    unwrap: async (accountId, { wrapped, masterKeyId: id }) => {
      const key = byId.get(id);
      if (!key) throw new Fault('KEY_UNKNOWN', `master key ${id}`);
      if (wrapped.length !== NONCE_BYTES + KEY_BYTES + TAG_BYTES)
        throw new Fault('SEAL_BROKEN', 'account key');
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, NONCE_BYTES), options);
      decipher.setAAD(wrapContext(accountId)).setAuthTag(wrapped.subarray(-TAG_BYTES));
      try {
        const body = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([body, decipher.final()]);
      } catch (error) {
        throw new Fault('SEAL_BROKEN', `the key of account ${accountId}`, { cause: error });
      }
    },
  };
}

/** Binds a wrap to its account, so that wraps cannot be swapped between rows. */
function wrapContext(accountId: string): Buffer {
  return Buffer.from(`likeness account key v1\0${accountId}`);
}
