// The input that a PAD pack gets from a capture, and the interpretation of its output, with a network of a few weights;
// and the built-in pack on faces and on pictures of faces.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OnnxGraph } from '../../../../src/compile-models/onnx.ts';
import type { FaceObservation } from '../../../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../../../src/evaluation/face/track.ts';
import { withoutBars } from '../../../../src/evaluation/pad/bars.ts';
import { cropInside, FaceScorer, padScore, scoreFace } from '../../../../src/evaluation/pad/score-faces.ts';
import { DEFAULT_SETTINGS } from '../../../../src/evaluation/settings.ts';
import { decodeClip } from '../../../../src/evaluation/video/decode.ts';
import type { Frame } from '../../../../src/evaluation/video/frame.ts';
import {
  loadPad,
  type PadManifest,
  type PadModel,
  type PadNetworkSpec,
} from '../../../../src/models/packs/pad-pack.ts';
import { neutralFace } from '../../../evaluation/liveness/evidence.ts';
import { readFrame, useModels } from '../../../evaluation/picture.ts';
import { keptClips } from '../../../evaluation/video/make-clip.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../../support/faces.ts';

const SIDE = 16;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-pad-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Its three outputs are the means of its three input channels. */
function channelMeans(): Uint8Array {
  const graph = new OnnxGraph('means');
  const input = graph.input('picture', ['N', 3, SIDE, SIDE]);
  graph.output('classes', graph.node('ReduceMean', [input], { axes: [2, 3], keepdims: 0 }), ['N', 3]);
  return graph.encode();
}

async function pack(network: Partial<PadNetworkSpec> = {}, manifest: Partial<PadManifest> = {}) {
  const bytes = channelMeans();
  await writeFile(join(folder, 'means.onnx'), bytes);
  const spec: PadNetworkSpec = {
    file: 'means.onnx',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    input_size: SIDE,
    layout: 'nchw',
    channel_order: 'bgr',
    mean: 0,
    scale: 255,
    crop_scale: 1,
    classes: 3,
    live_class: 2,
    activation: 'none',
    ...network,
  };
  const whole: PadManifest = {
    format: 1,
    name: 'tiny',
    licence: 'none',
    networks: [spec],
    threshold: 0.5,
    ...manifest,
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(whole));
  return loadPad(folder, {});
}

/** A face of one colour in a frame of another. */
function picture(face: [number, number, number], around: [number, number, number]): Frame {
  const [width, height] = [400, 400];
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rgb.set(x >= 100 && x < 300 && y >= 100 && y < 300 ? face : around, (y * width + x) * 3);
  return { timeMs: 0, width, height, rgb };
}

/** The score of all frames, given one after another. */
async function scoreFaces(
  pad: PadModel | null,
  frames: readonly Frame[],
  observations: readonly FaceObservation[],
) {
  const scorer = new FaceScorer(pad);
  const scores: (number | null)[] = [];
  for (const [i, frame] of frames.entries()) scores.push(await scorer.score(frame, observations[i]!));
  return padScore(pad, scores);
}

/** Frames at twelve a second, each with a face by default. */
async function score(pad: PadModel | null, frames: readonly Frame[], hasFace = true) {
  const observations = frames.map((_, i) => ({
    timeMs: Math.round((i * 1000) / 12),
    faceCount: 1,
    face: hasFace ? neutralFace() : null,
  }));
  return scoreFaces(pad, frames, observations);
}

