// What the translation of one operator reads and gives: the interface between the walk (convert.ts) and the table
// (operators.ts).
import type { GraphNode } from './graph-model.ts';
import type { OnnxGraph, TensorName } from './onnx.ts';
import type { Weight } from './weights.ts';

/** A computed tensor. `spatial`: four dimensions, held as NCHW in ONNX where TensorFlow has NHWC. */
export interface Value {
  readonly tensor: TensorName;
  readonly spatial: boolean;
}

/** What an operator's translation sees. */
export interface Conversion {
  readonly onnx: OnnxGraph;
  readonly node: GraphNode;
  /** Computed operand `index`; throws when it is a constant. */
  value(index: number): Value;
  /** Constant operand `index`, or undefined when it is computed. */
  constant(index: number): Weight | undefined;
}
