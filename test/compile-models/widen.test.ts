// Channels padded to whole blocks: the outputs stay the same, and a branch is left alone where they would not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINIFASNET } from '../../src/compile-models/built-in-models.ts';
import { OnnxEdit } from '../../src/compile-models/edit-onnx.ts';
import { type OnnxAttribute, OnnxGraph } from '../../src/compile-models/onnx.ts';
import { ProtobufWriter, wireFields } from '../../src/compile-models/protobuf.ts';
import { widenChannels } from '../../src/compile-models/widen.ts';
import { seededRandom } from '../../src/lab/random.ts';
import { sessionOptions } from '../../src/models/load.ts';
import { minifasnet } from '../../src/models/minifasnet.ts';
import { ort } from '../../src/models/onnx-runtime.ts';
import { NODE_MODULES } from '../support/published-networks.ts';

const published = readFileSync(join(NODE_MODULES, minifasnet.package, minifasnet.weights));

async function runs(model: Uint8Array, inputs: readonly Float32Array[], dims: readonly number[]) {
  const session = await ort.InferenceSession.create(model, sessionOptions(1));
  const outputs: number[] = [];
  for (const input of inputs) {
    const feeds = { [session.inputNames[0]!]: new ort.Tensor('float32', input, dims) };
    const results = await session.run(feeds);
    for (const name of session.outputNames) outputs.push(...(results[name]!.data as Float32Array));
  }
  await session.release();
  return outputs;
}

/** Largest difference relative to the largest value. */
function apart(one: readonly number[], other: readonly number[]): number {
  expect(other).toHaveLength(one.length);
  const largest = Math.max(...one.map(Math.abs));
  return Math.max(...one.map((value, i) => Math.abs(value - other[i]!))) / largest;
}

/** The shapes of all convolutions' weights, and all other operators. */
function shapesOf(model: Uint8Array): string[] {
  const edit = new OnnxEdit(model);
  return edit.nodes.map(({ op, inputs }) =>
    op === 'Conv' ? `Conv ${edit.weight(inputs[1])?.shape.join('×')}` : op,
  );
}

const SIDE = 6;
interface Branch {
  readonly channels: number;
  /** Depthwise convolutions between the first and the last convolution. */
  readonly depthwise: number;
  readonly hasBias: boolean;
  readonly slope: number;
}

/** Branches like those of MiniFASNet, in sequence, each added to its own input. */
function pruned(branches: readonly Branch[], { alsoOutput = false } = {}): Uint8Array {
  const random = seededRandom(branches.length);
  const noise = (size: number) => Float32Array.from({ length: size }, () => random() - 0.5);
  const graph = new OnnxGraph('pruned');
  const inputs = 4;
  const dims = [1, inputs, SIDE, SIDE];
  let x = graph.input('x', dims);
  for (const [at, { channels, depthwise, hasBias, slope }] of branches.entries()) {
    const conv = (from: string, shape: number[], attributes: Record<string, OnnxAttribute>) => {
      const size = shape.reduce((one, other) => one * other, 1);
      const bias = hasBias ? [graph.floats([shape[0]!], noise(shape[0]!))] : [];
      return graph.node('Conv', [from, graph.floats(shape, noise(size)), ...bias], attributes);
    };
    const activated = (from: string) => {
      const slopes = noise(channels).map((value) => slope + value);
      return graph.node('PRelu', [from, graph.floats([channels, 1, 1], slopes)]);
    };
    let inner = activated(conv(x, [channels, inputs, 1, 1], { kernel_shape: [1, 1] }));
    for (let i = 0; i < depthwise; i++) {
      const around = { kernel_shape: [3, 3], pads: [1, 1, 1, 1], group: channels };
      inner = activated(conv(inner, [channels, 1, 3, 3], around));
    }
    if (alsoOutput && at === 0) graph.output('inner', inner, [1, channels, SIDE, SIDE]);
    const last = conv(inner, [inputs, channels, 1, 1], { kernel_shape: [1, 1] });
    x = graph.node('Add', [x, last]);
  }
  graph.output('y', x, dims);
  return graph.encode();
}

const input = () => {
  const random = seededRandom(3);
  return Float32Array.from({ length: 4 * SIDE * SIDE }, () => 4 * random() - 2);
};

