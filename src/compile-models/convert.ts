// Converts a tfjs graph model to ONNX. Walks back from the wanted outputs, so that any inner map can be one.
import type { Value } from './conversion.ts';
import type { GraphModel } from './graph-model.ts';
import { type Dimension, OnnxGraph } from './onnx.ts';
import { operators } from './operators.ts';

/** An output of the converted network: TensorFlow node, new name and shape (as ONNX has it, batch first). */
export interface WantedOutput {
  readonly node: string;
  readonly name: string;
  readonly dims: readonly Dimension[];
}

/** Converts what `outputs` need. The input is called `input` and is NCHW with a free batch `N`. */
export function convertGraphModel(
  name: string,
  model: GraphModel,
  outputs: readonly WantedOutput[],
): Uint8Array {
  const onnx = new OnnxGraph(name);
  const values = new Map<string, Value>();
  for (const nodeName of executionOrder(
    model,
    outputs.map((output) => output.node),
  )) {
    values.set(nodeName, convertNode(onnx, model, values, nodeName));
  }
  for (const output of outputs) onnx.output(output.name, values.get(output.node)!.tensor, output.dims);
  return onnx.encode();
}

function convertNode(
  onnx: OnnxGraph,
  model: GraphModel,
  values: ReadonlyMap<string, Value>,
  name: string,
): Value {
  const node = model.nodes.get(name)!;
  const operator = operators[node.op];
  if (!operator) throw new Error(`${name}: no translation of ${node.op}`);
  return operator({
    onnx,
    node,
    constant: (index) => model.weights.get(node.inputs[index] ?? ''),
    value: (index) => {
      const value = values.get(node.inputs[index] ?? '');
      if (!value) throw new Error(`${name}: operand ${index} is not computed`);
      return value;
    },
  });
}

/** Depth-first, operands before the node that reads them; deterministic. */
function executionOrder(model: GraphModel, targets: readonly string[]): Set<string> {
  const order = new Set<string>();
  const visit = (name: string): void => {
    if (order.has(name) || model.weights.has(name)) return;
    const node = model.nodes.get(name);
    if (!node) throw new Error(`no node ${name} in the graph`);
    for (const input of node.inputs) visit(input);
    order.add(name);
  };
  for (const target of targets) visit(target);
  return order;
}
