// The PAD slot, with a network of a few weights: what reaches it from a portrait, and what its output is taken for.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cropInside, scorePortraits } from '../../../src/evaluation/pad/score-portraits.ts';
import type { Portrait } from '../../../src/evaluation/quality/select.ts';
import { OnnxGraph } from '../../../src/models/compile/onnx.ts';
import { loadPad, type PadManifest, type PadNetworkSpec } from '../../../src/models/packs/pad-pack.ts';
import { neutralFace } from '../liveness/evidence.ts';

const SIDE = 16;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-pad-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Its three outputs are the means of the three channels it is given. */
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
    ...{ file: 'means.onnx', sha256: createHash('sha256').update(bytes).digest('hex') },
    ...{ input_size: SIDE, layout: 'nchw', channel_order: 'bgr', mean: 0, scale: 255 },
    ...{ crop_scale: 1, classes: 3, live_class: 2, activation: 'none' },
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
function portrait(face: [number, number, number], around: [number, number, number]): Portrait {
  const [width, height] = [400, 400];
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rgb.set(x >= 100 && x < 300 && y >= 100 && y < 300 ? face : around, (y * width + x) * 3);
  const frame = { timeMs: 0, width, height, rgb };
  return {
    frame,
    face: neutralFace(),
    score: 0,
    ...{ brightness: 0, burntShare: 0, sharpness: 0, unevenness: 0, flaws: [] },
  };
}

describe('scorePortraits', () => {
  const red = portrait([255, 0, 0], [0, 0, 255]);

  it('gives the crop in the channel order asked for', async () => {
    const pad = await pack();
    expect(await scorePortraits(pad, [red])).toEqual({ live: expect.closeTo(1, 2), threshold: 0.5 });
    await pad.close();
  });

  it('takes in the surround that the crop scale asks for', async () => {
    const pad = await pack({ crop_scale: 2 });
    expect((await scorePortraits(pad, [red]))!.live).toBeCloseTo(0.25, 1);
    await pad.close();
  });

  it('is the mean over portraits and networks, of probabilities', async () => {
    const blue = portrait([0, 0, 255], [0, 0, 255]);
    const plain = await pack();
    expect((await scorePortraits(plain, [red, blue]))!.live).toBeCloseTo(0.5, 2);
    await plain.close();
    const softmax = await pack({ activation: 'softmax' });
    expect((await scorePortraits(softmax, [red]))!.live).toBeCloseTo(Math.E / (Math.E + 2), 2);
    await softmax.close();
  });

  it('says nothing without a pack or a portrait', async () => {
    expect(await scorePortraits(null, [red])).toBeNull();
    const pad = await pack();
    expect(await scorePortraits(pad, [])).toBeNull();
    await pad.close();
  });
});

describe('loadPad', () => {
  it.each([
    ['another hash', { sha256: '0'.repeat(64) }, 'PACK_CORRUPT'],
    ['no such file', { file: 'none.onnx' }, 'PACK_MISSING'],
    ['another number of classes', { classes: 4 }, 'PACK_INVALID'],
    ['a live class that is none', { live_class: 3 }, 'PACK_INVALID'],
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
