// The keys that sign receipts: Ed25519, created on first use, their seeds wrapped by the master key like the accounts'
// keys. One key signs. Retired ones stay published, because receipts are verified years later.
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { CompactSign } from 'jose';
import { canonicalJson } from '../base/canonical-json.ts';
import { Fault } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { KEY_BYTES, type MasterKeys } from './master-key-ring.ts';
import type { NewReceiptKey, ReceiptKeyStore, WrappedReceiptKey } from './tables/receipt-key-store.ts';

/** A public key as a JSON Web Key (RFC 8037). */
export interface PublicReceiptKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: 'sig';
}

export interface ReceiptKeys {
  /** A compact JWS of this payload as canonical JSON: the same bytes for the same payload and key. */
  sign(payload: object, header: { readonly alg: string; readonly typ: string }): Promise<string>;
  /** Public keys of all keys that can be opened here, newest first. */
  published(): Promise<PublicReceiptKey[]>;
  list(): Promise<Omit<WrappedReceiptKey, 'key'>[]>;
  /** Creates a key that signs from now on; resolves with its id. */
  rotate(actor: string): Promise<string>;
  /** Deletes a retired key; its receipts can no longer be verified. False if there is no such key. */
  remove(id: string, actor: string): Promise<boolean>;
}

/** The bytes before the seed in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Makes the service. It owns the only cache of unwrapped receipt keys; there are a handful, and none ever changes. */
export function createReceiptKeys(parts: {
  readonly masterKeys: MasterKeys;
  readonly store: ReceiptKeyStore;
}): ReceiptKeys {
  const { masterKeys, store } = parts;
  const opened = new Map<string, KeyObject>();
  const open = async ({ id, key }: WrappedReceiptKey): Promise<KeyObject> => {
    const found = opened.get(id) ?? privateKeyOf(await masterKeys.unwrap(id, key));
    opened.set(id, found);
    return found;
  };
  const signing = async (): Promise<WrappedReceiptKey> => {
    const newest = (await store.list()).find(({ retiredAt }) => retiredAt === null);
    if (newest) return newest;
    await store.insertFirst(await newKey(masterKeys));
    return signing();
  };
  return {
    sign: async (payload, { alg, typ }) => {
      const wrapped = await signing();
      return new CompactSign(Buffer.from(canonicalJson(payload)))
        .setProtectedHeader({ alg, typ, kid: wrapped.id })
        .sign(await open(wrapped));
    },
    published: async () => {
      const keys = await Promise.all((await store.list()).map((each) => publicKeyOf(each, open)));
      return keys.flatMap((key) => key ?? []);
    },
    list: async () => (await store.list()).map(({ key: _, ...rest }) => rest),
    rotate: async (actor) => {
      const key = await newKey(masterKeys);
      await store.replace(key, actor);
      return key.id;
    },
    remove: (id, actor) => store.remove(id, actor),
  };
}

/** Wrapped like an account's key but under its own id, so that neither wrap can be used as the other. */
async function newKey(masterKeys: MasterKeys): Promise<NewReceiptKey> {
  const id = newId('receiptKey');
  return { id, key: await masterKeys.wrap(id, randomBytes(KEY_BYTES)) };
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

/**
 * Derives the public key from the wrapped key. It is not stored, so that an attacker who can write to the database
 * cannot publish a key of their own: their row does not open. Null for such a row, and for one whose master key is
 * gone, so that the others are still published.
 */
async function publicKeyOf(
  wrapped: WrappedReceiptKey,
  open: (key: WrappedReceiptKey) => Promise<KeyObject>,
): Promise<PublicReceiptKey | null> {
  try {
    const { x } = createPublicKey(await open(wrapped)).export({ format: 'jwk' });
    return { kty: 'OKP', crv: 'Ed25519', x: x!, kid: wrapped.id, alg: 'EdDSA', use: 'sig' };
  } catch (error) {
    if (error instanceof Fault && (error.code === 'SEAL_BROKEN' || error.code === 'KEY_UNKNOWN')) return null;
    throw error;
  }
}
