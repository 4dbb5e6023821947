// Detects a stretch of footage that occurs twice: live movement never repeats itself to the pixel.

import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../video/clip.ts';
import { atLeast, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { quantile } from './statistics.ts';

/** Side of the coarse pictures that are compared. */
const SIDE = 16;
/** Fine enough that two runs of the same footage fall on the same frames. Chosen, not measured. */
const MAX_RATE_FPS = 30;
/** Length of the stretch that must recur, and the least time until it does. Chosen, not measured. */
const STRETCH_MS = 1000;
/** The stretch and its repetition do not overlap. */
const MIN_LAG_MS = STRETCH_MS;
/** Time between the two frames whose difference counts as the stretch's own movement. */
const MOVEMENT_MS = 300;
/**
 * A stretch without movement proves nothing, so its movement must exceed this multiple of the noise. Chosen, not
 * measured.
 */
const MIN_MOVEMENT_OVER_NOISE = 2;
/** Added to that, in grey levels, for footage without noise. Chosen, not measured. */
const MIN_MOVEMENT = 0.2;
/**
 * Difference between a stretch and its repetition, divided by the stretch's own movement. Repeated and reversed footage
 * 0–0.02; filmed live ≥ 0.47; rendered persons who turn to the same side twice before a camera on a stand 0.07 and more
 * (`bench:pad`: a limit of 0.25 refused 4 in 10 of them). A head that turns and returns resembles its own reversal a
 * little, so the difference to a reversal counts twice.
 */
const MIN_DIFFERENCE = 0.05;
const REVERSAL_WEIGHT = 2;

export const loop: VideoCheck = {
  cue: 'loop',
  role: gate('spoof'),
  refuses: ['loop'],
  run,
};

/** Smallest difference between a moving stretch and one that repeats or reverses it, in units of its own movement. */
function run({ clip }: VideoEvidence): Outcome {
  const pictures = coarsePictures(clip);
  const stepMs = clip.durationMs / pictures.length;
  const stretch = Math.round(STRETCH_MS / stepMs);
  const minLag = Math.round(MIN_LAG_MS / stepMs);
  if (pictures.length < stretch + minLag + 1) return notEvaluated('not_applicable');
  const noise = quantile(
    pictures.slice(1).map((picture, i) => difference(picture, pictures[i]!)),
    0.2,
  );
  const movement = movements(pictures, Math.max(1, Math.round(MOVEMENT_MS / stepMs)));
  /** Movement, above the noise, of the stretch that begins at each picture; null if there is too little to judge. */
  const owns = movement.map((_, start) => {
    const own = largest(movement, start, start + stretch);
    return own < MIN_MOVEMENT_OVER_NOISE * noise + MIN_MOVEMENT ? null : own - noise;
  });
  if (owns.every((own) => own === null)) return notEvaluated('not_applicable');
  const stretches = { pictures, stretch, noise, owns };
  const repeated = smallestRepetition(stretches, minLag);
  return atLeast(smallestReversal(stretches, repeated), MIN_DIFFERENCE, 'looped');
}

/** The data by which stretches are compared. */
interface Stretches {
  readonly pictures: readonly Float32Array[];
  /** Their length in pictures. */
  readonly stretch: number;
  readonly noise: number;
  /** See {@link run}. */
  readonly owns: readonly (number | null)[];
}

/**
 * Smallest difference of a stretch to the one a lag later, at most 1. Two pictures of each stretch, shared with its
 * neighbours, are compared first: nearly always they differ too much for the stretch to be the smallest. Without this,
 * a long video would cost too much, because its pairs of stretches grow with the square of its length.
 */
function smallestRepetition({ pictures, stretch, noise, owns }: Stretches, minLag: number): number {
  const every = Math.max(1, Math.floor(stretch / 2));
  const sampled = new Float64Array(pictures.length);
  let smallest = 1;
  for (let lag = minLag; lag <= pictures.length - stretch; lag++) {
    const count = pictures.length - lag;
    for (let i = 0; i < count; i += every) sampled[i] = difference(pictures[i + lag]!, pictures[i]!);
    for (let start = 0; start + stretch <= count; start++) {
      const own = owns[start]!;
      if (own === null) continue;
      const least = smallest * own + noise;
      let far = false;
      for (let i = Math.ceil(start / every) * every; i < start + stretch && !far; i += every)
        far = sampled[i]! >= least;
      if (far) continue;
      let away = 0;
      for (let i = start; i < start + stretch && away < least; i++)
        away = Math.max(away, difference(pictures[i + lag]!, pictures[i]!));
      if (away < least) smallest = Math.max(0, away - noise) / own;
    }
  }
  return smallest;
}

/**
 * The same for footage played forwards and then backwards: compares the stretch that ends at a picture with the one
 * that begins there, or one picture later.
 */
function smallestReversal({ pictures, stretch, noise, owns }: Stretches, most: number): number {
  let smallest = most;
  for (let turn = stretch; turn + stretch < pictures.length; turn++) {
    const own = owns[turn - stretch + 1]!;
    if (own === null) continue;
    for (const gap of [0, 1]) {
      const least = (smallest / REVERSAL_WEIGHT) * own + noise;
      let away = 0;
      for (let k = 0; k < stretch && away < least; k++)
        away = Math.max(away, difference(pictures[turn - k]!, pictures[turn + gap + k]!));
      if (away < least) smallest = REVERSAL_WEIGHT * (Math.max(0, away - noise) / own);
    }
  }
  return smallest;
}

/** Largest of the values from `from` up to, but not including, `to`. */
function largest(values: ArrayLike<number>, from: number, to: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = from; i < Math.min(to, values.length); i++) if (values[i]! > most) most = values[i]!;
  return most;
}

/** For each picture, its difference to the one `ahead` pictures later. */
function movements(pictures: readonly Float32Array[], ahead: number): number[] {
  return pictures.map((picture, i) =>
    difference(picture, pictures[Math.min(i + ahead, pictures.length - 1)]!),
  );
}

/** At most MAX_RATE_FPS pictures a second, each the thumbnail's block means. */
function coarsePictures({ thumbnails, sourceFrameCount, durationMs }: Clip): Float32Array[] {
  const step = Math.max(1, Math.round(((sourceFrameCount / durationMs) * 1000) / MAX_RATE_FPS));
  const block = THUMBNAIL_WIDTH / SIDE;
  const pictures: Float32Array[] = [];
  for (let frame = 0; frame < sourceFrameCount; frame += step) {
    const picture = new Float32Array(SIDE * SIDE);
    const offset = frame * THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
    for (let y = 0; y < THUMBNAIL_HEIGHT; y++) {
      const row = Math.floor(y / block) * SIDE;
      for (let x = 0; x < THUMBNAIL_WIDTH; x++) {
        const at = row + Math.floor(x / block);
        picture[at] = picture[at]! + thumbnails[offset + y * THUMBNAIL_WIDTH + x]! / (block * block);
      }
    }
    pictures.push(picture);
  }
  return pictures;
}

/** Mean absolute difference in grey levels. */
function difference(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}
