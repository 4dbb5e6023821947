// Builds an ONNX graph node by node and encodes it (onnx.proto3: field numbers below are its own).
import { ProtobufWriter } from './protobuf.ts';

/** Version of the default operator set that the graphs are written against. */
const OPSET = 17;
const IR_VERSION = 8;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_STRING = 3;
const ATTRIBUTE_INTS = 7;

/** A dimension: a size, or a name for one that is free (the batch). */
export type Dimension = number | string;

/** Name of a tensor inside the graph. */
export type TensorName = string;

export type OnnxAttribute = number | string | readonly number[];

/** Field numbers of TensorProto, and its type code for float32. */
export const ONNX_TENSOR = { dims: 1, dataType: 2, name: 8, raw: 9, float: 1 } as const;

/** Takes constants and nodes in execution order. */
export interface OnnxBuilder {
  /** A float32 constant, row-major. */
  floats(dims: readonly number[], data: Float32Array): TensorName;
  /** Adds a node with one output and returns that tensor. An empty input name is an absent optional input. */
  node(
    op: string,
    inputs: readonly TensorName[],
    attributes?: Readonly<Record<string, OnnxAttribute>>,
  ): TensorName;
}

/** Collects inputs, constants, nodes and outputs in execution order; `encode` returns the bytes of the .onnx file. */
export class OnnxGraph implements OnnxBuilder {
  private readonly name: string;
  private readonly nodes: Uint8Array[] = [];
  private readonly initializers: ProtobufWriter[] = [];
  private readonly inputs: ProtobufWriter[] = [];
  private readonly outputs: ProtobufWriter[] = [];
  private count = 0;

  constructor(name: string) {
    this.name = name;
  }

  input(name: string, dims: readonly Dimension[]): TensorName {
    this.inputs.push(valueInfo(name, dims));
    return name;
  }

  floats(dims: readonly number[], data: Float32Array): TensorName {
    const name = `c${this.count++}`;
    this.initializers.push(encodeFloats(name, dims, data));
    return name;
  }

  /** A one-dimensional int64 constant: shapes, axes, pads. */
  integers(values: readonly number[]): TensorName {
    const name = `c${this.count++}`;
    const data = BigInt64Array.from(values, BigInt);
    this.initializers.push(encodeTensor(name, [values.length], INT64, new Uint8Array(data.buffer)));
    return name;
  }

  node(
    op: string,
    inputs: readonly TensorName[],
    attributes: Readonly<Record<string, OnnxAttribute>> = {},
  ): TensorName {
    const output = `t${this.count++}`;
    this.nodes.push(encodeNode(op, inputs, output, attributes));
    return output;
  }

  /** Names a tensor as an output of the graph. */
  output(name: string, tensor: TensorName, dims: readonly Dimension[]): void {
    this.nodes.push(encodeNode('Identity', [tensor], name, {}));
    this.outputs.push(valueInfo(name, dims));
  }

  encode(): Uint8Array {
    const graph = new ProtobufWriter();
    for (const node of this.nodes) graph.bytes(1, node);
    graph.string(2, this.name);
    for (const initializer of this.initializers) graph.message(5, initializer);
    for (const input of this.inputs) graph.message(11, input);
    for (const output of this.outputs) graph.message(12, output);
    const opset = new ProtobufWriter().string(1, '').integer(2, OPSET);
    return new ProtobufWriter()
      .integer(1, IR_VERSION)
      .string(2, 'likeness')
      .message(7, graph)
      .message(8, opset)
      .finish();
  }
}

/** A NodeProto. */
export function encodeNode(
  op: string,
  inputs: readonly TensorName[],
  output: TensorName,
  attributes: Readonly<Record<string, OnnxAttribute>>,
): Uint8Array {
  const node = new ProtobufWriter();
  for (const input of inputs) node.string(1, input);
  node.string(2, output).string(3, `${op}_${output}`).string(4, op);
  for (const [name, value] of Object.entries(attributes)) node.message(5, attribute(name, value));
  return node.finish();
}

/** A TensorProto of float32. @throws RangeError if the dimensions do not match the data */
export function encodeFloats(name: TensorName, dims: readonly number[], data: Float32Array): ProtobufWriter {
  const size = dims.reduce((product, dim) => product * dim, 1);
  if (size !== data.length) throw new RangeError(`constant of ${data.length} values for [${dims.join()}]`);
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return encodeTensor(name, dims, ONNX_TENSOR.float, raw);
}

function encodeTensor(
  name: TensorName,
  dims: readonly number[],
  type: number,
  raw: Uint8Array,
): ProtobufWriter {
  const tensor = new ProtobufWriter();
  for (const dim of dims) tensor.integer(ONNX_TENSOR.dims, dim);
  const { dataType, name: named, raw: data } = ONNX_TENSOR;
  return tensor.integer(dataType, type).string(named, name).bytes(data, raw);
}

function attribute(name: string, value: OnnxAttribute): ProtobufWriter {
  const writer = new ProtobufWriter().string(1, name);
  if (typeof value === 'number') return writer.integer(3, value).integer(20, ATTRIBUTE_INT);
  if (typeof value === 'string')
    return writer.bytes(4, new TextEncoder().encode(value)).integer(20, ATTRIBUTE_STRING);
  for (const item of value) writer.integer(8, item);
  return writer.integer(20, ATTRIBUTE_INTS);
}

function valueInfo(name: string, dims: readonly Dimension[]): ProtobufWriter {
  const shape = new ProtobufWriter();
  for (const dim of dims) {
    const entry = new ProtobufWriter();
    shape.message(1, typeof dim === 'number' ? entry.integer(1, dim) : entry.string(2, dim));
  }
  const tensorType = new ProtobufWriter().integer(1, ONNX_TENSOR.float).message(2, shape);
  return new ProtobufWriter().string(1, name).message(2, new ProtobufWriter().message(1, tensorType));
}
