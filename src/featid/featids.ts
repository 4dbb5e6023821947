// FeatureIDs: made at the end of a passed challenge, checked when a challenge names them, opened when it is judged.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import type { FeatidRefusal } from '../contract/problem.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { type KeyShredder, newErasureKey } from '../keys/erasure-key.ts';
import { openRecord, SEAL_OVERHEAD_BYTES, sealRecord } from '../keys/seal.ts';
import { type FeatidParts, generateFeatid, parseFeatid } from './featid-text.ts';
import type { FeatidStore, NewFeatidRow, StoredFeatid } from './ports.ts';
import {
  type FaceTemplate,
  packedLength,
  packTemplate,
  type QuantisedTemplate,
  readTemplate,
  TEMPLATE_LAYOUT,
} from './template.ts';
import { maskTemplate } from './template-mask.ts';

type FeatidCheck =
  | { readonly ok: true; readonly id: string; readonly pausedForSeconds: number | null }
  | { readonly ok: false; readonly code: FeatidRefusal };
type FeatidOutcome = { readonly ok: true } | { readonly ok: false; readonly code: FeatidRefusal };
type OpenedFeatid =
  | { readonly ok: true; readonly id: string; readonly template: QuantisedTemplate }
  | { readonly ok: false; readonly code: FeatidRefusal };

export interface Featids {
  /** Seals a template into a new FeatureID. The row is not yet written: it belongs into the completing transaction. */
  create(input: {
    accountId: string;
    challengeId: string | null;
    template: FaceTemplate;
  }): Promise<{ featid: string; row: NewFeatidRow }>;
  /** A FeatureID of the sandbox: no template stands behind it, and it is never compared with a face. */
  createForSandbox(input: { accountId: string; challengeId: string }): Promise<{
    featid: string;
    row: NewFeatidRow;
  }>;
  /** Whether each can be compared with, in order. Opens every template: a wrong key is found here, not later. */
  check(accountId: string, featids: readonly string[]): Promise<FeatidCheck[]>;
  /** The templates, in order, for a comparison; notes their use. */
  openAll(accountId: string, featids: readonly string[]): Promise<OpenedFeatid[]>;
  /** Destroys the template of a FeatureID of this account, of whatever pack; answers when its key is off the disk. */
  revoke(accountId: string, featid: string, actor: string): Promise<FeatidOutcome>;
  /** Ends the pause of a FeatureID of this account after failed guesses; well where there was none. */
  unlock(accountId: string, featid: string, actor: string): Promise<FeatidOutcome>;
}

/** Pack of the sandbox's FeatureIDs, which no recogniser has. */
const SANDBOX_PACK = 'sandbox';
/** Key purpose of the account's half. */
const PURPOSE = 'featid-template';
/** The size of the default recogniser's: what stands in for a missing one is opened in vain for as long. */
const STAND_IN_BYTES = SEAL_OVERHEAD_BYTES + packedLength(192);
const KEY_CHECK_BYTES = 16;
const NO_KEY_CHECK = Buffer.alloc(KEY_CHECK_BYTES);

