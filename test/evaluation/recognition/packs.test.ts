// Packs in the judgement: pixels prepared as the manifest says, several networks, operating points, and two packs in use at
// once.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/base/errors.ts';
import { compareTemplates } from '../../../src/evaluation/compare.ts';
import { compareWithAll } from '../../../src/evaluation/compare-with-all.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import { readBest } from '../../../src/evaluation/human-face.ts';
import { embedPortraits, makeProbe } from '../../../src/evaluation/probe.ts';
import { assessFrame } from '../../../src/evaluation/quality/frame-quality.ts';
import { selectPortraits } from '../../../src/evaluation/quality/select.ts';
import { alignmentOf, embed, fillInput } from '../../../src/evaluation/recognition/embed.ts';
import { operatingPoint, templatePackId } from '../../../src/evaluation/recognition/operating-point.ts';
import { cosineSimilarity } from '../../../src/evaluation/recognition/vector.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import type { Models } from '../../../src/models/load.ts';
import { loadRecogniser } from '../../../src/models/packs/load-recogniser.ts';
import { type RecogniserPack, readPack } from '../../../src/models/packs/read-pack.ts';
import { TINY_SIZE, tinyNetwork, tinySpec, writeManifest } from '../../models/tiny-pack.ts';
import { demoPhoto, readFrame, useModels } from '../picture.ts';

const held = useModels();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-pack-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the input of a network', () => {
  const side = 2;
  // Red 0–3, green 10–13, blue 20–23.
  const pixels = Float32Array.from([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23]);
  const fill = (change: object, mirrored = false) => {
    const out = new Float32Array(pixels.length);
    const plain = { input_size: side, layout: 'nchw', channel_order: 'rgb', mean: 0, scale: 1 } as const;
    fillInput(pixels, { ...plain, ...change }, mirrored, out);
    return [...out];
  };

  test('is planar red, green, blue', () => {
    expect(fill({})).toEqual([...pixels]);
  });
  test('is blue first if the manifest says so', () => {
    expect(fill({ channel_order: 'bgr' })).toEqual([20, 21, 22, 23, 10, 11, 12, 13, 0, 1, 2, 3]);
  });
  test('is interleaved if the manifest says so', () => {
    expect(fill({ layout: 'nhwc' })).toEqual([0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23]);
  });
  test('is mirrored row by row', () => {
    expect(fill({}, true)).toEqual([1, 0, 3, 2, 11, 10, 13, 12, 21, 20, 23, 22]);
  });
  test('has mean and scale applied per channel, in the order of the channels', () => {
    const out = fill({ channel_order: 'bgr', mean: [20, 10, 0], scale: [1, 2, 4] });
    expect(out).toEqual([0, 1, 2, 3, 0, 0.5, 1, 1.5, 0, 0.25, 0.5, 0.75]);
  });
});

test('the five ArcFace points given in a manifest equal the preset', () => {
  const landmarks = Float32Array.from({ length: 468 * 3 }, (_, i) => (i * 7919) % 251);
  const points = [
    [38.2946, 51.6963],
    [73.5318, 51.5014],
    [56.0252, 71.7366],
    [41.5493, 92.3655],
    [70.7299, 92.2041],
  ] as [[number, number], [number, number], [number, number], [number, number], [number, number]];
  const preset = alignmentOf({ alignment: 'arcface-5', input_size: 112 }, landmarks);
  const given = alignmentOf({ alignment: points, input_size: 112 }, landmarks);
  for (const key of ['a', 'b', 'tx', 'ty'] as const) expect(given[key]).toBeCloseTo(preset[key], 9);
});

async function seen(portrait: 'a' | 'b', width?: number) {
  const frame = await readFrame(demoPhoto(6), { portrait, ...(width ? { width } : {}) });
  const observations = await trackFaces(held.models, [frame]);
  return { frame, observations, face: observations[0]!.face! };
}

test('several networks are their weighted embeddings, one after another', async () => {
  const bytes = tinyNetwork();
  await writeFile(join(folder, 'tiny.onnx'), bytes);
  const parts = [
    tinySpec('tiny.onnx', bytes, { weight: 2 }),
    tinySpec('tiny.onnx', bytes, { flip: true, mean: 50 }),
  ];
  await writeManifest(folder, parts);
  const recogniser = await loadRecogniser(readPack(folder, folder), {});
  const { frame, face } = await seen('a');
  const embedding = await embed(recogniser, frame, face);
  const norm = (vector: Float32Array) => Math.hypot(...vector);
  expect(embedding).toHaveLength(2 * TINY_SIZE);
  expect(norm(embedding)).toBeCloseTo(1, 5);
  expect(norm(embedding.slice(0, TINY_SIZE)) / norm(embedding.slice(TINY_SIZE))).toBeCloseTo(2, 5);
  await recogniser.close();
});

