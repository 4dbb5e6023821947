// tfjs weight shards → float32 or int32 arrays, with the quantisations that tfjs defines.
// Shared by graph models (human) and by face-api's bare weight manifests.

/** One entry of a tfjs weight manifest, in the order in which the shards hold them. */
export interface WeightSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly quantization?: {
    readonly dtype: 'uint8' | 'uint16' | 'float16';
    readonly scale?: number;
    readonly min?: number;
  };
}

/**
 * A constant of a network. int32 values (shapes, axes) are stored as floats too, which hold all that occur here
 * exactly.
 */
export interface Weight {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Splits a shard file into named weights. Throws RangeError when sizes do not add up, Error on an unknown type. */
export function readWeights(specs: readonly WeightSpec[], shard: Uint8Array): Map<string, Weight> {
  const view = new DataView(shard.buffer, shard.byteOffset, shard.byteLength);
  const weights = new Map<string, Weight>();
  let offset = 0;
  for (const spec of specs) {
    const size = spec.shape.reduce((product, dim) => product * dim, 1);
    const kind = spec.quantization?.dtype ?? spec.dtype;
    const width = BYTES[kind];
    if (width === undefined) throw new Error(`weight ${spec.name} has the unknown type ${kind}`);
    if (offset + size * width > shard.length) throw new RangeError(`weights end before ${spec.name}`);
    weights.set(spec.name, { shape: spec.shape, data: decode(view, offset, size, kind, spec) });
    offset += size * width;
  }
  if (offset !== shard.length) throw new RangeError(`${shard.length - offset} bytes after the last weight`);
  return weights;
}

const BYTES: Readonly<Record<string, number>> = { float32: 4, int32: 4, uint8: 1, uint16: 2, float16: 2 };

function decode(view: DataView, offset: number, size: number, kind: string, spec: WeightSpec): Float32Array {
  const out = new Float32Array(size);
  const scale = spec.quantization?.scale ?? 1;
  const min = spec.quantization?.min ?? 0;
  for (let i = 0; i < size; i++) {
    if (kind === 'float32') out[i] = view.getFloat32(offset + i * 4, true);
    else if (kind === 'int32') out[i] = view.getInt32(offset + i * 4, true);
    else if (kind === 'uint8') out[i] = view.getUint8(offset + i) * scale + min;
    else if (kind === 'uint16') out[i] = view.getUint16(offset + i * 2, true) * scale + min;
    else out[i] = halfToFloat(view.getUint16(offset + i * 2, true));
  }
  return out;
}

/** IEEE 754 binary16 → number. */
function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}
