// PReLU written as Mul and Max: the same outputs to the last bit, and left alone where they would not be.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/measurement/random.ts';
import { OnnxGraph } from '../../src/models/compile/onnx.ts';
import { withoutPRelu } from '../../src/models/compile/prelu.ts';
import { ProtobufWriter, wireFields } from '../../src/models/compile/protobuf.ts';
import { sessionOptions } from '../../src/models/load.ts';
import { minifasnet } from '../../src/models/minifasnet.ts';
import { ort } from '../../src/models/onnx-runtime.ts';
import { NODE_MODULES } from '../support/published-networks.ts';

const published = readFileSync(join(NODE_MODULES, minifasnet.package, minifasnet.weights));

async function runs(model: Uint8Array, inputs: readonly Float32Array[], dims: readonly number[]) {
  const session = await ort.InferenceSession.create(model, sessionOptions(1));
  const outputs: number[][] = [];
  for (const input of inputs) {
    const feeds = { [session.inputNames[0]!]: new ort.Tensor('float32', input, dims) };
    const results = await session.run(feeds);
    // A zero is a zero, whatever its sign.
    outputs.push(Array.from(results[session.outputNames[0]!]!.data as Float32Array, (value) => value + 0));
  }
  await session.release();
  return outputs;
}

/** A network that is one PReLU of two channels. */
function oneOf(slopes: readonly number[]): Uint8Array {
  const graph = new OnnxGraph('prelu');
  const dims = [1, 2, 1, 3];
  const x = graph.input('x', dims);
  graph.output('y', graph.node('PRelu', [x, graph.floats([2, 1, 1], Float32Array.from(slopes))]), dims);
  return graph.encode();
}

const names = (model: Uint8Array) =>
  Buffer.from(model)
    .toString('latin1')
    .match(/PRelu|Mul|Max/g) ?? [];

describe('PReLU as the greater of x and slope · x', () => {
  test('is what the compiled PAD network computes: each output of the published one, bit for bit', async () => {
    const random = seededRandom(7);
    const pixels = 3 * 128 * 128;
    const noise = Array.from({ length: 4 }, () =>
      Float32Array.from({ length: pixels }, () => 255 * random()),
    );
    const flat = [0, 128, 255].map((level) => new Float32Array(pixels).fill(level));
    const inputs = [...noise, ...flat];
    const compiled = minifasnet.build('', published);
    expect(await runs(compiled, inputs, [1, 3, 128, 128])).toEqual(
      await runs(published, inputs, [1, 3, 128, 128]),
    );
  });

  test('takes the place of a PReLU whose slopes are at most 1, of negative and zero ones too', async () => {
    const input = Float32Array.from([-3, -0.1, 0, 0.1, 2, -7]);
    for (const slopes of [
      [0.25, 1],
      [-0.5, 0],
    ]) {
      const model = oneOf(slopes);
      expect(names(withoutPRelu(model))).not.toContain('PRelu');
      expect(await runs(withoutPRelu(model), [input], [1, 2, 1, 3])).toEqual(
        await runs(model, [input], [1, 2, 1, 3]),
      );
    }
  });

  test('leaves a slope beyond 1, and one that is no number', () => {
    for (const slope of [1.5, Number.NaN]) {
      const model = oneOf([0.25, slope]);
      expect(Buffer.from(withoutPRelu(model)).equals(Buffer.from(model))).toBe(true);
    }
  });

  test('refuses what is no model, and a model of older operators', () => {
    expect(() => withoutPRelu(published.subarray(0, published.length - 9))).toThrow(RangeError);
    expect(() => withoutPRelu(new Uint8Array())).toThrow(RangeError);
    const older = new ProtobufWriter().message(8, new ProtobufWriter().integer(2, 6)).finish();
    expect(() => withoutPRelu(older)).toThrow(RangeError);
  });

  test('reads of a message what was written, whatever it is', () => {
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
});
