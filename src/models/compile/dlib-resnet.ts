// dlib's face recognition ResNet as face-api republishes it: a bare weight list, so the graph is rebuilt here from
// its published structure (davisking/dlib dnn_face_recognition_ex.cpp; @vladmandic/face-api src/faceRecognitionNet).
import { OnnxGraph, type TensorName } from './onnx.ts';
import { readWeights, type Weight, type WeightSpec } from './weights.ts';

/** Means that dlib subtracts from RGB 0–255 before it divides by 255 … */
const MEAN_RGB = [122.782, 117.001, 104.298];

/** Where to cut the network: the last 8 × 8 map (128 channels), or the 128-d embedding. */
export type DlibHead = 'map' | 'embedding';

/** Weight manifest and shard → ONNX. Input `input`: RGB 0–255 [N,3,150,150]; the one output is named after the head. */
export function buildDlibResnet(description: string, shard: Uint8Array, head: DlibHead): Uint8Array {
  const manifest = JSON.parse(description) as { weights: WeightSpec[] }[];
  const net = new DlibResnet(
    readWeights(
      manifest.flatMap((group) => group.weights),
      shard,
    ),
  );
  let out = net.pool('MaxPool', net.convolution(net.normalisedInput(), 'conv32_down', 2, true), 3);
  for (const block of ['conv32_1', 'conv32_2', 'conv32_3']) out = net.residual(out, block);
  out = net.residualDown(out, 'conv64_down', 64);
  for (const block of ['conv64_1', 'conv64_2', 'conv64_3']) out = net.residual(out, block);
  out = net.residualDown(out, 'conv128_down', 128);
  for (const block of ['conv128_1', 'conv128_2']) out = net.residual(out, block);
  if (head === 'map') {
    net.onnx.output('map', out, ['N', 128, 8, 8]);
    return net.onnx.encode();
  }
  out = net.residualDown(out, 'conv256_down', 256);
  for (const block of ['conv256_1', 'conv256_2']) out = net.residual(out, block);
  out = net.residualDown(out, 'conv256_down_out', 256);
  net.onnx.output('embedding', net.dense(net.onnx.node('ReduceMean', [out], { axes: [2, 3], keepdims: 0 })), [
    'N',
    128,
  ]);
  return net.onnx.encode();
}

class DlibResnet {
  readonly onnx = new OnnxGraph('dlib-resnet');
  private readonly weights: ReadonlyMap<string, Weight>;

  constructor(weights: ReadonlyMap<string, Weight>) {
    this.weights = weights;
  }

  private weight(name: string): Weight {
    const weight = this.weights.get(name);
    if (!weight) throw new Error(`no weight ${name}`);
    return weight;
  }

  normalisedInput(): TensorName {
    const input = this.onnx.input('input', ['N', 3, 150, 150]);
    const mean = this.onnx.floats([3, 1, 1], Float32Array.from(MEAN_RGB));
    const centred = this.onnx.node('Sub', [input, mean]);
    return this.onnx.node('Div', [centred, this.onnx.floats([1], Float32Array.of(255))]);
  }

  /** Convolution with the scale layer behind it folded in. Stride 1 pads to the same size, stride 2 does not pad. */
  convolution(input: TensorName, block: string, stride: 1 | 2, relu: boolean): TensorName {
    const { shape, data } = this.weight(`${block}/conv/filters`);
    const bias = this.weight(`${block}/conv/bias`).data;
    const scale = this.weight(`${block}/scale/weights`).data;
    const shift = this.weight(`${block}/scale/biases`).data;
    const [height = 0, width = 0, inputs = 0, outputs = 0] = shape;
    const filters = new Float32Array(data.length);
    let to = 0;
    for (let o = 0; o < outputs; o++)
      for (let i = 0; i < inputs; i++)
        for (let at = 0; at < height * width; at++)
          filters[to++] = data[(at * inputs + i) * outputs + o]! * scale[o]!;
    const offsets = bias.map((value, o) => value * scale[o]! + shift[o]!);
    const padding = stride === 1 ? (height - 1) / 2 : 0;
    const out = this.onnx.node(
      'Conv',
      [
        input,
        this.onnx.floats([outputs, inputs, height, width], filters),
        this.onnx.floats([outputs], offsets),
      ],
      {
        kernel_shape: [height, width],
        strides: [stride, stride],
        pads: [padding, padding, padding, padding],
      },
    );
    return relu ? this.onnx.node('Relu', [out]) : out;
  }

  pool(op: 'MaxPool' | 'AveragePool', input: TensorName, size: number): TensorName {
    return this.onnx.node(op, [input], { kernel_shape: [size, size], strides: [2, 2] });
  }

  residual(input: TensorName, block: string): TensorName {
    const inner = this.convolution(input, `${block}/conv1`, 1, true);
    const out = this.convolution(inner, `${block}/conv2`, 1, false);
    return this.onnx.node('Relu', [this.onnx.node('Add', [out, input])]);
  }

  /** Halves the map. The two branches differ in size and channels; both are filled up with zeros at the end. */
  residualDown(input: TensorName, block: string, channels: number): TensorName {
    const inner = this.convolution(input, `${block}/conv1`, 2, true);
    const out = this.convolution(inner, `${block}/conv2`, 1, false);
    const pooled = this.pool('AveragePool', input, 2);
    const given = this.weight(`${block}/conv1/conv/filters`).shape[2]!;
    // The unpadded stride-2 convolution loses a row and a column where the map has an even size (8 and 4).
    const short = block.startsWith('conv256') ? 1 : 0;
    return this.onnx.node('Relu', [
      this.onnx.node('Add', [this.zeroPad(pooled, channels - given, 0), this.zeroPad(out, 0, short)]),
    ]);
  }

  private zeroPad(input: TensorName, channels: number, pixels: number): TensorName {
    if (channels === 0 && pixels === 0) return input;
    const pads = this.onnx.integers([0, 0, 0, 0, 0, channels, pixels, pixels]);
    return this.onnx.node('Pad', [input, pads]);
  }

  dense(input: TensorName): TensorName {
    const { shape, data } = this.weight('fc');
    return this.onnx.node('MatMul', [input, this.onnx.floats(shape, data)]);
  }
}