describe('padding channels to whole blocks', () => {
  test('computes the same as the published PAD network, with whole blocks throughout', async () => {
    const random = seededRandom(7);
    const pixels = 3 * 128 * 128;
    const noise = Array.from({ length: 4 }, () =>
      Float32Array.from({ length: pixels }, () => 255 * random()),
    );
    const flat = [0, 128, 255].map((level) => new Float32Array(pixels).fill(level));
    const inputs = [...noise, ...flat];
    const compiled = MINIFASNET.build('', published);
    const dims = [1, 3, 128, 128];
    expect(apart(await runs(published, inputs, dims), await runs(compiled, inputs, dims))).toBeLessThan(2e-5);
    const shapes = shapesOf(compiled);
    expect(shapes).toContain('Conv 112×1×3×3');
    expect(shapes).toContain('Conv 240×1×3×3');
    expect(shapesOf(published)).toContain('Conv 231×1×3×3');
    expect(shapes).not.toContain('PRelu');
  });

  test('computes the same for any channels, slopes and convolutions in between', async () => {
    const branch = fc.record({
      channels: fc.integer({ min: 1, max: 40 }),
      depthwise: fc.integer({ min: 0, max: 2 }),
      hasBias: fc.boolean(),
      slope: fc.double({ min: -2, max: 3, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(branch, { minLength: 1, maxLength: 3 }), async (branches) => {
        const model = pruned(branches);
        const widened = widenChannels(model);
        expect(shapesOf(widened)).not.toContain('PRelu');
        const dims = [1, 4, SIDE, SIDE];
        expect(apart(await runs(model, [input()], dims), await runs(widened, [input()], dims))).toBeLessThan(
          1e-5,
        );
      }),
      { numRuns: 30 },
    );
  });

  test('leaves a branch unchanged if its inner values are read elsewhere or are an output', async () => {
    const one = { channels: 5, depthwise: 1, hasBias: true, slope: 0.2 };
    const model = pruned([one, { ...one, channels: 7 }], { alsoOutput: true });
    const widened = widenChannels(model);
    expect(shapesOf(widened)).toContain('Conv 5×1×3×3');
    expect(shapesOf(widened)).toContain('Conv 16×1×3×3');
    const dims = [1, 4, SIDE, SIDE];
    expect(apart(await runs(model, [input()], dims), await runs(widened, [input()], dims))).toBeLessThan(
      1e-5,
    );
  });

  test('leaves a PReLU with a single slope, and any other activation, unchanged', async () => {
    const graph = new OnnxGraph('one slope');
    const x = graph.input('x', [1, 4, SIDE, SIDE]);
    const weights = graph.floats([4, 4, 1, 1], new Float32Array(16).fill(0.5));
    const conv = graph.node('Conv', [x, weights], { kernel_shape: [1, 1] });
    const bent = graph.node('PRelu', [conv, graph.floats([1], Float32Array.of(0.3))]);
    graph.output('y', graph.node('Conv', [bent, weights], { kernel_shape: [1, 1] }), [1, 4, SIDE, SIDE]);
    const model = graph.encode();
    expect(shapesOf(widenChannels(model))).toEqual(shapesOf(model));
  });

  test('refuses what is no model', () => {
    expect(() => widenChannels(published.subarray(0, published.length - 9))).toThrow(RangeError);
    expect(() => widenChannels(new Uint8Array())).toThrow(RangeError);
  });
});

test('reads any message as it was written', () => {
  const written = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.oneof(fc.maxSafeNat(), fc.uint8Array())),
  );
  fc.assert(
    fc.property(written, (fields) => {
      const out = new ProtobufWriter();
      for (const [field, value] of fields)
        if (typeof value === 'number') out.integer(field, value);
        else out.bytes(field, value);
      const read = wireFields(out.finish());
      expect(read.map(({ field }) => field)).toEqual(fields.map(([field]) => field));
      for (const [i, [, value]] of fields.entries())
        if (typeof value === 'number') expect(read[i]!.value).toBe(value);
        else expect(Array.from(read[i]!.body)).toEqual(Array.from(value));
    }),
  );
});
