// Renewals of a FeatureID: embeddings of later captures that passed. Each is a record beside the template, which stays
// as enrolled. Renewals are sealed like the template, so that only a holder of the string can open them.
import { randomBytes } from 'node:crypto';
import { toBase62 } from '../base/checked-token.ts';
import { Fault } from '../base/errors.ts';
import type { CaptureEmbedding } from '../contract/face-template.ts';
import { newErasureKey } from '../keys/erasure-key.ts';
import { openRecord, sealRecord } from '../keys/seal.ts';
import type { StoredFeatid, StoredRenewal } from './ports.ts';
import { MAX_EMBEDDING_LENGTH, MAX_FRAMES, packVector, UNKNOWN_FRAMES } from './template.ts';
import { maskTemplate } from './template-mask.ts';

/** Version of the packing below. */
export const RENEWAL_LAYOUT = 1;
/** Key purpose. It differs from the template's, so that neither can be opened as the other. */
const RENEWAL_PURPOSE = 'featid-renewal';
const HEAD_BYTES = 4;

/** The FeatureID that a renewal is bound to. */
interface RenewalContext {
  readonly accountId: string;
  readonly region: string;
  readonly row: Pick<StoredFeatid, 'id' | 'pack'>;
}

/**
 * Packs a capture's embedding: layout (1 byte), frames averaged (1 byte, 0: unknown, 255: as many or more), its length
 * (uint16, little endian) and its values in int8, the largest ±127.
 * @throws RangeError for a vector that is empty, too long or not finite, which is a bug of the caller.
 */
export function packCapture({ embedding, frames }: CaptureEmbedding): Buffer {
  const packed = Buffer.alloc(HEAD_BYTES + embedding.length);
  packed[0] = RENEWAL_LAYOUT;
  packed[1] = Math.min(MAX_FRAMES, frames ?? UNKNOWN_FRAMES);
  packVector(embedding, packed, 2, MAX_EMBEDDING_LENGTH);
  return packed;
}

/** Reads the output of {@link packCapture} without copying it; undefined for anything else. */
export function readCapture(packed: Buffer): CaptureEmbedding | undefined {
  if (packed[0] !== RENEWAL_LAYOUT || packed.length <= HEAD_BYTES) return undefined;
  if (packed.readUInt16LE(2) !== packed.length - HEAD_BYTES) return undefined;
  if (packed.length - HEAD_BYTES > MAX_EMBEDDING_LENGTH) return undefined;
  const embedding = new Int8Array(packed.buffer, packed.byteOffset, packed.length).subarray(HEAD_BYTES);
  if (!embedding.some((value) => value !== 0)) return undefined;
  return { embedding, frames: packed[1] === UNKNOWN_FRAMES ? null : packed[1]! };
}

/** Seals a capture as a renewal of the context's FeatureID, under the key that sealed its template. */
export function sealRenewal(recordKey: Buffer, context: RenewalContext, capture: CaptureEmbedding) {
  const id = toBase62(randomBytes(16));
  const erasureKey = newErasureKey();
  const sealed = sealRecord(recordKey, RENEWAL_PURPOSE, packCapture(capture), associatedData(context, id));
  return { id, layout: RENEWAL_LAYOUT, sealedEmbedding: maskTemplate(erasureKey, sealed), erasureKey };
}

/** The embedding; undefined if the key is wrong, or the renewal was erased, moved or altered, or has another layout. */
export function openRenewal(
  recordKey: Buffer,
  context: RenewalContext,
  renewal: StoredRenewal,
): CaptureEmbedding | undefined {
  try {
    const sealed = maskTemplate(renewal.erasureKey, renewal.sealedEmbedding);
    return readCapture(openRecord(recordKey, RENEWAL_PURPOSE, sealed, associatedData(context, renewal.id)));
  } catch (error) {
    if (error instanceof Fault && error.code === 'SEAL_BROKEN') return undefined;
    throw error;
  }
}

/** Associated data, which binds a renewal to its own row, FeatureID, account, region and pack. */
function associatedData({ accountId, region, row }: RenewalContext, renewalId: string): string {
  return JSON.stringify([renewalId, row.id, accountId, region, row.pack]);
}
