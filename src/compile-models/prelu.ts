// How every PReLU is written.
import type { OnnxBuilder, TensorName } from './onnx.ts';
import type { Weight } from './weights.ts';

/**
 * PReLU of a four-dimensional tensor with a slope for each channel, written as relu(x) − slope · relu(−x), which is
 * equal to the last bit. The products are 1 × 1 depthwise convolutions. The runtime has no PRelu in the channel-blocked
 * layout of its convolutions and copies every tensor out of it and back; without these copies the mesh takes 0.53 and
 * mobilefacenet 0.58 of the time (minima of 80 alternating runs on one core). Channels that do not fill blocks:
 * widen.ts.
 */
export function prelu(onnx: OnnxBuilder, tensor: TensorName, slope: Weight): TensorName {
  const channels = slope.data.length;
  const times = (input: TensorName, factors: Float32Array) =>
    onnx.node('Conv', [input, onnx.floats([channels, 1, 1, 1], factors)], {
      kernel_shape: [1, 1],
      strides: [1, 1],
      auto_pad: 'VALID',
      group: channels,
    });
  const negated = onnx.node('Relu', [times(tensor, new Float32Array(channels).fill(-1))]);
  const sloped = times(
    negated,
    slope.data.map((value) => -value),
  );
  return onnx.node('Add', [onnx.node('Relu', [tensor]), sloped]);
}
