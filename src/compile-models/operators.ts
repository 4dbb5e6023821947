// The table of TensorFlow operators and how each is written in ONNX, NHWC → NCHW. Only what our networks use.
import type { Conversion, Value } from './conversion.ts';
import type { OnnxGraph, TensorName } from './onnx.ts';
import { prelu } from './prelu.ts';
import type { Weight } from './weights.ts';

type Operator = (conversion: Conversion) => Value;

export const operators: Readonly<Record<string, Operator>> = {
  Placeholder: placeholder,
  Identity: ({ value }) => value(0),
  Conv2D: convolution,
  _FusedConv2D: convolution,
  DepthwiseConv2dNative: depthwiseConvolution,
  FusedDepthwiseConv2dNative: depthwiseConvolution,
  Prelu: (c) => keep(c, prelu(c.onnx, c.value(0).tensor, c.constant(1)!)),
  Relu: unary('Relu'),
  Sigmoid: unary('Sigmoid'),
  Softmax: (c) => keep(c, c.onnx.node('Softmax', [c.value(0).tensor], { axis: -1 })),
  Square: (c) => keep(c, c.onnx.node('Mul', [c.value(0).tensor, c.value(0).tensor])),
  Rsqrt: (c) => keep(c, c.onnx.node('Reciprocal', [c.onnx.node('Sqrt', [c.value(0).tensor])])),
  Add: binary('Add'),
  AddV2: binary('Add'),
  Mul: binary('Mul'),
  Maximum: binary('Max'),
  MaxPool: maxPool,
  Pad: pad,
  Mean: reduce('ReduceMean'),
  Sum: reduceLast,
  Reshape: reshape,
  Squeeze: squeeze,
};

/** The first operand's layout with a new tensor. */
function keep(c: Conversion, tensor: TensorName): Value {
  return { tensor, spatial: c.value(0).spatial };
}

function unary(op: string): Operator {
  return (c) => keep(c, c.onnx.node(op, [c.value(0).tensor]));
}

function placeholder({ onnx, node }: Conversion): Value {
  const [, height, width, channels] = node.shape;
  if (node.shape.length !== 4) throw new Error(`${node.name}: input of ${node.shape.length} dimensions`);
  return { tensor: onnx.input('input', ['N', channels!, height!, width!]), spatial: true };
}

/** A constant along the channels of an NCHW tensor: [C], [1,1,C] → [C,1,1]; a scalar stays one. */
function channelConstant(onnx: OnnxGraph, weight: Weight): TensorName {
  const channels = weight.shape.at(-1) ?? 1;
  if (channels !== weight.data.length)
    throw new Error(`constant [${weight.shape.join()}] is not per channel`);
  return onnx.floats([channels, 1, 1], weight.data);
}

function binary(op: string): Operator {
  return (c) => {
    const computed = c.constant(0) ? 1 : 0;
    const first = c.value(computed);
    const operands = [0, 1].map((index) => {
      const weight = c.constant(index);
      if (!weight) return c.value(index).tensor;
      return first.spatial ? channelConstant(c.onnx, weight) : c.onnx.floats(weight.shape, weight.data);
    });
    return { tensor: c.onnx.node(op, operands), spatial: first.spatial };
  };
}

function window(c: Conversion): { strides: number[]; auto_pad: string } {
  const [, y = 1, x = 1] = c.node.ints.strides ?? [];
  // TensorFlow's SAME puts the odd pixel below and to the right: SAME_UPPER.
  return { strides: [y, x], auto_pad: c.node.strings.padding === 'SAME' ? 'SAME_UPPER' : 'VALID' };
}

function convolution(c: Conversion): Value {
  const filter = c.constant(1)!;
  const [height = 0, width = 0, inputs = 0, outputs = 0] = filter.shape;
  const data = new Float32Array(filter.data.length);
  let to = 0;
  for (let o = 0; o < outputs; o++)
    for (let i = 0; i < inputs; i++)
      for (let at = 0; at < height * width; at++) data[to++] = filter.data[(at * inputs + i) * outputs + o]!;
  const weights = c.onnx.floats([outputs, inputs, height, width], data);
  return fused(c, weights, { ...window(c), kernel_shape: [height, width] });
}

