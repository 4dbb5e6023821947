// The record of each frame and the choice among them: every flaw is named, and an ideal frame wins over each flawed
// one.
import { decode as readBmp } from 'fast-bmp';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ObservedFace } from '../../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import { toBitmap } from '../../../src/evaluation/quality/bitmap.ts';
import { assessFrame } from '../../../src/evaluation/quality/frame-quality.ts';
import { selectPortraits } from '../../../src/evaluation/quality/select.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import { demoPhoto, readFrame, useModels } from '../picture.ts';

const held = useModels();
let ideal: Shot;

/** A frame and the face in it. */
interface Shot {
  readonly frame: Frame;
  readonly face: ObservedFace;
}

beforeAll(async () => {
  ideal = await shotOf(await readFrame(demoPhoto(6), { portrait: 'a', width: 400 }));
});

async function shotOf(frame: Frame): Promise<Shot> {
  const [observation] = await trackFaces(held.models, [frame], { prefer: 'central' });
  return { frame, face: observation!.face! };
}

/** The ideal frame with its pixels changed. The mesh stays the same, so that nothing else differs. */
function repainted(paint: (value: number, x: number, y: number) => number): Shot {
  const { frame, face } = ideal;
  const rgb = frame.rgb.map((value, i) =>
    paint(value, Math.floor(i / 3) % frame.width, Math.floor(i / 3 / frame.width)),
  );
  return { face, frame: { ...frame, rgb } };
}

async function blurred(): Promise<Shot> {
  const { width, height, rgb } = ideal.frame;
  const data = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .blur(5)
    .raw()
    .toBuffer();
  return { face: ideal.face, frame: { ...ideal.frame, rgb: new Uint8Array(data) } };
}

const halfLit = () => {
  const { box } = ideal.face;
  return repainted((value, x) => (x < box.x + box.width / 2 ? value * 0.4 : value));
};
const backLit = () => {
  const { box } = ideal.face;
  const isBeside = (x: number, y: number) =>
    x < box.x || x >= box.x + box.width || y < box.y || y >= box.y + box.height;
  return repainted((value, x, y) => (isBeside(x, y) ? 240 : value * 0.4));
};
const maskedMouth = () => {
  const { box, eyeDistancePx } = ideal.face;
  return repainted((value, x, y) =>
    y > box.y + box.height * 0.6 && Math.abs(x - box.x - box.width / 2) < eyeDistancePx
      ? 30 + (x % 3)
      : value,
  );
};

