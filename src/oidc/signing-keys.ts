// The keys that sign the provider's tokens: creation, publication a day before they sign, replacement, removal. They
// are sealed under the provider's own key.
import { generateKeyPair, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { newIdOf } from '../base/ids.ts';
import type { Custody } from '../keys/account-keys.ts';
import { PROVIDER_HOLDER } from './holder.ts';
import type { SigningKeyChanges, SigningKeyStore, StoredSigningKey } from './tables/records.ts';

const PURPOSE = 'oidc-signing-key';
const ID_PREFIX = 'ok';
const DAY_MS = 86_400_000;
/** Clients cache a provider's keys for hours, the slow ones on the market for a day. */
const PUBLISHED_BEFORE_MS = DAY_MS;
/** A token is valid for an hour at most; the rest is for `id_token_hint`s. */
const PUBLISHED_AFTER_MS = 8 * DAY_MS;
/** Every client can verify it: it is the only algorithm that OpenID Connect makes mandatory. */
export const SIGNING_ALGORITHM = 'RS256';
const MODULUS_BITS = 2048;

/** A private JWK in the form that the library expects. */
export type SigningKey = JsonWebKey & { readonly kid: string; readonly use: 'sig'; readonly alg: string };

export interface SigningKeys {
  /** The keys in force, the signing key first. Equal `kid`s in the same order mean the same keys. */
  list(): Promise<readonly SigningKey[]>;
  /**
   * Makes the first key, or the next one when it is due, and removes expired ones. Resolves with the number of changes.
   */
  keep(): Promise<number>;
  /** Makes a key that signs at once. With `discard`, all others are removed and their tokens become invalid. */
  rotate(options: { readonly discard: boolean }, actor: string): Promise<string>;
}

export function createSigningKeys(parts: {
  readonly store: SigningKeyStore;
  readonly custody: Custody;
  readonly clock: Clock;
  readonly days: number;
}): SigningKeys {
  const { store, custody, clock, days } = parts;
  const make = async (keys: SigningKeyChanges, signsFrom: Date, actor: string): Promise<string> => {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
    const id = newIdOf(ID_PREFIX);
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: SIGNING_ALGORITHM };
    const sealedKey = await custody.seal(PROVIDER_HOLDER, PURPOSE, Buffer.from(JSON.stringify(jwk)), id);
    await keys.insert({ id, sealedKey, signsFrom }, actor);
    return id;
  };
  return {
    list: async () => {
      const stored = inOrder(await store.list(), clock.now());
      return Promise.all(
        stored.map(async ({ id, sealedKey }) => {
          const bytes = await custody.open(PROVIDER_HOLDER, PURPOSE, sealedKey, id);
          return JSON.parse(bytes.toString('utf8')) as SigningKey;
        }),
      );
    },
    keep: async () => {
      const now = clock.now().getTime();
      if (isKept(await store.list(), now, days)) return 0;
      return store.alone(async (keys) => {
        // Another process may have been first.
        const stored = await keys.list();
        const next = nextKeyDue(stored, now, days);
        if (next) await make(keys, next, 'system');
        const over = keysOver(stored, now);
        await keys.remove(over, 'system');
        return (next ? 1 : 0) + over.length;
      });
    },
    rotate: ({ discard }, actor) =>
      store.alone(async (keys) => {
        const others = await keys.list();
        const id = await make(keys, clock.now(), actor);
        // A key scheduled to sign later would replace the new one.
        const waiting = others.filter(({ signsFrom }) => signsFrom > clock.now());
        await keys.remove(
          (discard ? others : waiting).map((key) => key.id),
          actor,
        );
        return id;
      }),
  };
}

/** The signing key first, then those that will sign or have signed. `stored` is newest first. */
function inOrder(stored: readonly StoredSigningKey[], now: Date): StoredSigningKey[] {
  const signing = stored.find(({ signsFrom }) => signsFrom <= now) ?? stored.at(-1);
  return stored.toSorted((a, b) => Number(b === signing) - Number(a === signing));
}

const isKept = (stored: readonly StoredSigningKey[], now: number, days: number): boolean =>
  nextKeyDue(stored, now, days) === null && keysOver(stored, now).length === 0;

/** When the next key will start to sign; null if it need not be published yet. */
function nextKeyDue(stored: readonly StoredSigningKey[], now: number, days: number): Date | null {
  const [newest] = stored;
  if (!newest) return new Date(now);
  const due = newest.signsFrom.getTime() + days * DAY_MS;
  if (due - PUBLISHED_BEFORE_MS > now) return null;
  return new Date(Math.max(due, now + PUBLISHED_BEFORE_MS));
}

/** Ids of keys that stopped signing so long ago that no token of theirs is in use. */
function keysOver(stored: readonly StoredSigningKey[], now: number): string[] {
  return stored.flatMap(({ id }, index) => {
    const replacedAt = stored[index - 1]?.signsFrom.getTime();
    return replacedAt !== undefined && replacedAt + PUBLISHED_AFTER_MS < now ? [id] : [];
  });
}
