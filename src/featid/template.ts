// The template as FeatureIDs keep it: quantised to int8 and packed into few hundred bytes, layout 1 (docs: featid).
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

const MAX_VECTOR_LENGTH = 4096;
const FULL_SCALE = 127;

/**
 * Packs a template: layout (1 byte), length of the embedding (uint16), its int8 values, a uint16 whose bit i says that
 * region i of REGION_NAMES follows, then length and values of each. Little endian. Vectors are scaled so that the
 * largest component is ±127; as they have unit norm, the scale need not be kept.
 * @throws RangeError for a vector that is empty, too long, or not of finite numbers: the caller's bug.
 */
export function packTemplate(template: FaceTemplate): Buffer {
  let mask = 0;
  const regions: Buffer[] = [];
  REGION_NAMES.forEach((name, index) => {
    const descriptor = template.regions[name];
    if (!descriptor) return;
    mask |= 1 << index;
    regions.push(packVector(descriptor));
  });
  const present = Buffer.alloc(2);
  present.writeUInt16LE(mask);
  return Buffer.concat([Buffer.of(TEMPLATE_LAYOUT), packVector(template.embedding), present, ...regions]);
}

/** Unpacks what {@link packTemplate} made; undefined for anything else. */
export function unpackTemplate(packId: string, packed: Buffer): FaceTemplate | undefined {
  const reader = { packed, at: 1 };
  if (packed[0] !== TEMPLATE_LAYOUT) return undefined;
  const embedding = unpackVector(reader);
  if (!embedding || reader.at + 2 > packed.length) return undefined;
  const mask = packed.readUInt16LE(reader.at);
  reader.at += 2;
  if (mask >> REGION_NAMES.length) return undefined;
  const regions: Partial<Record<RegionName, Float32Array>> = {};
  for (const [index, name] of REGION_NAMES.entries()) {
    if (!(mask & (1 << index))) continue;
    const descriptor = unpackVector(reader);
    if (!descriptor) return undefined;
    regions[name] = descriptor;
  }
  return reader.at === packed.length ? { packId, embedding, regions } : undefined;
}

function packVector(vector: Float32Array): Buffer {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (vector.length > MAX_VECTOR_LENGTH || !(largest > 0) || !Number.isFinite(largest)) {
    throw new RangeError('a template vector is empty, too long, or not finite');
  }
  const packed = Buffer.alloc(2 + vector.length);
  packed.writeUInt16LE(vector.length);
  vector.forEach((value, index) => {
    packed.writeInt8(Math.round((value / largest) * FULL_SCALE), 2 + index);
  });
  return packed;
}

function unpackVector(reader: { packed: Buffer; at: number }): Float32Array | undefined {
  const { packed, at } = reader;
  if (at + 2 > packed.length) return undefined;
  const length = packed.readUInt16LE(at);
  const end = at + 2 + length;
  if (length === 0 || length > MAX_VECTOR_LENGTH || end > packed.length) return undefined;
  const values = new Int8Array(packed.buffer, packed.byteOffset + at + 2, length);
  let sumOfSquares = 0;
  for (let index = 0; index < length; index++) sumOfSquares += values[index]! * values[index]!;
  if (sumOfSquares === 0) return undefined;
  const scale = 1 / Math.sqrt(sumOfSquares);
  const vector = new Float32Array(length);
  for (let index = 0; index < length; index++) vector[index] = values[index]! * scale;
  reader.at = end;
  return vector;
}
