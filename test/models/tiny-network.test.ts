// The compiler's parts alone: a network of a few hand-written weights gives the values computed by hand.
import { expect, test } from 'vitest';
import { OnnxGraph } from '../../src/compile-models/onnx.ts';
import { ProtobufWriter } from '../../src/compile-models/protobuf.ts';
import { repairMobilefacenet } from '../../src/compile-models/repair-mobilefacenet.ts';
import { readWeights } from '../../src/compile-models/weights.ts';
import { ort } from '../../src/models/onnx-runtime.ts';

test('a graph of one convolution, a pool and a dense layer runs', async () => {
  const graph = new OnnxGraph('tiny');
  const input = graph.input('input', ['N', 1, 2, 2]);
  const filter = graph.floats([1, 1, 1, 1], Float32Array.of(2));
  const bias = graph.floats([1], Float32Array.of(1));
  const convolved = graph.node('Conv', [input, filter, bias], { kernel_shape: [1, 1] });
  const mean = graph.node('ReduceMean', [convolved], { axes: [2, 3], keepdims: 0 });
  graph.output('score', graph.node('Sigmoid', [mean]), ['N', 1]);
  const session = await ort.InferenceSession.create(graph.encode());
  const tensor = new ort.Tensor('float32', Float32Array.of(1, 2, 3, 4, 0, 0, 0, 0), [2, 1, 2, 2]);
  const { score } = await session.run({ input: tensor });
  // The means of 2x + 1 are 6 and 1.
  expect(score!.data[0]).toBeCloseTo(1 / (1 + Math.exp(-6)), 6);
  expect(score!.data[1]).toBeCloseTo(1 / (1 + Math.exp(-1)), 6);
  await session.release();
});

test('a constant must fill its shape', () => {
  expect(() => new OnnxGraph('tiny').floats([2, 2], new Float32Array(3))).toThrow(RangeError);
});

test.each([
  [0, [0]],
  [127, [127]],
  [128, [128, 1]],
  [300, [172, 2]],
  [-1, [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]],
])('the varint of %i', (value, bytes) => {
  expect([...new ProtobufWriter().integer(1, value).finish()]).toEqual([8, ...bytes]);
});

test('weights are read in every quantisation', () => {
  const shard = Buffer.alloc(4 + 4 + 2 + 4 + 6);
  shard.writeFloatLE(1.5, 0);
  shard.writeInt32LE(-7, 4);
  shard.set([0, 255], 8);
  shard.writeUInt16LE(3, 10);
  shard.writeUInt16LE(65535, 12);
  // binary16: 1, −2, and the smallest subnormal.
  shard.writeUInt16LE(0x3c00, 14);
  shard.writeUInt16LE(0xc000, 16);
  shard.writeUInt16LE(0x0001, 18);
  const quantised = (dtype: 'uint8' | 'uint16', scale: number, min: number) => ({ dtype, scale, min });
  const weights = readWeights(
    [
      { name: 'f', shape: [1], dtype: 'float32' },
      { name: 'i', shape: [], dtype: 'int32' },
      { name: 'b', shape: [2], dtype: 'float32', quantization: quantised('uint8', 0.5, -1) },
      { name: 's', shape: [2], dtype: 'float32', quantization: quantised('uint16', 2, 10) },
      { name: 'h', shape: [3], dtype: 'float32', quantization: { dtype: 'float16' } },
    ],
    shard,
  );
  expect([...weights.get('f')!.data]).toEqual([1.5]);
  expect([...weights.get('i')!.data]).toEqual([-7]);
  expect([...weights.get('b')!.data]).toEqual([-1, 126.5]);
  expect([...weights.get('s')!.data]).toEqual([16, 131080]);
  expect([...weights.get('h')!.data]).toEqual([1, -2, 2 ** -24]);
});

test('weights must fill the shard exactly', () => {
  const one = { name: 'f', shape: [1], dtype: 'float32' };
  expect(() => readWeights([one], Buffer.alloc(3))).toThrow(RangeError);
  expect(() => readWeights([one], Buffer.alloc(5))).toThrow(RangeError);
  expect(() => readWeights([{ ...one, dtype: 'complex' }], Buffer.alloc(4))).toThrow('unknown type');
});

test('refuses to repair a graph without the known fault', () => {
  expect(() => repairMobilefacenet({ nodes: new Map(), weights: new Map() })).toThrow('33');
});
