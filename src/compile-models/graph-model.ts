// Reads a tfjs graph model (model.json + one shard) into nodes and weights; convert.ts turns it into ONNX.
import { readWeights, type Weight, type WeightSpec } from './weights.ts';

/** One operation, inputs without their `:0` port and control inputs. */
export interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly inputs: readonly string[];
  /** Integer lists: strides, ksize, squeeze_dims … */
  readonly ints: Readonly<Record<string, readonly number[]>>;
  /** Decoded strings: padding, data_format; lists joined by comma: fused_ops. */
  readonly strings: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, boolean>>;
  /** Shape of a Placeholder. */
  readonly shape: readonly number[];
}

/** Nodes by name in file order, and the constants. */
export interface GraphModel {
  readonly nodes: Map<string, GraphNode>;
  readonly weights: Map<string, Weight>;
}

interface RawAttribute {
  readonly i?: string | number;
  readonly s?: string;
  readonly b?: boolean;
  readonly list?: { readonly i?: readonly (string | number)[]; readonly s?: readonly string[] };
  readonly shape?: { readonly dim?: readonly { readonly size: string | number }[] };
}

interface RawModel {
  readonly modelTopology: {
    readonly node: readonly {
      readonly name: string;
      readonly op: string;
      readonly input?: readonly string[];
      readonly attr?: Readonly<Record<string, RawAttribute>>;
    }[];
  };
  readonly weightsManifest: readonly { readonly weights: readonly WeightSpec[] }[];
}

/** Parses the two files of a graph model. */
export function readGraphModel(json: string, shard: Uint8Array): GraphModel {
  const raw = JSON.parse(json) as RawModel;
  const weights = readWeights(
    raw.weightsManifest.flatMap((group) => group.weights),
    shard,
  );
  const nodes = new Map<string, GraphNode>();
  for (const node of raw.modelTopology.node) {
    if (node.op === 'Const') continue;
    const inputs = (node.input ?? []).filter((name) => !name.startsWith('^'));
    nodes.set(node.name, {
      name: node.name,
      op: node.op,
      inputs: inputs.map((name) => name.replace(/:0$/, '')),
      ...readAttributes(node.attr ?? {}),
    });
  }
  return { nodes, weights };
}

function readAttributes(
  raw: Readonly<Record<string, RawAttribute>>,
): Pick<GraphNode, 'ints' | 'strings' | 'flags' | 'shape'> {
  const ints: Record<string, number[]> = {};
  const strings: Record<string, string> = {};
  const flags: Record<string, boolean> = {};
  let shape: number[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (value.list?.i) ints[name] = value.list.i.map(Number);
    else if (value.list?.s) strings[name] = value.list.s.map(fromBase64).join();
    else if (value.i !== undefined) ints[name] = [Number(value.i)];
    else if (value.s !== undefined) strings[name] = fromBase64(value.s);
    else if (value.b !== undefined) flags[name] = value.b;
    else if (value.shape?.dim) shape = value.shape.dim.map((dim) => Number(dim.size));
  }
  return { ints, strings, flags, shape };
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}
