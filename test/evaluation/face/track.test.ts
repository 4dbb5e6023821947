// Detection, mesh and tracking on real photographs: sizes, counts, mirror symmetry, loss and recovery.
import { beforeAll, describe, expect, test } from 'vitest';
import { detectFaces } from '../../../src/evaluation/face/detect.ts';
import type { DetectedFace } from '../../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import { demoPhoto, readFrame, useModels } from '../picture.ts';

const held = useModels();
let photo: Frame;
let faces: DetectedFace[];

beforeAll(async () => {
  photo = await readFrame(demoPhoto(6));
  faces = await detectFaces(held.models, photo);
});

/** A frame of `width` × `height` around the best face of the photograph, whose width is `share` of the frame's. */
function around(width: number, height: number, share: number, timeMs = 0): Frame {
  const { box } = faces[0]!;
  const scale = box.width / (share * width);
  const left = box.x + box.width / 2 - (scale * width) / 2;
  const top = box.y + box.height / 2 - (scale * height) / 2;
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const sx = Math.floor(left + (x + 0.5) * scale);
      const sy = Math.floor(top + (y + 0.5) * scale);
      if (sx < 0 || sy < 0 || sx >= photo.width || sy >= photo.height) continue;
      const at = (sy * photo.width + sx) * 3;
      rgb.set(photo.rgb.subarray(at, at + 3), (y * width + x) * 3);
    }
  return { timeMs, width, height, rgb };
}

/** Two halves of 320 × 480 with the same face. In the right half it is `share` as large as in the left. */
function besideAnother(share: number, timeMs = 0): Frame {
  const [width, height] = [320, 480];
  const halves = [around(width, height, 0.6), around(width, height, 0.6 * share)];
  const rgb = new Uint8Array(2 * width * height * 3);
  for (let y = 0; y < height; y++)
    for (const [i, half] of halves.entries())
      rgb.set(half.rgb.subarray(y * width * 3, (y + 1) * width * 3), (2 * y + i) * width * 3);
  return { timeMs, width: 2 * width, height, rgb };
}

function black(timeMs: number): Frame {
  return { timeMs, width: 640, height: 480, rgb: new Uint8Array(640 * 480 * 3) };
}

/** The frame, standing on its head. */
function turned({ rgb, ...frame }: Frame): Frame {
  const own = new Uint8Array(rgb.length);
  for (let at = 0; at < rgb.length; at += 3) own.set(rgb.subarray(at, at + 3), rgb.length - 3 - at);
  return { ...frame, rgb: own };
}

describe('detectFaces', () => {
  test('finds the four people of the photograph', () => {
    expect(faces).toHaveLength(4);
  });

  test.each([
    0.06, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9,
  ])('finds a face whose width is %f of the frame', async (share) => {
    const found = await detectFaces(held.models, around(640, 480, share));
    const middle = found.filter(
      ({ box }) =>
        Math.abs(box.x + box.width / 2 - 320) < 0.2 * share * 640 &&
        Math.abs(box.width / 640 - share) < 0.3 * share,
    );
    expect(middle.length).toBeGreaterThan(0);
  });

  test('finds nobody in black', async () => {
    expect(await detectFaces(held.models, black(0))).toEqual([]);
  });
});

describe('trackFaces', () => {
  test('a mirrored face has the same measures and the opposite yaw', async () => {
    const frame = around(640, 480, 0.3);
    const mirrored = new Uint8Array(frame.rgb.length);
    for (let y = 0; y < 480; y++)
      for (let x = 0; x < 640; x++) {
        const from = (y * 640 + 639 - x) * 3;
        mirrored.set(frame.rgb.subarray(from, from + 3), (y * 640 + x) * 3);
      }
    const [plain] = await trackFaces(held.models, [frame]);
    const [mirror] = await trackFaces(held.models, [{ ...frame, rgb: mirrored }]);
    expect(Math.abs(mirror!.face!.yaw + plain!.face!.yaw)).toBeLessThan(0.1);
    expect(mirror!.face!.mouthWidth).toBeCloseTo(plain!.face!.mouthWidth, 1);
    expect(mirror!.face!.eyeDistancePx / plain!.face!.eyeDistancePx).toBeCloseTo(1, 1);
  });

  test('a face that stands on its head has the same measures, half a turn around', async () => {
    const frame = around(640, 480, 0.3);
    const [plain] = await trackFaces(held.models, [frame]);
    const [other] = await trackFaces(held.models, [turned(frame)]);
    expect(Math.cos(other!.face!.roll - plain!.face!.roll)).toBeCloseTo(-1, 1);
    expect(Math.abs(other!.face!.yaw - plain!.face!.yaw)).toBeLessThan(0.1);
    expect(other!.face!.eyeDistancePx / plain!.face!.eyeDistancePx).toBeCloseTo(1, 1);
  });

  test('loses the face in the dark and finds it again', async () => {
    const frames = [around(640, 480, 0.4, 0), black(100), black(200), around(640, 480, 0.4, 300)];
    const seen = await trackFaces(held.models, frames);
    expect(seen.map(({ face }) => face !== null)).toEqual([true, false, false, true]);
    expect(seen.map(({ timeMs }) => timeMs)).toEqual([0, 100, 200, 300]);
    expect(seen[1]!.faceCount).toBe(0);
  });

  test('follows a moving face without another detection', async () => {
    const frames = [0.4, 0.42, 0.44, 0.46].map((share, i) => around(640, 480, share, i * 100));
    const seen = await trackFaces(held.models, frames);
    const distances = seen.map(({ face }) => face!.eyeDistancePx);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    expect(distances[3]! / distances[0]!).toBeCloseTo(0.46 / 0.4, 1);
  });

  test('counts all faces', async () => {
    const [seen] = await trackFaces(held.models, [photo]);
    expect(seen!.faceCount).toBe(4);
  });

  test.each([
    [0.3, 1],
    [0.6, 2],
  ])('of two faces, one %f as large as the other, counts %i', async (share, count) => {
    // In the first frame both are detected; in the second one is tracked and the other detected.
    const seen = await trackFaces(held.models, [besideAnother(share), besideAnother(share, 600)]);
    expect(seen.map(({ faceCount }) => faceCount)).toEqual([count, count]);
    expect((await detectFaces(held.models, besideAnother(share))).length).toBeGreaterThan(1);
  });

  test('gives the same observations for the same frames', async () => {
    const frames = [around(640, 480, 0.4, 0), around(640, 480, 0.45, 100)];
    expect(await trackFaces(held.models, frames)).toEqual(await trackFaces(held.models, frames));
  });

  test('stops when aborted', async () => {
    const stop = new AbortController();
    stop.abort(new Error('time is over'));
    await expect(trackFaces(held.models, [photo], { signal: stop.signal })).rejects.toThrow('time is over');
  });
});
