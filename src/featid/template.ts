// The template as FeatureIDs store it: quantised to int8 and packed (docs/featid-format.md).
import type { FaceTemplate } from '../contract/face-template.ts';
import { REGION_NAMES, type RegionName } from '../contract/regions.ts';

export type { FaceTemplate };

/**
 * A template as a FeatureID stores it: int8 vectors whose largest component is ±127, not scaled back to unit norm. They
 * are views of the opened bytes, because copying a hundred of them would take longer than comparing them.
 */
export interface QuantisedTemplate {
  readonly packId: string;
  readonly embedding: Int8Array;
  /** Frames averaged into the embedding; null: unknown. */
  readonly frames: number | null;
  readonly regions: Partial<Record<RegionName, Int8Array>>;
}

/** Version of the packing below. A change gets a new number, and the old one stays readable. */
export const TEMPLATE_LAYOUT = 1;

/** Bytes before the values of the embedding. */
const HEAD_BYTES = 4;
const UNKNOWN_FRAMES = 0;
const MAX_FRAMES = 255;

const MAX_EMBEDDING_LENGTH = 4096;
/** Values reserved for every region, used or not, so that the length of a row does not reveal which were visible. */
const REGION_SLOT_BYTES = 512;
const FULL_SCALE = 127;

/** Size in bytes of a packed template whose embedding has this many values. */
export function packedLength(embeddingLength: number): number {
  return HEAD_BYTES + embeddingLength + REGION_NAMES.length * (2 + REGION_SLOT_BYTES);
}

/**
 * Packs a template, little endian: layout (1 byte), frames averaged (1 byte, 0: unknown, 255: as many or more), length
 * of the embedding (uint16) and its int8 values; then, for each region in the order of REGION_NAMES, the length of its
 * descriptor (uint16, 0 if it was not visible) and 512 bytes that begin with its int8 values and end with zeros.
 * Vectors are scaled so that the largest component is ±127; as they have unit norm, the scale need not be stored.
 * @throws RangeError for a vector that is empty, too long or not finite, which is a bug of the caller.
 */
export function packTemplate(template: FaceTemplate): Buffer {
  const { embedding, regions, frames } = template;
  const packed = Buffer.alloc(packedLength(embedding.length));
  packed[0] = TEMPLATE_LAYOUT;
  packed[1] = Math.min(MAX_FRAMES, frames ?? UNKNOWN_FRAMES);
  packVector(embedding, packed, 2, MAX_EMBEDDING_LENGTH);
  let at = HEAD_BYTES + embedding.length;
  for (const name of REGION_NAMES) {
    const descriptor = regions[name];
    if (descriptor) packVector(descriptor, packed, at, REGION_SLOT_BYTES);
    at += 2 + REGION_SLOT_BYTES;
  }
  return packed;
}

/** Reads the output of {@link packTemplate} without copying it; undefined for anything else. */
export function readTemplate(packId: string, packed: Buffer): QuantisedTemplate | undefined {
  if (packed[0] !== TEMPLATE_LAYOUT || packed.length < packedLength(0)) return undefined;
  const embeddingLength = packed.readUInt16LE(2);
  if (embeddingLength === 0 || embeddingLength > MAX_EMBEDDING_LENGTH) return undefined;
  if (packed.length !== packedLength(embeddingLength)) return undefined;
  const bytes = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  const embedding = bytes.subarray(HEAD_BYTES, HEAD_BYTES + embeddingLength);
  if (isZero(embedding)) return undefined;
  const regions = readRegions(packed, bytes, HEAD_BYTES + embeddingLength);
  if (!regions) return undefined;
  const frames = packed[1]!;
  return { packId, embedding, regions, frames: frames === UNKNOWN_FRAMES ? null : frames };
}

/** The descriptors that begin at `at`; undefined if one cannot have been packed by {@link packTemplate}. */
function readRegions(
  packed: Buffer,
  bytes: Int8Array,
  at: number,
): Partial<Record<RegionName, Int8Array>> | undefined {
  const regions: Partial<Record<RegionName, Int8Array>> = {};
  for (const name of REGION_NAMES) {
    const length = packed.readUInt16LE(at);
    if (length > REGION_SLOT_BYTES) return undefined;
    if (length > 0) {
      const descriptor = bytes.subarray(at + 2, at + 2 + length);
      if (isZero(descriptor)) return undefined;
      regions[name] = descriptor;
    }
    at += 2 + REGION_SLOT_BYTES;
  }
  return regions;
}

/** The template in floating point with unit-norm vectors, for use as a probe and to measure the loss from packing. */
export function restoreTemplate({ packId, embedding, regions, frames }: QuantisedTemplate): FaceTemplate {
  const restored = Object.entries(regions).map(([name, descriptor]) => [name, toUnitNorm(descriptor)]);
  return { packId, embedding: toUnitNorm(embedding), regions: Object.fromEntries(restored), frames };
}

/** {@link readTemplate} and {@link restoreTemplate} in one. */
export function unpackTemplate(packId: string, packed: Buffer): FaceTemplate | undefined {
  const read = readTemplate(packId, packed);
  return read && restoreTemplate(read);
}

/** Writes the length (uint16) and the values, scaled so that the largest is ±127. */
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

/** Stops at the first non-zero value, which is nearly always the first. */
function isZero(vector: Int8Array): boolean {
  return !vector.some((value) => value !== 0);
}

function toUnitNorm(vector: Int8Array): Float32Array {
  let squaredNorm = 0;
  for (const value of vector) squaredNorm += value * value;
  const gain = 1 / Math.sqrt(squaredNorm);
  return Float32Array.from(vector, (value) => value * gain);
}
