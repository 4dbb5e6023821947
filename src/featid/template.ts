// The template as FeatureIDs keep it: quantised to int8 and packed, layout 1 (docs/featid-format.md).
import { REGION_NAMES, type RegionName } from '../contract/regions.ts';

/** A biometric template; src/evaluation makes and compares them. All vectors have unit norm. */
export interface FaceTemplate {
  /** Recogniser pack that made it; templates of different packs cannot be compared. */
  readonly packId: string;
  readonly embedding: Float32Array;
  /** Descriptor of each region that could be seen. */
  readonly regions: Partial<Record<RegionName, Float32Array>>;
}

/** Number of the packing below; a change of it gets a new number and keeps reading the old. */
export const TEMPLATE_LAYOUT = 1;

const MAX_EMBEDDING_LENGTH = 4096;
/** Every region has room for this many values, used or not: the length of a row must not tell which could be seen. */
const REGION_ROOM = 512;
const FULL_SCALE = 127;

/** Bytes of a packed template whose embedding has this many values. */
export function packedLength(embeddingLength: number): number {
  return 1 + 2 + embeddingLength + REGION_NAMES.length * (2 + REGION_ROOM);
}

/**
 * Packs a template: layout (1 byte), length of the embedding (uint16) and its int8 values; then for each region in the
 * order of REGION_NAMES the length of its descriptor (uint16, 0 where it was not seen) and 512 bytes that begin with its
 * int8 values and end with zeros. Little endian. Vectors are scaled so that the largest component is ±127; as they have
 * unit norm, the scale need not be kept.
 * @throws RangeError for a vector that is empty, too long, or not of finite numbers: the caller's bug.
 */
export function packTemplate(template: FaceTemplate): Buffer {
  const { embedding, regions } = template;
  const packed = Buffer.alloc(packedLength(embedding.length));
  packed[0] = TEMPLATE_LAYOUT;
  packVector(embedding, packed, 1, MAX_EMBEDDING_LENGTH);
  let at = 3 + embedding.length;
  for (const name of REGION_NAMES) {
    const descriptor = regions[name];
    if (descriptor) packVector(descriptor, packed, at, REGION_ROOM);
    at += 2 + REGION_ROOM;
  }
  return packed;
}

/** Unpacks what {@link packTemplate} made; undefined for anything else. */
export function unpackTemplate(packId: string, packed: Buffer): FaceTemplate | undefined {
  if (packed[0] !== TEMPLATE_LAYOUT || packed.length < packedLength(0)) return undefined;
  const embeddingLength = packed.readUInt16LE(1);
  if (embeddingLength === 0 || embeddingLength > MAX_EMBEDDING_LENGTH) return undefined;
  if (packed.length !== packedLength(embeddingLength)) return undefined;
  const bytes = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  // One allocation for all vectors: thirteen take longer than everything else here together.
  const values = new Float32Array(embeddingLength + REGION_NAMES.length * REGION_ROOM);
  const unpackVector = (from: number, to: number, length: number): Float32Array | undefined => {
    // The copy converts, much faster than a loop would.
    values.set(bytes.subarray(from, from + length), to);
    return toUnitNorm(values, to, to + length) ? values.subarray(to, to + length) : undefined;
  };
  const embedding = unpackVector(3, 0, embeddingLength);
  if (!embedding) return undefined;
  const regions: Partial<Record<RegionName, Float32Array>> = {};
  let at = 3 + embeddingLength;
  let to = embeddingLength;
  for (const name of REGION_NAMES) {
    const length = packed.readUInt16LE(at);
    if (length > REGION_ROOM) return undefined;
    if (length > 0) {
      const descriptor = unpackVector(at + 2, to, length);
      if (!descriptor) return undefined;
      regions[name] = descriptor;
    }
    at += 2 + REGION_ROOM;
    to += REGION_ROOM;
  }
  return { packId, embedding, regions };
}

function packVector(vector: Float32Array, packed: Buffer, at: number, maxLength: number): void {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (vector.length > maxLength || !(largest > 0) || !Number.isFinite(largest)) {
    throw new RangeError('a template vector is empty, too long, or not finite');
  }
  packed.writeUInt16LE(vector.length, at);
  for (let index = 0; index < vector.length; index++) {
    packed.writeInt8(Math.round((vector[index]! / largest) * FULL_SCALE), at + 2 + index);
  }
}

/**
 * Scales the values from `from` to before `to`; false where all of them are zero. Four at a time: the sums do not wait
 * for each other (bench/featid-compare.ts: a quarter of the time of a plain loop).
 */
function toUnitNorm(values: Float32Array, from: number, to: number): boolean {
  const lastFour = to - 3;
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = from;
  for (; at < lastFour; at += 4) {
    a += values[at]! * values[at]!;
    b += values[at + 1]! * values[at + 1]!;
    c += values[at + 2]! * values[at + 2]!;
    d += values[at + 3]! * values[at + 3]!;
  }
  for (; at < to; at++) a += values[at]! * values[at]!;
  const squaredNorm = a + b + c + d;
  const gain = 1 / Math.sqrt(squaredNorm);
  for (at = from; at < lastFour; at += 4) {
    values[at] = values[at]! * gain;
    values[at + 1] = values[at + 1]! * gain;
    values[at + 2] = values[at + 2]! * gain;
    values[at + 3] = values[at + 3]! * gain;
  }
  for (; at < to; at++) values[at] = values[at]! * gain;
  return squaredNorm > 0;
}
