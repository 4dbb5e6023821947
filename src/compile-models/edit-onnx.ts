// Rewrites an existing ONNX file with other nodes and constants (onnx.proto3: field numbers below are its own).
// Everything else stays, byte for byte. Used at set-up only.
import {
  encodeFloats,
  encodeNode,
  ONNX_TENSOR,
  type OnnxAttribute,
  type OnnxBuilder,
  type TensorName,
} from './onnx.ts';
import { ProtobufWriter, wireFields } from './protobuf.ts';
import type { Weight } from './weights.ts';

const MODEL_GRAPH = 7;
const GRAPH = { node: 1, initializer: 5, output: 12, valueInfo: 13 } as const;
const NODE = { input: 1, output: 2, opType: 4, attribute: 5 } as const;
const ATTRIBUTE = { name: 1, integer: 3 } as const;
const VALUE_INFO_NAME = 1;

/** A node of the file. */
export interface ReadNode {
  readonly op: string;
  readonly inputs: readonly TensorName[];
  readonly outputs: readonly TensorName[];
  /** Value of an integer attribute; undefined if there is none of that name. */
  integer(attribute: string): number | undefined;
  readonly encoded: Uint8Array;
}

/** Reads the nodes, then takes those that replace them, in order of execution. */
export class OnnxEdit implements OnnxBuilder {
  readonly nodes: readonly ReadNode[];
  /** Names of the graph's outputs. */
  readonly outputs: ReadonlySet<TensorName>;
  readonly #model: Uint8Array;
  readonly #weights = new Map<TensorName, Weight>();
  readonly #written: Uint8Array[] = [];
  #count = 0;

  /** @throws RangeError on bytes that are not an ONNX file */
  constructor(model: Uint8Array) {
    this.#model = model;
    const fields = graphOf(model);
    const bodies = (wanted: number) => fields.filter(({ field }) => field === wanted).map(({ body }) => body);
    this.nodes = bodies(GRAPH.node).map(readNode);
    this.outputs = new Set(bodies(GRAPH.output).map((info) => textAt(info, VALUE_INFO_NAME)));
    for (const tensor of bodies(GRAPH.initializer)) {
      const weight = readFloats(tensor);
      if (weight) this.#weights.set(textAt(tensor, ONNX_TENSOR.name), weight);
    }
  }

  /** A constant of floats; undefined for anything else. */
  weight(name: TensorName | undefined): Weight | undefined {
    return this.#weights.get(name ?? '');
  }

  setWeight(name: TensorName, weight: Weight): void {
    this.#weights.set(name, weight);
  }

  floats(dims: readonly number[], data: Float32Array): TensorName {
    const name = this.#newName();
    this.#weights.set(name, { shape: [...dims], data });
    return name;
  }

  node(
    op: string,
    inputs: readonly TensorName[],
    attributes: Readonly<Record<string, OnnxAttribute>> = {},
  ): TensorName {
    const output = this.#newName();
    this.#written.push(encodeNode(op, inputs, output, attributes));
    return output;
  }

  /** A second name for a tensor, under which the readers of a replaced node find it. */
  name(tensor: TensorName, as: TensorName): void {
    this.#written.push(encodeNode('Identity', [tensor], as, {}));
  }

  /** Keeps the node as it is, except for these integer attributes, which it must have already. */
  keep(node: ReadNode, integers: Readonly<Record<string, number>> = {}): void {
    const out = new ProtobufWriter();
    for (const { field, body, whole } of wireFields(node.encoded)) {
      const name = field === NODE.attribute ? textAt(body, ATTRIBUTE.name) : '';
      const value = integers[name];
      if (value === undefined) out.verbatim(whole);
      else out.bytes(NODE.attribute, withInteger(body, value));
    }
    this.#written.push(out.finish());
  }

  /**
   * The file with the new nodes in place of its own. Shapes of intermediate tensors, which may have changed, are left
   * out.
   */
  encode(): Uint8Array {
    const graph = new ProtobufWriter();
    for (const node of this.#written) graph.bytes(GRAPH.node, node);
    for (const { field, body, whole } of graphOf(this.#model)) {
      const isKept = field !== GRAPH.node && field !== GRAPH.valueInfo;
      const isHere = field === GRAPH.initializer && this.#weights.has(textAt(body, ONNX_TENSOR.name));
      if (isKept && !isHere) graph.verbatim(whole);
    }
    const used = new Set(this.#written.flatMap((node) => readNode(node).inputs));
    for (const [name, { shape, data }] of this.#weights)
      if (used.has(name)) graph.message(GRAPH.initializer, encodeFloats(name, shape, data));
    const model = new ProtobufWriter();
    for (const { field, whole } of wireFields(this.#model))
      if (field === MODEL_GRAPH) model.message(MODEL_GRAPH, graph);
      else model.verbatim(whole);
    return model.finish();
  }

  /** A name that no exporter uses. */
  #newName(): TensorName {
    return `likeness/${this.#count++}`;
  }
}

function graphOf(model: Uint8Array) {
  const graph = wireFields(model).find(({ field }) => field === MODEL_GRAPH);
  if (!graph) throw new RangeError('no graph in the file');
  return wireFields(graph.body);
}

function readNode(encoded: Uint8Array): ReadNode {
  const fields = wireFields(encoded);
  const texts = (wanted: number) =>
    fields.filter(({ field }) => field === wanted).map(({ body }) => textOf(body));
  const attributes = fields.filter(({ field }) => field === NODE.attribute).map(({ body }) => body);
  return {
    op: texts(NODE.opType)[0] ?? '',
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    encoded,
    integer: (name) => {
      const found = attributes.find((attribute) => textAt(attribute, ATTRIBUTE.name) === name);
      return found && wireFields(found).find(({ field }) => field === ATTRIBUTE.integer)?.value;
    },
  };
}

/** Null if it does not hold floats as raw bytes. */
function readFloats(tensor: Uint8Array): Weight | null {
  const fields = wireFields(tensor);
  const raw = fields.find(({ field }) => field === ONNX_TENSOR.raw)?.body;
  const type = fields.find(({ field }) => field === ONNX_TENSOR.dataType)?.value;
  if (!raw || type !== ONNX_TENSOR.float) return null;
  const shape = fields.filter(({ field }) => field === ONNX_TENSOR.dims).map(({ value }) => value);
  return { shape, data: new Float32Array(Uint8Array.from(raw).buffer) };
}

function withInteger(attribute: Uint8Array, value: number): Uint8Array {
  const out = new ProtobufWriter();
  for (const { field, whole } of wireFields(attribute))
    if (field === ATTRIBUTE.integer) out.integer(ATTRIBUTE.integer, value);
    else out.verbatim(whole);
  return out.finish();
}

const textAt = (message: Uint8Array, wanted: number): string =>
  textOf(wireFields(message).find(({ field }) => field === wanted)?.body);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
