// Each species of generated footage: a clip that decodes, and that differs from a live person as its name claims.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Recording, record, USUAL } from '../../../bench/attacks/camera.ts';
import type { Picture } from '../../../bench/attacks/draw.ts';
import {
  interpolated,
  looping,
  onScreen,
  readPictures,
  retimed,
  rewrite,
  upsampled,
} from '../../../bench/attacks/edit-attacks.ts';
import {
  type Actor,
  bonaFide,
  panned,
  type Shot,
  steered,
  still,
  swapped,
  twoStills,
  warped,
  waved,
} from '../../../bench/attacks/film-attacks.ts';
import type { Face } from '../../../bench/attacks/head.ts';
import { liveSwap } from '../../../bench/attacks/live-swap.ts';
import { live } from '../../../bench/attacks/performance.ts';
import { openPhoto } from '../../../bench/attacks/portraits.ts';
import { chanceOf } from '../../../bench/attacks/random.ts';
import type { DrawnScript } from '../../../src/contract/script.ts';
import type { ObservedFace } from '../../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import { shapeChange } from '../../../src/evaluation/liveness/shape-change.ts';
import { DEFAULT_SETTINGS } from '../../../src/evaluation/settings.ts';
import { decodeClip } from '../../../src/evaluation/video/decode.ts';
import { useModels } from '../../evaluation/picture.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';

const DRAWN: DrawnScript = {
  steps: [
    { prompt: 'neutral', hold_ms: 50 },
    { prompt: 'smile', hold_ms: 400 },
    { prompt: 'target', angle_deg: 0, amount: 'far', hold_ms: 400 },
  ],
  max_step_ms: 2000,
};
const DURATION_MS = 3500;
const FPS = 8;
const RECORDING: Recording = { ...USUAL, fps: FPS };

/** A camera without faults, so that every change comes from the attack itself. */
const shot = (seed: string): Shot => ({
  ...live(DRAWN, chanceOf(seed), { delayMs: 500 }),
  camera: { noise: 0, gain: 1, shakePx: 0, zoom: 0 },
  fps: FPS,
  durationMs: DURATION_MS,
  chance: chanceOf(seed),
});

const held = useModels();

test('pictures that are dropped from a series are made anew from their neighbours', async () => {
  const [width, height, count] = [64, 48, 20];
  const bright = (i: number): Picture => ({
    width,
    height,
    rgb: new Uint8Array(width * height * 3).fill(10 * i),
  });
  const wrong: Picture = { width, height, rgb: new Uint8Array(width * height * 3).fill(255) };
  const series = Array.from({ length: count }, (_, i) => (i >= 8 && i <= 11 ? wrong : bright(i)));
  const made = await interpolated(series, 8, 11, 24);
  for (let i = 0; i <= 15; i++) expect(Math.abs(made[i]!.rgb[1000]! - 10 * i)).toBeLessThanOrEqual(3);
});

