// Pads channels that do not fill the blocks of the runtime's convolutions, as in a pruned network, with zeros, which
// changes no output. Used at set-up only.
import { OnnxEdit, type ReadNode } from './edit-onnx.ts';
import { prelu } from './prelu.ts';
import type { Weight } from './weights.ts';

/**
 * Channels per block of the runtime's convolutions: 16 with AVX-512, 8 with AVX2. Depthwise convolutions with other
 * numbers of channels run outside that layout, several times as slowly, and every tensor is copied out and back.
 */
const BLOCK = 16;

/**
 * The model with every `Conv → PRelu (→ depthwise Conv → PRelu …) → Conv` widened to full blocks. Its PReLUs, and those
 * that have full blocks already, are written as in prelu.ts. Zero filters give zero, which a PReLU keeps and the last
 * convolution weights with zero, so outputs differ only by the order of their sums (for MiniFASNet by 5e-6 of the
 * largest). Any other PRelu stays as it is.
 * @throws RangeError if it is not an ONNX file
 */
export function widenChannels(model: Uint8Array): Uint8Array {
  const edit = new OnnxEdit(model);
  const groups = new Map<ReadNode, number>();
  const slopes = new Map<ReadNode, Weight>();
  for (const node of edit.nodes) {
    const own = activatedBy(edit, node);
    if (own && own.slope.data.length % BLOCK === 0) slopes.set(own.activation, own.slope);
    const chain = chainFrom(edit, node);
    if (!chain) continue;
    const width = Math.ceil(chain.channels / BLOCK) * BLOCK;
    for (const { weights, bias, activation, slope } of chain.widened) {
      for (const name of [weights, bias])
        if (name) edit.setWeight(name, padded(edit.weight(name)!, 0, width));
      slopes.set(activation, padded(slope, 0, width));
    }
    for (const { convolution } of chain.widened.slice(1)) groups.set(convolution, width);
    edit.setWeight(chain.last, padded(edit.weight(chain.last)!, 1, width));
  }
  for (const node of edit.nodes) {
    const slope = slopes.get(node);
    const group = groups.get(node);
    if (slope) edit.name(prelu(edit, node.inputs[0]!, slope), node.outputs[0]!);
    else edit.keep(node, group === undefined ? {} : { group });
  }
  return edit.encode();
}

/** A convolution and the PReLU after it. */
interface Activated {
  readonly convolution: ReadNode;
  /** Names of its constants. */
  readonly weights: string;
  readonly bias: string | undefined;
  readonly activation: ReadNode;
  readonly slope: Weight;
}

/** Convolutions through which the same channels pass, each on its own except in the first and the last. */
interface Chain {
  readonly channels: number;
  readonly widened: readonly Activated[];
  /** Name of the weights of the convolution that sums the channels again. */
  readonly last: string;
}

/** The chain that begins at this node; null if none does. */
function chainFrom(edit: OnnxEdit, first: ReadNode): Chain | null {
  if (first.op !== 'Conv' || (first.integer('group') ?? 1) !== 1) return null;
  const widened: Activated[] = [];
  for (let convolution = first; ; ) {
    const activated = activatedBy(edit, convolution);
    if (!activated) return null;
    widened.push(activated);
    const channels = edit.weight(activated.weights)!.shape[0]!;
    const next = onlyReader(edit, activated.activation.outputs[0]!);
    const shape = edit.weight(next?.inputs[1])?.shape;
    if (next?.op !== 'Conv' || shape?.length !== 4) return null;
    const group = next.integer('group') ?? 1;
    if (group === 1 && shape[1] === channels) return { channels, widened, last: next.inputs[1]! };
    if (group !== channels || shape[0] !== channels) return null;
    convolution = next;
  }
}

/** The convolution with its PReLU; null unless its only reader is a PReLU with a slope for each channel. */
function activatedBy(edit: OnnxEdit, convolution: ReadNode): Activated | null {
  if (convolution.op !== 'Conv') return null;
  const [, weights, bias] = convolution.inputs;
  const activation = onlyReader(edit, convolution.outputs[0]!);
  const slope = edit.weight(activation?.inputs[1]);
  const channels = edit.weight(weights)?.shape[0];
  if (activation?.op !== 'PRelu' || !slope || !weights || (bias && !edit.weight(bias))) return null;
  return slope.data.length === channels ? { convolution, weights, bias, activation, slope } : null;
}

/**
 * The only node that reads a tensor; undefined if there are several or none, or if the tensor is an output of the
 * graph.
 */
function onlyReader(edit: OnnxEdit, tensor: string): ReadNode | undefined {
  const readers = edit.nodes.filter(({ inputs }) => inputs.includes(tensor));
  return readers.length === 1 && !edit.outputs.has(tensor) ? readers[0] : undefined;
}

/** Appends zeros along one dimension, up to `size` values. */
function padded({ shape, data }: Weight, dimension: number, size: number): Weight {
  const own = shape[dimension]!;
  const product = (sizes: readonly number[]) => sizes.reduce((one, other) => one * other, 1);
  const inner = product(shape.slice(dimension + 1));
  const wide = new Float32Array(product(shape.slice(0, dimension)) * size * inner);
  for (let from = 0, to = 0; from < data.length; from += own * inner, to += size * inner)
    wide.set(data.subarray(from, from + own * inner), to);
  return { shape: shape.with(dimension, size), data: wide };
}
