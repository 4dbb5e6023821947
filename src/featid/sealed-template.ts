// Seals and opens the template of a FeatureID. One half of the key is in the string, the other belongs to the account.
// The seal is valid only for its own row, account and region, and is masked by a key that erasure destroys.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import { newErasureKey } from '../keys/erasure-key.ts';
import { openRecord, SEAL_OVERHEAD_BYTES, sealRecord } from '../keys/seal.ts';
import type { FeatidParts } from './featid-text.ts';
import type { StoredFeatid } from './tables/store.ts';
import { packedLength } from './template.ts';
import { maskTemplate } from './template-mask.ts';

/** Key purpose of the account's half. */
export const TEMPLATE_PURPOSE = 'featid-template';
/** Size of the default recogniser's template, so that opening the stand-in for a missing one takes as long. */
export const PLACEHOLDER_BYTES = SEAL_OVERHEAD_BYTES + packedLength(192);
const KEY_CHECK_BYTES = 16;
const NO_KEY_CHECK = Buffer.alloc(KEY_CHECK_BYTES);

/** The context that a template's seal is bound to. */
export interface SealContext {
  readonly accountId: string;
  readonly region: string;
  readonly row: Pick<StoredFeatid, 'id' | 'pack' | 'layout' | 'source'>;
}

/** Seals a packed template. The key check outlives the template (`isKeyOf`). */
export function sealTemplate(recordKey: Buffer, context: SealContext, packed: Uint8Array) {
  const erasureKey = newErasureKey();
  const sealed = sealRecord(recordKey, TEMPLATE_PURPOSE, packed, associatedData(context));
  return {
    sealedTemplate: maskTemplate(erasureKey, sealed),
    erasureKey,
    keyCheck: keyCheckOf(recordKey, context.row.id),
  };
}

/** The packed template; undefined if the key is wrong, or the template was erased, moved or altered. */
export function openTemplate(
  recordKey: Buffer,
  context: SealContext & { row: StoredFeatid },
): Buffer | undefined {
  try {
    const sealed = maskTemplate(context.row.erasureKey, context.row.sealedTemplate);
    return openRecord(recordKey, TEMPLATE_PURPOSE, sealed, associatedData(context));
  } catch (error) {
    if (error instanceof Fault && error.code === 'SEAL_BROKEN') return undefined;
    throw error;
  }
}

/**
 * Whether this key sealed the row's template, even if that has been erased. Thus only a holder of the string learns
 * that it was revoked.
 */
export function isKeyOf(recordKey: Buffer, row: StoredFeatid): boolean {
  const kept = row.keyCheck.length === KEY_CHECK_BYTES ? row.keyCheck : NO_KEY_CHECK;
  return timingSafeEqual(keyCheckOf(recordKey, row.id), kept);
}

function keyCheckOf(recordKey: Buffer, id: string): Buffer {
  const check = createHmac('sha256', recordKey).update(`likeness featid key check v1\0${id}`).digest();
  return check.subarray(0, KEY_CHECK_BYTES);
}

/** Input of the record's HKDF: the string's half, then the account's. Both have 32 bytes, so it is unambiguous. */
export function joinKeys(stringKey: FeatidParts['key'], accountKey: Uint8Array): Buffer {
  return Buffer.concat([stringKey, accountKey]);
}

/** Associated data, which binds a sealed template to its own row, account, region and source. */
function associatedData({ accountId, region, row }: SealContext): string {
  return JSON.stringify([row.id, accountId, region, row.pack, row.layout, row.source]);
}