describe('the record of a frame', () => {
  it('has no flaw for the ideal frame', () => {
    expect(assessFrame(ideal.frame, ideal.face)).toMatchObject({ flaws: [], unevenness: expect.any(Number) });
  });

  it.each([
    [35, ['small']],
    // Enlarged this much, nothing is sharp either.
    [20, ['too_small', 'small', 'blurred']],
  ])('eyes %d pixels apart: %j', async (eyeDistancePx, flaws) => {
    const width = Math.round((400 * eyeDistancePx) / ideal.face.eyeDistancePx);
    const { frame, face } = await shotOf(await readFrame(demoPhoto(6), { portrait: 'a', width }));
    expect(face.eyeDistancePx / eyeDistancePx).toBeCloseTo(1, 1);
    expect(assessFrame(frame, face).flaws).toEqual(flaws);
  });

  it.each<[string, () => Shot | Promise<Shot>]>([
    ['dark', () => repainted((value) => value * 0.2)],
    ['backlit', backLit],
    ['burnt_out', () => repainted((value) => Math.min(255, value * 3))],
    ['blurred', blurred],
    ['turned', () => ({ ...ideal, face: { ...ideal.face, yaw: 0.5 } })],
    ['turned', () => ({ ...ideal, face: { ...ideal.face, pitch: -0.8 } })],
    ['occluded', () => ({ ...ideal, face: { ...ideal.face, presence: 0.98 } })],
  ])('%s', async (flaw, make) => {
    const { frame, face } = await make();
    expect(assessFrame(frame, face).flaws).toEqual([flaw]);
  });

  it('occluded: a mouth behind a block of another colour', () => {
    const grey = maskedMouth();
    const blue = { ...grey, frame: { ...grey.frame, rgb: grey.frame.rgb.slice() } };
    for (let i = 2; i < blue.frame.rgb.length; i += 3)
      if (blue.frame.rgb[i]! >= 30 && blue.frame.rgb[i]! <= 32) blue.frame.rgb[i] = 160;
    expect(assessFrame(blue.frame, blue.face).flaws).toContain('occluded');
    // A forehead that is as dark does not show its colour.
    const dark = { ...blue.frame, rgb: blue.frame.rgb.map((value) => value * 0.45) };
    expect(assessFrame(dark, blue.face).flaws).not.toContain('occluded');
  });

  it('occluded: a face cut off by the edge of the frame', () => {
    const { frame, face } = ideal;
    const width = Math.round(face.box.x + face.box.width * 0.6);
    const rgb = new Uint8Array(width * frame.height * 3);
    for (let y = 0; y < frame.height; y++)
      rgb.set(frame.rgb.subarray(y * frame.width * 3, (y * frame.width + width) * 3), y * width * 3);
    expect(assessFrame({ ...frame, width, rgb }, face).flaws).toContain('occluded');
  });

  it('distinguishes a face lit from one side from an evenly lit one', () => {
    const even = assessFrame(ideal.frame, ideal.face).unevenness;
    const { frame, face } = halfLit();
    expect(even).toBeLessThan(0.15);
    expect(assessFrame(frame, face).unevenness).toBeGreaterThan(0.25);
  });
});

const assessed = (frame: Frame, face: ObservedFace) => ({
  frame,
  quality: assessFrame(frame, face),
  observation: { timeMs: frame.timeMs, faceCount: 1, face },
});

describe('the best frame', () => {
  const worse: [string, () => Shot | Promise<Shot>][] = [
    ['blurred', blurred],
    ['lit from one side', halfLit],
    ['dark', () => repainted((value) => value * 0.2)],
    ['burnt out', () => repainted((value) => Math.min(255, value * 3))],
    ['turned a little', () => ({ ...ideal, face: { ...ideal.face, yaw: ideal.face.yaw + 0.2 } })],
    ['with eyes shut', () => ({ ...ideal, face: { ...ideal.face, eyesOpen: 0.15 } })],
    ['smiling', () => ({ ...ideal, face: { ...ideal.face, happy: 1 } })],
    ['talking', () => ({ ...ideal, face: { ...ideal.face, mouthOpen: 0.3 } })],
    ['small', () => ({ ...ideal, face: { ...ideal.face, eyeDistancePx: 30 } })],
  ];

  it.each(worse)('is not the one %s', async (_, make) => {
    const [flawed, calm] = [await make(), { ...ideal, face: { ...ideal.face, happy: 0, mouthOpen: 0 } }];
    for (const shots of [
      [flawed, calm],
      [calm, flawed],
    ]) {
      const { best, quality } = selectPortraits(
        shots.map(({ frame, face }, i) => assessed({ ...frame, timeMs: i * 80 }, face)),
        1,
      );
      expect(best!.face).toBe(calm.face);
      expect(quality).toHaveLength(2);
    }
  });

  it('is null if every face is too small, and the record says so', () => {
    const far = assessed(ideal.frame, { ...ideal.face, eyeDistancePx: 22 });
    const { best, portraits, quality } = selectPortraits([far], 5);
    expect({ best, portraits }).toEqual({ best: null, portraits: [] });
    expect(quality[0]!.flaws).toContain('too_small');
  });

  it('becomes a bitmap of exactly the judged pixels', () => {
    const { width, height, rgb } = ideal.frame;
    const bitmap = readBmp(toBitmap(ideal.frame));
    expect({ width: bitmap.width, height: bitmap.height }).toEqual({ width, height });
    expect(Buffer.from(bitmap.data as Uint8Array).equals(Buffer.from(rgb))).toBe(true);
  });
});
