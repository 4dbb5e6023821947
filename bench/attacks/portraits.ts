// The photographs that footage is rendered from: found once in a folder, measured, and stored as a list beside the
// output.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { trackFaces } from '../../src/evaluation/face/track.ts';
import { measurePixels } from '../../src/evaluation/quality/pixels.ts';
import { DEFAULT_SETTINGS } from '../../src/evaluation/settings.ts';
import type { Frame } from '../../src/evaluation/video/frame.ts';
import { openSource } from '../../src/evaluation/video/source.ts';
import { decodeStill } from '../../src/evaluation/video/still.ts';
import type { Models } from '../../src/models/load.ts';

/** One photograph of a single face that looks ahead. */
export interface Portrait {
  /** Relative to the folder of the sources. */
  readonly file: string;
  readonly subject: string;
  readonly happy: number;
  readonly mouthWidth: number;
  readonly mouthOpen: number;
  readonly eyeDistancePx: number;
  readonly sharpness: number;
  readonly brightness: number;
  readonly yaw: number;
  readonly eyesOpen: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The mesh, 468 × 3, in the photograph's pixels. */
  readonly landmarks: number[];
}

/** A photograph that may become a portrait. */
export interface PhotoSource {
  readonly file: string;
  readonly subject: string;
}

const LIST_FILE = 'portraits.json';
/** Smaller faces would be enlarged beyond their detail. */
const MIN_EYE_DISTANCE_PX = 34;
/** The far side of a head that is already turned or tilted would have to be invented. */
const MAX_YAW = 0.25;
const MAX_ROLL = 0.25;
const MIN_EYES_OPEN = 0.22;
/** The judgement requires 0.075 of a capture; rendering loses some. */
const MIN_SHARPNESS = 0.08;

/** The usable portraits among the sources, read from the list in `outDir` if it exists. */
export async function findPortraits(
  models: () => Promise<Models>,
  root: string,
  sources: readonly PhotoSource[],
  outDir: string,
): Promise<Portrait[]> {
  const list = join(outDir, LIST_FILE);
  if (existsSync(list)) return JSON.parse(readFileSync(list, 'utf8')) as Portrait[];
  const portraits: Portrait[] = [];
  for (const source of sources) {
    const portrait = await measure(await models(), root, source);
    if (portrait) portraits.push(portrait);
  }
  writeFileSync(list, JSON.stringify(portraits));
  return portraits;
}

/** Decodes a photograph's pixels; null if it cannot be decoded. */
export async function openPhoto(root: string, file: string): Promise<Frame | null> {
  const source = await openSource(resolve(root, file), DEFAULT_SETTINGS.video.tempDir);
  try {
    const still = await decodeStill(source, DEFAULT_SETTINGS.video);
    return still.status === 'decoded' ? still.frame : null;
  } finally {
    await source.handle.close();
  }
}

async function measure(models: Models, root: string, source: PhotoSource): Promise<Portrait | null> {
  const frame = await openPhoto(root, source.file);
  if (!frame) return null;
  const [observation] = await trackFaces(models, [frame]);
  const face = observation?.face;
  if (!face || observation.faceCount > 1) return null;
  const { sharpness, brightness } = measurePixels(frame, face);
  const usable =
    face.eyeDistancePx >= MIN_EYE_DISTANCE_PX &&
    Math.abs(face.yaw) <= MAX_YAW &&
    Math.abs(face.roll) <= MAX_ROLL &&
    face.eyesOpen >= MIN_EYES_OPEN &&
    sharpness >= MIN_SHARPNESS;
  if (!usable) return null;
  const { happy, mouthWidth, mouthOpen, eyeDistancePx, yaw, eyesOpen } = face;
  return {
    ...source,
    happy,
    mouthWidth,
    mouthOpen,
    eyeDistancePx,
    sharpness,
    brightness,
    yaw,
    eyesOpen,
    widthPx: frame.width,
    heightPx: frame.height,
    landmarks: Array.from(face.landmarks, (value) => Math.round(value * 10) / 10),
  };
}