function depthwiseConvolution(c: Conversion): Value {
  const filter = c.constant(1)!;
  const [height = 0, width = 0, channels = 0, multiplier = 0] = filter.shape;
  const filters = channels * multiplier;
  const data = new Float32Array(filter.data.length);
  for (let f = 0; f < filters; f++)
    for (let at = 0; at < height * width; at++)
      data[f * height * width + at] = filter.data[at * filters + f]!;
  const weights = c.onnx.floats([filters, 1, height, width], data);
  return fused(c, weights, { ...window(c), kernel_shape: [height, width], group: channels });
}

/** The convolution itself and the operations that TensorFlow fused after it, in order. */
function fused(
  c: Conversion,
  weights: TensorName,
  attributes: Record<string, number | string | number[]>,
): Value {
  const inputs = [c.value(0).tensor, weights];
  const steps = c.node.strings.fused_ops?.split(',').filter(Boolean) ?? [];
  let operand = 2;
  if (steps[0] === 'BiasAdd') {
    const bias = c.constant(operand++)!;
    inputs.push(c.onnx.floats([bias.data.length], bias.data));
    steps.shift();
  }
  let tensor = c.onnx.node('Conv', inputs, attributes);
  for (const step of steps) {
    if (step === 'Relu') tensor = c.onnx.node('Relu', [tensor]);
    else if (step === 'Prelu') tensor = prelu(c.onnx, tensor, c.constant(operand++)!);
    else throw new Error(`${c.node.name}: no translation of the fused ${step}`);
  }
  return { tensor, spatial: true };
}

function maxPool(c: Conversion): Value {
  const [, y = 1, x = 1] = c.node.ints.ksize ?? [];
  return keep(c, c.onnx.node('MaxPool', [c.value(0).tensor], { ...window(c), kernel_shape: [y, x] }));
}

function pad(c: Conversion): Value {
  const [n0 = 0, n1 = 0, h0 = 0, h1 = 0, w0 = 0, w1 = 0, c0 = 0, c1 = 0] = c.constant(1)!.data;
  const pads = c.onnx.integers([n0, c0, h0, w0, n1, c1, h1, w1]);
  return keep(c, c.onnx.node('Pad', [c.value(0).tensor, pads]));
}

/** Mean over height and width, the only axes our networks average over. */
function reduce(op: string): Operator {
  return (c) => {
    if (c.constant(1)!.data.join() !== '1,2') throw new Error(`${c.node.name}: only axes 1,2`);
    const keepDims = c.node.flags.keep_dims === true;
    const attributes = { axes: [2, 3], keepdims: keepDims ? 1 : 0 };
    return { tensor: c.onnx.node(op, [c.value(0).tensor], attributes), spatial: keepDims };
  };
}

/** Sum over the last axis of a flat tensor. */
function reduceLast(c: Conversion): Value {
  if (c.value(0).spatial) throw new Error(`${c.node.name}: only flat tensors`);
  const attributes = { keepdims: c.node.flags.keep_dims === true ? 1 : 0 };
  return keep(c, c.onnx.node('ReduceSum', [c.value(0).tensor, c.onnx.integers([-1])], attributes));
}

/** TensorFlow's flat order is NHWC; the first dimension is the batch and stays free. */
function reshape(c: Conversion): Value {
  const [, ...rest] = c.constant(1)!.data;
  if (rest.length === 3) throw new Error(`${c.node.name}: reshape to four dimensions`);
  return { tensor: c.onnx.node('Reshape', [rowMajor(c), c.onnx.integers([0, ...rest])]), spatial: false };
}

function squeeze(c: Conversion): Value {
  if (c.node.ints.squeeze_dims?.join() !== '1,2') throw new Error(`${c.node.name}: only axes 1,2`);
  return { tensor: c.onnx.node('Squeeze', [c.value(0).tensor, c.onnx.integers([2, 3])]), spatial: false };
}

function rowMajor(c: Conversion): TensorName {
  const { tensor, spatial } = c.value(0);
  return spatial ? c.onnx.node('Transpose', [tensor], { perm: [0, 2, 3, 1] }) : tensor;
}
