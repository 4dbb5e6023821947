// dlib's face recognition ResNet up to its last 8 × 8 map. face-api republishes a bare weight list, so the graph is
// rebuilt from its published structure (davisking/dlib dnn_face_recognition_ex.cpp; @vladmandic/face-api
// src/faceRecognitionNet).
import { OnnxGraph, type TensorName } from './onnx.ts';
import { readWeights, type Weight, type WeightSpec } from './weights.ts';

/** Means that dlib subtracts from RGB 0–255 before it divides by 255. */
const MEAN_RGB = [122.782, 117.001, 104.298];

/** Weight manifest and shard → ONNX. Input `input`: RGB 0–255 [N,3,150,150]; output `map`: [N,128,8,8]. */
export function buildDlibMap(description: string, shard: Uint8Array): Uint8Array {
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
  net.onnx.output('map', out, ['N', 128, 8, 8]);
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

  /** Convolution with the scale layer after it folded in. Stride 1 pads to the same size, stride 2 does not pad. */
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

  /** Halves the map. The shortcut has fewer channels: it is padded with zero channels at the end. */
  residualDown(input: TensorName, block: string, channels: number): TensorName {
    const inner = this.convolution(input, `${block}/conv1`, 2, true);
    const out = this.convolution(inner, `${block}/conv2`, 1, false);
    const pooled = this.pool('AveragePool', input, 2);
    const given = this.weight(`${block}/conv1/conv/filters`).shape[2]!;
    return this.onnx.node('Relu', [
      this.onnx.node('Add', [this.zeroChannels(pooled, channels - given), out]),
    ]);
  }

  private zeroChannels(input: TensorName, channels: number): TensorName {
    const pads = this.onnx.integers([0, 0, 0, 0, 0, channels, 0, 0]);
    return this.onnx.node('Pad', [input, pads]);
  }
}