describe.skipIf(!HAS_FACES)('generated footage (needs FACES_DIR)', () => {
  let folder: string;
  let man: Actor;
  let other: Actor;
  let capture: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'likeness-attacks-'));
    man = await actor('d0', 0.3, 1.5);
    other = await actor('d19', 2.2, 3.0);
    capture = join(folder, 'capture.webm');
    await record(capture, RECORDING, bonaFide(man, shot('capture')));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function actor(name: string, neutralS: number, smilingS: number): Promise<Actor> {
    return { subject: name, neutral: await face(name, neutralS), smiling: await face(name, smilingS) };
  }

  async function face(name: string, atS: number): Promise<Face> {
    const file = join(folder, `${name}-${atS}.png`);
    const from = ['-ss', String(atS), '-i', facePath(`video/liveportrait/${name}.mp4`), '-frames:v', '1'];
    await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...from, file]);
    const picture = (await openPhoto(folder, file))!;
    const [seen] = await trackFaces(held.models, [picture]);
    return { picture, landmarks: seen!.face!.landmarks };
  }

  /** Records the pictures, decodes the file and tracks the face, which must be found in 90 % of the frames. */
  async function seen(name: string, pictures: Iterable<Picture>): Promise<ObservedFace[]> {
    const path = join(folder, `${name}.webm`);
    await record(path, RECORDING, pictures);
    return follow(path);
  }

  async function follow(path: string): Promise<ObservedFace[]> {
    const decoded = await decodeClip(path, DEFAULT_SETTINGS.video, (frames) =>
      trackFaces(held.models, frames),
    );
    if (decoded.status !== 'decoded') throw new Error(`${path}: ${decoded.reason}`);
    const faces = decoded.value.flatMap((observation) => observation.face ?? []);
    expect(faces.length).toBeGreaterThanOrEqual(0.9 * decoded.value.length);
    return faces;
  }

  const most = (faces: readonly ObservedFace[], measure: (face: ObservedFace) => number) =>
    Math.max(...faces.map(measure));
  /** Largest change of shape since the first frame that a flat picture cannot explain. */
  const bending = (faces: readonly ObservedFace[]) =>
    most(faces, ({ landmarks, eyeDistancePx }) => shapeChange(faces[0]!.landmarks, landmarks, eyeDistancePx));
  const travel = (faces: readonly ObservedFace[]) =>
    most(
      faces,
      ({ box, eyeDistancePx }) =>
        Math.hypot(box.x - faces[0]!.box.x, box.y - faces[0]!.box.y) / eyeDistancePx,
    );

  test('a rendered person smiles and turns when asked to', async () => {
    const faces = await follow(capture);
    expect(faces[0]!.happy).toBeLessThan(0.3);
    expect(most(faces, ({ happy }) => happy)).toBeGreaterThan(0.8);
    expect(faces.at(-1)!.yaw - faces[0]!.yaw).toBeGreaterThan(0.3);
    expect(bending(faces)).toBeGreaterThan(0.06);
  });

  test('a still does not move at all', async () => {
    const pictures = [...still(man, shot('still'))];
    for (const picture of pictures) expect(Buffer.compare(picture.rgb, pictures[0]!.rgb)).toBe(0);
    expect(bending(await seen('still', pictures))).toBeLessThan(0.02);
  });

  test('a panned still travels and does not bend', async () => {
    const faces = await seen('panned', panned(man, shot('panned 2')));
    expect(travel(faces)).toBeGreaterThan(0.1);
    expect(bending(faces)).toBeLessThan(0.04);
  });

  test('a waved print moves and never smiles', async () => {
    const faces = await seen('waved', waved(man, shot('waved')));
    expect(travel(faces)).toBeGreaterThan(0.1);
    expect(most(faces, ({ happy }) => happy)).toBeLessThan(0.5);
  });

  test('two stills smile when asked to and never turn', async () => {
    const faces = await seen('two', twoStills(man, shot('two')));
    expect(faces[0]!.happy).toBeLessThan(0.3);
    expect(most(faces, ({ happy }) => happy)).toBeGreaterThan(0.8);
    expect(most(faces, ({ yaw }) => Math.abs(yaw - faces[0]!.yaw))).toBeLessThan(0.3);
  });

  test('a steered print smiles when asked to, and slants instead of turning', async () => {
    const faces = await seen('steered', steered(man, shot('steered')));
    expect(most(faces, ({ happy }) => happy)).toBeGreaterThan(0.8);
    const narrow = ({ box }: ObservedFace) => box.width / box.height;
    expect(narrow(faces.at(-1)!)).toBeLessThan(0.97 * narrow(faces[0]!));
  });

  test('a head warped from a single photograph turns', async () => {
    const faces = await seen('warped', warped({ ...man, smiling: null }, other, shot('warped')));
    expect(faces.at(-1)!.yaw - faces[0]!.yaw).toBeGreaterThan(0.3);
  });

  test('a swap ends with a different face from the one it began with', async () => {
    const [first, swap, second] = await Promise.all([
      seen('first', bonaFide(man, shot('swap'))),
      seen('swap', swapped(man, other, shot('swap'))),
      seen('second', bonaFide(other, shot('swap'))),
    ]);
    expect(Math.abs(swap[0]!.eyeDistancePx - first[0]!.eyeDistancePx)).toBeLessThan(2);
    expect(Math.abs(swap.at(-1)!.eyeDistancePx - second.at(-1)!.eyeDistancePx)).toBeLessThan(12);
    expect(
      Buffer.from(swap.at(-1)!.landmarks.buffer).equals(Buffer.from(first.at(-1)!.landmarks.buffer)),
    ).toBe(false);
  });

  test('a live swap answers as its actor does, with another face and the same surroundings', async () => {
    const [actors, shown] = [[...bonaFide(man, shot('live'))], [...liveSwap(man, other, shot('live'))]];
    const faces = await seen('live', shown);
    expect(most(faces, ({ happy }) => happy)).toBeGreaterThan(0.5);
    expect(faces.at(-1)!.yaw - faces[0]!.yaw).toBeGreaterThan(0.3);
    const { width, rgb } = shown[0]!;
    const topRows = 3 * width * 8;
    expect(rgb.subarray(0, topRows)).toEqual(actors[0]!.rgb.subarray(0, topRows));
    expect(apart(shown[0]!, actors[0]!)).toBeGreaterThan(1);
  });

  test('a loop returns to its first frames', async () => {
    const path = join(folder, 'loop.webm');
    await rewrite(capture, path, looping(chanceOf('loop'), 1000, FPS), RECORDING, 6000);
    const pictures = await readPictures(path, FPS);
    expect(pictures.length).toBeGreaterThan(44);
    const period = [FPS, 2 * FPS].find((lag) => apart(pictures[2]!, pictures[2 + lag]!) < 3);
    expect(period).toBeDefined();
    expect(apart(pictures[2 + period!]!, pictures[2 + 2 * period!]!)).toBeLessThan(3);
  });

  test('re-timed footage changes its duration, upsampled footage has more frames and less detail', async () => {
    const [warp, more] = [join(folder, 'warp.webm'), join(folder, 'more.webm')];
    await rewrite(capture, warp, retimed(chanceOf('retimed')), { ...RECORDING, fps: 24 }, 9000);
    const factor = (await readPictures(warp, 24)).length / 24 / (DURATION_MS / 1000);
    expect(Math.abs(factor - 1)).toBeGreaterThan(0.05);
    await rewrite(capture, more, upsampled(chanceOf('upsampled')), { ...RECORDING, fps: 24 }, DURATION_MS);
    const pictures = await readPictures(more, 24);
    expect(pictures.length).toBeGreaterThan(2 * FPS * (DURATION_MS / 1000));
    expect(detail(pictures[30]!)).toBeLessThan(0.8 * detail((await readPictures(capture, FPS))[10]!));
  });

  test('a screen changes the light of what it shows and keeps its movements', async () => {
    const shown = await readPictures(capture, FPS);
    const faces = await seen('screen', onScreen(shown, FPS, shot('screen')));
    expect(most(faces, ({ happy }) => happy)).toBeGreaterThan(0.6);
    const [filmed] = onScreen(shown, FPS, shot('screen'));
    expect(apart(filmed!, shown[0]!)).toBeGreaterThan(4);
  });

  test('the same seed gives the same pictures, another seed gives different ones', () => {
    const first = (seed: string) => [...waved(man, { ...shot(seed), durationMs: 300 })].at(-1)!;
    expect(apart(first('a'), first('a'))).toBe(0);
    expect(apart(first('a'), first('b'))).toBeGreaterThan(0.5);
  });
});

/** Mean difference in grey levels. */
function apart(a: Picture, b: Picture): number {
  let sum = 0;
  for (let i = 0; i < a.rgb.length; i++) sum += Math.abs(a.rgb[i]! - b.rgb[i]!);
  return sum / a.rgb.length;
}

/** Mean difference of neighbouring pixels. */
function detail({ rgb }: Picture): number {
  let sum = 0;
  for (let i = 3; i < rgb.length; i++) sum += Math.abs(rgb[i]! - rgb[i - 3]!);
  return sum / rgb.length;
}