describe('the PAD score', () => {
  const red = picture([255, 0, 0], [0, 0, 255]);
  const blue = picture([0, 0, 255], [0, 0, 255]);
  const liveOf = async (pad: PadModel, frames: readonly Frame[]) => (await score(pad, frames))!.live!;

  it('crops in the required channel order', async () => {
    const pad = await pack();
    expect(await score(pad, [red])).toEqual({ live: expect.closeTo(1, 2), threshold: 0.5 });
    await pad.close();
  });

  it('includes the surroundings that the crop scale asks for', async () => {
    const pad = await pack({ crop_scale: 2 });
    expect(await liveOf(pad, [red])).toBeCloseTo(0.25, 1);
    await pad.close();
  });

  it('is the median of the probabilities of one face every half second', async () => {
    const plain = await pack();
    const halfSecond = (frame: Frame, between: Frame) => [frame, ...Array<Frame>(5).fill(between)];
    const seconds = (...frames: Frame[]) => frames.flatMap((frame) => halfSecond(frame, blue));
    expect(await liveOf(plain, seconds(red, red, blue))).toBeCloseTo(1, 2);
    expect(await liveOf(plain, seconds(red, blue, blue))).toBeCloseTo(0, 2);
    await plain.close();
    const softmax = await pack({ activation: 'softmax' });
    expect(await liveOf(softmax, [red])).toBeCloseTo(Math.E / (Math.E + 2), 2);
    await softmax.close();
  });

  it.each(['softmax', 'sigmoid'] as const)('lies between 0 and 1 (%s)', async (activation) => {
    const pad = await pack({ activation, scale: 1 });
    const level = fc.integer({ min: 0, max: 255 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(level, level, level), fc.tuple(level, level, level), async (face, around) => {
        const live = await liveOf(pad, [picture(face, around)]);
        expect(live).toBeGreaterThanOrEqual(0);
        expect(live).toBeLessThanOrEqual(1);
      }),
      { numRuns: 10 },
    );
    await pad.close();
  });

  it('is null without a pack, and has no value without a face', async () => {
    expect(await score(null, [red])).toBeNull();
    const pad = await pack();
    expect(await score(pad, [])).toEqual({ live: null, threshold: 0.5 });
    expect(await score(pad, [red], false)).toMatchObject({ live: null });
    await pad.close();
  });
});

describe('the shape of the crop', () => {
  it('is a square around the face, or its box alone where the manifest says so', async () => {
    // Red left and right of a tall face, blue in it.
    const frame = picture([255, 0, 0], [255, 0, 0]);
    const tall = { x: 150, y: 100, width: 100, height: 200 };
    for (let y = 100; y < 300; y++)
      for (let x = 150; x < 250; x++) frame.rgb.set([0, 0, 255], (y * 400 + x) * 3);
    const [square, box] = [await pack(), await pack({ crop_shape: 'box' })];
    expect(await scoreFace(square, frame, { box: tall, roll: 0 })).toBeCloseTo(0.5, 1);
    expect(await scoreFace(box, frame, { box: tall, roll: 0 })).toBeCloseTo(0, 5);
    await square.close();
    await box.close();
  });
});

describe('what the network sees', () => {
  const box = { x: 100, y: 100, width: 200, height: 200 };

  /** The input for one face: `SIDE` rows of red values, 0–1. */
  async function inputOf(frame: Frame, face: { box: typeof box; roll: number }): Promise<number[][]> {
    const pad = await pack({ channel_order: 'rgb' });
    let input = new Float32Array();
    const networks = pad.networks.map((network) => ({
      ...network,
      run: (given: Float32Array, count: number) => {
        input = Float32Array.from(given);
        return network.run(given, count);
      },
    }));
    await scoreFace({ ...pad, networks }, frame, face);
    await pad.close();
    return Array.from({ length: SIDE }, (_, row) => [...input.subarray(row * SIDE, (row + 1) * SIDE)]);
  }

  it('is the face upright, however the recording lies', async () => {
    // Red where the forehead is, on every side in turn.
    const lying = [
      { roll: 0, forehead: (x: number, y: number) => y < 150 && x < 250 },
      { roll: Math.PI / 2, forehead: (x: number, y: number) => x >= 250 && y < 250 },
      { roll: Math.PI, forehead: (x: number, y: number) => y >= 250 && x >= 150 },
      { roll: -Math.PI / 2, forehead: (x: number, y: number) => x < 150 && y >= 150 },
    ].map(({ roll, forehead }) => {
      const frame = picture([0, 0, 255], [0, 255, 0]);
      for (let y = 100; y < 300; y++)
        for (let x = 100; x < 300; x++) if (forehead(x, y)) frame.rgb.set([255, 0, 0], (y * 400 + x) * 3);
      return inputOf(frame, { box, roll: roll + 0.3 });
    });
    const [upright, ...others] = await Promise.all(lying);
    expect(upright![0]![0]).toBeCloseTo(1, 1);
    expect(upright!.at(-1)![0]).toBeCloseTo(0, 1);
    for (const other of others) expect(other).toEqual(upright);
  });

  it('is the picture without its bars', async () => {
    const inner = picture([200, 0, 0], [0, 0, 200]);
    // The shoulders reach the edges.
    for (let y = 300; y < 400; y++)
      for (let x = 0; x < 400; x++) inner.rgb.set([0, 200, 0], (y * 400 + x) * 3);
    const [width, left] = [560, 80];
    const barred = { timeMs: 0, width, height: 400, rgb: new Uint8Array(width * 400 * 3).fill(16) };
    for (let y = 0; y < 400; y++)
      barred.rgb.set(inner.rgb.subarray(y * 1200, (y + 1) * 1200), (y * width + left) * 3);
    expect(withoutBars(barred)).toEqual({ frame: inner, left, top: 0 });
    expect(await inputOf(barred, { box: { ...box, x: box.x + left }, roll: 0 })).toEqual(
      await inputOf(inner, { box, roll: 0 }),
    );
    expect(withoutBars(inner).frame).toBe(inner);
  });
});