describe('the operating point', () => {
  const shipped = () => held.models.recognisers[0].pack;
  const withPoints = (points: [number, number][]): RecogniserPack => {
    const pack = shipped();
    const thresholds = points.map(([target_fmr, cosine]) => ({
      target_fmr,
      cosine,
      set_by: 'all',
      extrapolated: false,
      worst_pair: null,
      groups: [],
    }));
    return {
      ...pack,
      calibration: {
        ...pack.calibration!,
        thresholds: [{ probe_frames: 1, reference_frames: 1, points: thresholds }],
      },
    };
  };
  const cosineAt = (pack: RecogniserPack, fmr: number) => operatingPoint(pack, fmr).thresholds[0]!.cosine;

  test('is the calibrated threshold at a calibrated rate, and interpolated between two rates', () => {
    const pack = withPoints([
      [1e-2, 0.4],
      [1e-4, 0.6],
    ]);
    expect(cosineAt(pack, 1e-2)).toBeCloseTo(0.4, 12);
    expect(cosineAt(pack, 1e-4)).toBeCloseTo(0.6, 12);
    expect(cosineAt(pack, 1e-3)).toBeCloseTo(0.5, 12);
  });

  test.each([[1e-5], [0.05]])('is refused at %d, which is outside the calibration', (fmr) => {
    const pack = withPoints([
      [1e-2, 0.4],
      [1e-4, 0.6],
    ]);
    expect(() => operatingPoint(pack, fmr)).toThrow(Fault);
    expect(() => operatingPoint(pack, fmr)).toThrow(/covers false match rates from 0.0001 to 0.01/);
  });

  test('is refused without a calibration, and with that of another pack', () => {
    const pack = shipped();
    expect(() => operatingPoint({ ...pack, calibration: null }, 1e-4)).toThrow(/has none/);
    // The suggested command must find the pack.
    expect(() => operatingPoint({ ...pack, calibration: null, folder: '/packs/own' }, 1e-4)).toThrow(
      /bench recognition --pack \/packs\/own$/,
    );
    const other = { ...pack.calibration!, pack: 'arcface-0123456789ab.r1' };
    expect(() => operatingPoint({ ...pack, calibration: other }, 1e-4)).toThrow(/made for arcface/);
  });

  test('that ships rises as the target falls, for every number of frames per side', () => {
    for (const { points } of shipped().calibration!.thresholds) {
      const cosines = points.toSorted((a, b) => b.target_fmr - a.target_fmr).map(({ cosine }) => cosine);
      expect(cosines).toEqual(cosines.toSorted((a, b) => a - b));
    }
  });
});

describe('two packs', () => {
  /** With a second pack: the shipped network without its mirror image, which is another recogniser by its id. */
  async function withOlder<T>(work: (models: Models) => Promise<T>): Promise<T> {
    const older = await loadRecogniser(await writeOlderPack(), {});
    try {
      return await work({ ...held.models, recognisers: [held.models.recognisers[0], older] });
    } finally {
      await older.close();
    }
  }

  async function writeOlderPack(): Promise<RecogniserPack> {
    const { pack } = held.models.recognisers[0];
    const own = join(folder, 'older');
    await mkdir(own, { recursive: true });
    const [network] = pack.manifest.networks;
    await copyFile(join(pack.folder, network!.file), join(own, network!.file));
    await writeManifest(own, [{ ...network!, flip: false }]);
    const calibration = { ...pack.calibration!, pack: templatePackId(readPack(own, '')) };
    await writeFile(join(own, 'calibration.json'), JSON.stringify(calibration));
    return readPack(own, '');
  }

  async function templateBy(
    models: Models,
    frame: Frame,
    observations: Awaited<ReturnType<typeof trackFaces>>,
  ) {
    const [observation] = observations;
    const quality = assessFrame(frame, observation!.face!);
    const read = await readBest(models, selectPortraits([{ frame, observation: observation!, quality }], 1));
    const [recogniser] = models.recognisers;
    const probe = makeProbe(recogniser, read, await embedPortraits(recogniser, read.selection.portraits));
    if (probe.status !== 'made') throw new Error(probe.reason);
    return probe;
  }

  test('an old FeatureID is compared by the pack that made it, while new ones use the main pack', async () => {
    const first = await seen('a');
    const again = await seen('a', 300);
    const other = await seen('b');
    await withOlder(async (models) => {
      const [main, older] = models.recognisers;
      const onlyOlder = { ...models, recognisers: [older!] as const };
      const probe = await templateBy(models, again.frame, again.observations);
      const references = [
        { id: 'old', template: (await templateBy(onlyOlder, first.frame, first.observations)).template },
        { id: 'new', template: (await templateBy(models, first.frame, first.observations)).template },
        { id: 'other', template: (await templateBy(onlyOlder, other.frame, other.observations)).template },
      ];
      expect(references.map(({ template }) => template.packId)).toEqual(
        [older!, main, older!].map(({ pack }) => templatePackId(pack)),
      );
      const results = await compareWithAll(models, probe, references, 1e-4);
      expect(results.map(({ id, result }) => `${id} ${result}`)).toEqual([
        'old pass',
        'new pass',
        'other fail',
      ]);
      // A comparison across packs is a bug and never gives a score.
      const at = operatingPoint(main.pack, 1e-4);
      expect(() => compareTemplates(probe.template, references[0]!, at)).toThrow(/not comparable/);
      await expect(compareWithAll(held.models, probe, references, 1e-4)).rejects.toThrow(/is loaded/);
    });
  });

  test('the same face twice with the same pack gives the same vector', async () => {
    const { frame, face } = await seen('a');
    await withOlder(async ({ recognisers: [, older] }) => {
      const [one, two] = [await embed(older!, frame, face), await embed(older!, frame, face)];
      expect(one).toEqual(two);
      expect(one).toHaveLength(192);
      expect(cosineSimilarity(one, one)).toBeCloseTo(1, 5);
    });
  });
});
