// The passkeys of FeatureIDs: what the page is to ask a device for, whether its answer holds, and which devices there
// are.
import { createHash } from 'node:crypto';
import { randomId } from '../base/ids.ts';
import { randomSecret } from '../base/secrets.ts';
import type { Device, KnownPasskey, MadePasskey, PasskeySignature } from '../contract/device.ts';
import type { FeatidRefusal } from '../contract/problem.ts';
import type { Featids } from '../featid/featids.ts';
import type { Custody } from '../keys/account-keys.ts';
import { newErasureKey } from '../keys/erasure-key.ts';
import type { NewPasskey, PasskeyStore, StoredPasskey } from './tables/store.ts';
import {
  type Expected,
  type NewKey,
  type OwnedKey,
  type PasskeyKey,
  verifyNewKey,
  verifySignature,
  type WantsAttestation,
} from './verify.ts';

const PURPOSE = 'passkey';
/** Random bytes of a user handle: it says nothing about the person (WebAuthn 14.6.1). */
const USER_HANDLE_BYTES = 32;

/** What is sealed of a passkey. */
interface Sealed extends OwnedKey {
  /** ISO 8601. Not a column: it would tell which challenge added it. */
  readonly since: string;
}

/** A passkey that is known, and of which FeatureID. */
export interface OpenPasskey extends Sealed {
  readonly id: string;
  readonly featidId: string;
}

/** What a device is to have signed. */
export interface Signed {
  readonly challengeId: string;
  /** Head of the chain of the recording's slices, 32 bytes (contract/device.ts). */
  readonly head: Uint8Array;
}

export interface Passkeys {
  readonly rpId: string;
  /** A user handle for a passkey that the page may make. */
  newUserId(): string;
  /** The passkeys of the FeatureIDs that an open challenge compares with, the oldest first. */
  ofChallenge(challengeId: string): Promise<OpenPasskey[]>;
  ofFeatids(accountId: string, featidIds: readonly string[]): Promise<OpenPasskey[]>;
  /** The new passkey; null if the answer does not hold. `wants`: by default, none with certificates. */
  verifyNew(made: MadePasskey, signed: Signed, wants?: WantsAttestation): Promise<NewKey | null>;
  /** What a signature of this passkey shows; null if it does not hold. */
  verify(
    signature: PasskeySignature,
    key: OwnedKey,
    signed: Signed,
  ): Promise<{ readonly signCount: number; readonly backedUp: boolean } | null>;
  /** Seals a new passkey, made at `since` (ISO 8601). It does not write the row; the completing transaction does. */
  seal(accountId: string, key: NewKey, since: string): Promise<NewPasskey>;
  /** The devices of one of the account's FeatureIDs. */
  list(accountId: string, featid: string): Promise<DevicesOutcome>;
  /** Erases one device; false if the account has none of this id. */
  revoke(accountId: string, deviceId: string, actor: string): Promise<boolean>;
}

export type DevicesOutcome =
  | { readonly ok: true; readonly devices: Device[] }
  | { readonly ok: false; readonly code: FeatidRefusal };

export function createPasskeys(parts: {
  readonly store: PasskeyStore;
  readonly custody: Custody;
  readonly featids: Pick<Featids, 'check'>;
  /** Where the capture page is served. */
  readonly baseUrl: string;
  /** A parent domain of its host; undefined: the host itself. */
  readonly rpId?: string | undefined;
}): Passkeys {
  const { store, custody, featids } = parts;
  const { origin, hostname } = new URL(parts.baseUrl);
  const { rpId = hostname } = parts;
  const expected = (signed: Signed): Expected => ({ origin, rpId, challenge: challengeOf(signed) });
  const open = async (row: StoredPasskey): Promise<OpenPasskey> => {
    const opened = await custody.open(row, PURPOSE, row.sealedPasskey, row.id);
    return { ...(JSON.parse(opened.toString('utf8')) as Sealed), id: row.id, featidId: row.featidId };
  };
  const openAll = async (rows: Promise<StoredPasskey[]>) =>
    (await Promise.all((await rows).map(open))).sort((a, b) =>
      `${a.since} ${a.id}`.localeCompare(`${b.since} ${b.id}`),
    );
  return {
    rpId,
    newUserId: () => randomSecret(USER_HANDLE_BYTES),
    ofChallenge: (challengeId) => openAll(store.ofChallenge(challengeId)),
    ofFeatids: (accountId, featidIds) => openAll(store.ofFeatids(accountId, featidIds)),
    verifyNew: (made, signed, wants) => verifyNewKey(made, expected(signed), wants),
    verify: (signature, key, signed) => verifySignature(signature, key, expected(signed)),
    seal: async (accountId, { signCount, ...key }, since) => {
      // Of a time, it would tell which challenge added the device.
      const row = { id: randomId('device'), accountId, erasureKey: newErasureKey() };
      const sealed: Sealed = { ...key, since };
      const bytes = Buffer.from(JSON.stringify(sealed));
      return { ...row, signCount, sealedPasskey: await custody.seal(row, PURPOSE, bytes, row.id) };
    },
    list: async (accountId, featid) => {
      const [checked] = await featids.check(accountId, [featid]);
      if (!checked?.ok) return { ok: false, code: checked?.code ?? 'featid_invalid' };
      const found = await openAll(store.ofFeatids(accountId, [checked.id]));
      return { ok: true, devices: found.map(deviceOf) };
    },
    revoke: (accountId, deviceId, actor) => store.erase(accountId, deviceId, actor),
  };
}

/** How many of these passkeys each FeatureID has, of those that have any. */
export function countByFeatid(passkeys: readonly OpenPasskey[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { featidId } of passkeys) counts.set(featidId, (counts.get(featidId) ?? 0) + 1);
  return counts;
}

/** A passkey as the page asks for it. */
export const knownPasskey = ({ credentialId, transports }: PasskeyKey): KnownPasskey => ({
  id: credentialId,
  transports: [...transports],
});

const deviceOf = ({ id, since, backedUp, transports }: OpenPasskey): Device => ({
  device_id: id,
  since,
  backed_up: backedUp,
  transports: [...transports],
});

/** What the device signs (contract/device.ts). */
function challengeOf({ challengeId, head }: Signed): Buffer {
  return createHash('sha256').update(challengeId).update(head).digest();
}