describe('loadPad', () => {
  it.each([
    ['another hash', { sha256: '0'.repeat(64) }, 'PACK_CORRUPT'],
    ['no such file', { file: 'none.onnx' }, 'PACK_MISSING'],
    ['another number of classes', { classes: 4 }, 'PACK_INVALID'],
    ['a live class out of range', { live_class: 3 }, 'PACK_INVALID'],
    ['an unknown activation', { activation: 'relu' as 'none' }, 'PACK_INVALID'],
  ])('refuses %s', async (_, network, code) => {
    await expect(pack(network)).rejects.toMatchObject({ code });
  });

  it('refuses a folder without a manifest', async () => {
    await expect(loadPad(join(folder, 'nowhere'), {})).rejects.toMatchObject({ code: 'PACK_MISSING' });
  });
});

describe('cropInside', () => {
  it('never leaves the frame', () => {
    const extent = fc.integer({ min: 16, max: 2000 });
    const place = fc.integer({ min: -500, max: 2500 });
    const side = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(
        extent,
        extent,
        place,
        place,
        side,
        side,
        fc.double({ min: 0.5, max: 10, noNaN: true }),
        (...given) => {
          const [width, height, x, y, boxWidth, boxHeight, scale] = given;
          const crop = cropInside({ width, height }, { x, y, width: boxWidth, height: boxHeight }, scale);
          expect(crop.x - crop.size / 2).toBeGreaterThanOrEqual(-1e-6);
          expect(crop.y - crop.size / 2).toBeGreaterThanOrEqual(-1e-6);
          expect(crop.x + crop.size / 2).toBeLessThanOrEqual(width + 1e-6);
          expect(crop.y + crop.size / 2).toBeLessThanOrEqual(height + 1e-6);
        },
      ),
    );
  });
});

/** None of these was used to choose frames, pooling or threshold. */
describe.skipIf(!HAS_FACES)(`the built-in pack (FACES_DIR: ${FACES_DIR})`, () => {
  const held = useModels();
  const clips = keptClips();

  async function scoreOf(frames: readonly Frame[]) {
    const { pad } = held.models;
    return (await scoreFaces(pad, frames, await trackFaces(held.models, frames)))!;
  }

  it.each([
    '0001',
    '0003',
    '0005',
    '0007',
  ])('distinguishes subject %s in front of a webcam from prints', async (subject) => {
    for (const label of ['real', 'fake'] as const) {
      const folder = facePath(`spoof/nuaa/open/${label}/${subject}`);
      const stills = readdirSync(folder).sort().slice(0, 3);
      const frames = await Promise.all(stills.map((file) => readFrame(join(folder, file))));
      const timed = frames.map((frame, i) => ({ ...frame, timeMs: i * 500 }));
      const { live, threshold } = await scoreOf(timed);
      if (label === 'real') expect(live).toBeGreaterThanOrEqual(threshold);
      else expect(live).toBeLessThan(threshold);
    }
  });

  it.each([
    ['real/ZubairCracksCode_real.mov', 'live'],
    ['fake/ZubairCracksCode_fake.mp4', 'filmed off a screen'],
  ])('%s: %s', async (file, what) => {
    const recorded = ['-an', '-vf', 'scale=-2:480', '-r', '4', '-c:v', 'libvpx', '-b:v', '2M'];
    const source = ['-t', '5', '-i', facePath(`spoof/video/open/${file}`)];
    const path = await clips.make('pad.webm', [...source, ...recorded]);
    const frames: Frame[] = [];
    await decodeClip(path, DEFAULT_SETTINGS.video, async (decoded) => {
      for await (const frame of decoded) frames.push(frame);
    });
    const { live, threshold } = await scoreOf(frames);
    if (what === 'live') expect(live).toBeGreaterThanOrEqual(threshold);
    else expect(live).toBeLessThan(threshold);
  });
});