export function createFeatids(parts: {
  keys: AccountKeys;
  keyShredder: Pick<KeyShredder, 'shredNow'>;
  store: FeatidStore;
  /** Name of this deployment; FeatureIDs do not cross regions. */
  region: string;
  /** Recogniser packs that can be compared with now. */
  usablePacks: readonly string[];
}): Featids {
  const { keys, keyShredder, store, region, usablePacks } = parts;

  const openOne = (accountKey: Buffer, accountId: string, parsed: FeatidParts, row: StoredFeatid): Opened => {
    const recordKey = joinKeys(parsed.key, accountKey);
    const packed = openTemplate(recordKey, { accountId, region, row });
    if (!packed) {
      const isRevoked = isKeyOf(recordKey, row) && row.status === 'tombstone';
      return { status: 'refused', code: isRevoked ? 'featid_revoked' : 'featid_unknown' };
    }
    const { id, useIsNoted, pausedForSeconds } = row;
    const opened = { status: 'opened', id, useIsNoted, pausedForSeconds } as const;
    if (row.pack === SANDBOX_PACK) return { ...opened, template: 'sandbox' };
    return {
      ...opened,
      template: usablePacks.includes(row.pack) ? readTemplate(row.pack, packed) : undefined,
    };
  };
  const openMany = async (accountId: string, texts: readonly string[]): Promise<Opened[]> => {
    const parsed = texts.map(parseFeatid);
    const wanted = [...new Set(parsed.flatMap((featid) => featid?.id ?? []))];
    const [accountKey, rows] = await Promise.all([
      keys.deriveKey(accountId, PURPOSE),
      wanted.length > 0 ? store.findMany(accountId, wanted, STAND_IN_BYTES) : [],
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return parsed.map((featid) =>
      featid
        ? openOne(accountKey, accountId, featid, byId.get(featid.id)!)
        : { status: 'refused', code: 'featid_invalid' },
    );
  };

  const sealOne = async (accountId: string, challengeId: string | null, pack: string, packed: Uint8Array) => {
    const { id, key, text } = generateFeatid();
    const place = { accountId, region, row: { id, pack, layout: TEMPLATE_LAYOUT } };
    const recordKey = joinKeys(key, await keys.deriveKey(accountId, PURPOSE));
    const erasureKey = newErasureKey();
    const sealed = sealRecord(recordKey, PURPOSE, packed, describePlace(place));
    const sealedTemplate = maskTemplate(erasureKey, sealed);
    const keyCheck = keyCheckOf(recordKey, id);
    return {
      featid: text,
      row: { ...place.row, accountId, challengeId, sealedTemplate, erasureKey, keyCheck },
    };
  };

  return {
    create: ({ accountId, challengeId, template }) =>
      sealOne(accountId, challengeId, template.packId, packTemplate(template)),
    createForSandbox: ({ accountId, challengeId }) =>
      sealOne(accountId, challengeId, SANDBOX_PACK, new Uint8Array()),
    check: async (accountId, featids) =>
      (await openMany(accountId, featids)).map((opened) => {
        const result = requireTemplate(opened);
        const isSandbox = opened.status === 'opened' && opened.template === 'sandbox';
        if (opened.status === 'opened' && (result.ok || isSandbox)) {
          return { ok: true, id: opened.id, pausedForSeconds: opened.pausedForSeconds };
        }
        return result as Extract<typeof result, { ok: false }>;
      }),
    openAll: async (accountId, featids) => {
      const opened = await openMany(accountId, featids);
      const results = opened.map(requireTemplate);
      const unnoted = opened.flatMap((each, at) =>
        each.status === 'opened' && !each.useIsNoted && results[at]!.ok ? [each.id] : [],
      );
      if (unnoted.length > 0) await store.noteUse(accountId, unnoted);
      return results;
    },
    revoke: async (accountId, featid, actor) => {
      const [opened] = await openMany(accountId, [featid]);
      if (opened?.status !== 'opened') return { ok: false, code: opened?.code ?? 'featid_invalid' };
      const revoked = await store.revoke(accountId, opened.id, actor);
      if (revoked) await keyShredder.shredNow();
      return revoked ? { ok: true } : { ok: false, code: 'featid_revoked' };
    },
    unlock: async (accountId, featid, actor) => {
      const [opened] = await openMany(accountId, [featid]);
      if (opened?.status !== 'opened') return { ok: false, code: opened?.code ?? 'featid_invalid' };
      await store.unlock(accountId, opened.id, actor);
      return { ok: true };
    },
  };
}

type Opened =
  | { status: 'refused'; code: FeatidRefusal }
  /** The key is right; the template is there unless its pack or layout is none of ours any more, or there is none. */
  | {
      status: 'opened';
      id: string;
      useIsNoted: boolean;
      pausedForSeconds: number | null;
      template: QuantisedTemplate | 'sandbox' | undefined;
    };

interface Place {
  readonly accountId: string;
  readonly region: string;
  readonly row: Pick<StoredFeatid, 'id' | 'pack' | 'layout'>;
}

function requireTemplate(opened: Opened): OpenedFeatid {
  if (opened.status === 'refused') return { ok: false, code: opened.code };
  const { id, template } = opened;
  if (template === undefined || template === 'sandbox') return { ok: false, code: 'featid_pack_retired' };
  return { ok: true, id, template };
}

function openTemplate(recordKey: Buffer, place: Place & { row: StoredFeatid }): Buffer | undefined {
  try {
    const sealed = maskTemplate(place.row.erasureKey, place.row.sealedTemplate);
    return openRecord(recordKey, PURPOSE, sealed, describePlace(place));
  } catch (error) {
    if (error instanceof Fault && error.code === 'SEAL_BROKEN') return undefined;
    throw error;
  }
}

/** Kept beside the template and after it: only the holder of the string hears that it was revoked. */
function keyCheckOf(recordKey: Buffer, id: string): Buffer {
  const check = createHmac('sha256', recordKey).update(`likeness featid key check v1\0${id}`).digest();
  return check.subarray(0, KEY_CHECK_BYTES);
}

function isKeyOf(recordKey: Buffer, row: StoredFeatid): boolean {
  const kept = row.keyCheck.length === KEY_CHECK_BYTES ? row.keyCheck : NO_KEY_CHECK;
  return timingSafeEqual(keyCheckOf(recordKey, row.id), kept);
}

/** Input of the record's own HKDF. Both halves have 32 bytes, so it reads in one way only. */
function joinKeys(stringKey: Uint8Array, accountKey: Uint8Array): Buffer {
  return Buffer.concat([stringKey, accountKey]);
}

/** Associated data: a sealed template opens in its own place only. */
function describePlace({ accountId, region, row }: Place): string {
  return JSON.stringify([row.id, accountId, region, row.pack, row.layout]);
}
