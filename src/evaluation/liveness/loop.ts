// Detects a stretch of footage that occurs twice: live movement never repeats itself to the pixel. The face must move
// in it and repeat its movement too: pictures that only grow brighter and darker are a lamp's, whatever their rhythm.
import type { FaceObservation } from '../face/observation.ts';
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../video/clip.ts';
import { atLeast, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { median, quantile } from './statistics.ts';

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
/** Larger differences are not told apart, which saves 3 of 4 parts of the search. */
const MAX_DIFFERENCE = 5 * MIN_DIFFERENCE;
/** Every so many points of the mesh are compared: enough for head, mouth and eyes. */
const MESH_STRIDE = 8;
/** Without a face for so long, its movement is not known. Chosen, not measured. */
const MAX_GAP_MS = 250;
/**
 * The face moves at least this far in the stretch, in eye distances (root mean square of its points; the mesh network's
 * own noise is 0.01), and in its repetition it is at most this share of that movement away. Chosen, not measured.
 */
const MIN_FACE_MOVEMENT = 0.03;
const MAX_FACE_SHARE = 0.5;
/** A picture of less contrast than half the usual one is hidden, not dimmed. Chosen, not measured. */
const MAX_GAIN = 2;

export const loop: VideoCheck = {
  cue: 'loop',
  role: gate('spoof'),
  refuses: ['loop'],
  run,
};

/** Smallest difference between a moving stretch and one that repeats or reverses it, in units of its own movement. */
function run({ clip, observations }: VideoEvidence): Outcome {
  const { pictures, timesMs } = coarsePictures(clip);
  const stepMs = clip.durationMs / pictures.length;
  const stretch = Math.round(STRETCH_MS / stepMs);
  const minLag = Math.round(MIN_LAG_MS / stepMs);
  if (pictures.length < stretch + minLag + 1) return notEvaluated('not_applicable');
  const noise = quantile(
    pictures.slice(1).map((picture, i) => difference(picture, pictures[i]!)),
    0.2,
  );
  const movement = movements(pictures, Math.max(1, Math.round(MOVEMENT_MS / stepMs)));
  const faces = facesAt(timesMs, observations);
  const faceOwns = faces.map((_, start) => movementOfFace(faces, start, stretch));
  /** Movement, above the noise, of the stretch that begins at each picture; null if there is too little to judge. */
  const owns = movement.map((_, start) => {
    const own = largest(movement, start, start + stretch);
    const moves =
      own >= MIN_MOVEMENT_OVER_NOISE * noise + MIN_MOVEMENT && faceOwns[start]! >= MIN_FACE_MOVEMENT;
    return moves ? own - noise : null;
  });
  if (owns.every((own) => own === null)) return notEvaluated('not_applicable');
  const stretches = { pictures, stretch, noise, owns, faces, faceOwns };
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
  /** Where the points of the face are in each picture, in eye distances; null where that is not known. */
  readonly faces: readonly (Float32Array | null)[];
  /** How far the face moves in the stretch that begins at each picture; 0 where that is not known. */
  readonly faceOwns: readonly number[];
}

/**
 * Smallest difference of a stretch to the one a lag later, at most MAX_DIFFERENCE. Two pictures of each stretch, shared with its
 * neighbours, are compared first: nearly always they differ too much for the stretch to be the smallest. Without this,
 * a long video would cost too much, because its pairs of stretches grow with the square of its length.
 */
function smallestRepetition(stretches: Stretches, minLag: number): number {
  const { pictures, stretch, noise, owns } = stretches;
  const every = Math.max(1, Math.floor(stretch / 2));
  const sampled = new Float64Array(pictures.length);
  let smallest = MAX_DIFFERENCE;
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
      if (away < least && faceRepeats(stretches, { from: start, to: start + lag, way: 1 }))
        smallest = Math.max(0, away - noise) / own;
    }
  }
  return smallest;
}

/**
 * The same for footage played forwards and then backwards: compares the stretch that ends at a picture with the one
 * that begins there, or one picture later.
 */
function smallestReversal(stretches: Stretches, most: number): number {
  const { pictures, stretch, noise, owns } = stretches;
  let smallest = most;
  for (let turn = stretch; turn + stretch < pictures.length; turn++) {
    const own = owns[turn - stretch + 1]!;
    if (own === null) continue;
    for (const gap of [0, 1]) {
      const least = (smallest / REVERSAL_WEIGHT) * own + noise;
      let away = 0;
      for (let k = 0; k < stretch && away < least; k++)
        away = Math.max(away, difference(pictures[turn - k]!, pictures[turn + gap + k]!));
      if (away < least && faceRepeats(stretches, { from: turn, to: turn + gap, way: -1 }))
        smallest = REVERSAL_WEIGHT * (Math.max(0, away - noise) / own);
    }
  }
  return smallest;
}

/** Whether the face moves from picture `to` on as it does from picture `from` on, backwards there if `way` is -1. */
function faceRepeats(
  { faces, faceOwns, stretch }: Stretches,
  { from, to, way }: { from: number; to: number; way: 1 | -1 },
): boolean {
  const most = MAX_FACE_SHARE * faceOwns[way === 1 ? from : from - stretch + 1]!;
  for (let k = 0; k < stretch; k++) {
    const [face, repeated] = [faces[from + way * k], faces[to + k]];
    if (!face || !repeated || distance(face, repeated) > most) return false;
  }
  return true;
}

/** Largest distance of the face from where it is at the stretch's start, in eye distances; 0 if it is not seen. */
function movementOfFace(faces: Stretches['faces'], start: number, stretch: number): number {
  const first = faces[start];
  let most = 0;
  for (let i = start; first && i < Math.min(start + stretch, faces.length); i++) {
    const face = faces[i];
    if (face) most = Math.max(most, distance(face, first));
  }
  return most;
}

/** Root mean square distance of points, x and y interleaved. */
function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return Math.sqrt((2 * sum) / a.length);
}

/** The face at each time, interpolated between the frames that were observed. */
function facesAt(
  timesMs: readonly number[],
  observations: readonly FaceObservation[],
): (Float32Array | null)[] {
  const seen = observations.flatMap(({ face, timeMs }) => (face ? [{ face, timeMs }] : []));
  const eyes = median(seen.map(({ face }) => face.eyeDistancePx));
  const points = seen.map(({ face: { landmarks } }) => {
    const own = new Float32Array(2 * Math.ceil(landmarks.length / (3 * MESH_STRIDE)));
    for (let i = 0; i < own.length; i++) own[i] = landmarks[3 * MESH_STRIDE * (i >> 1) + (i & 1)]! / eyes;
    return own;
  });
  let before = 0;
  return timesMs.map((timeMs) => {
    while (before + 1 < seen.length && seen[before + 1]!.timeMs <= timeMs) before++;
    const [from, to] = [seen[before], seen[before + 1]];
    if (!from || timeMs < from.timeMs) return null;
    if (!to) return timeMs - from.timeMs <= MAX_GAP_MS ? points[before]! : null;
    if (to.timeMs - from.timeMs > MAX_GAP_MS) return null;
    const share = (timeMs - from.timeMs) / (to.timeMs - from.timeMs);
    return points[before]!.map((at, i) => at + share * (points[before + 1]![i]! - at));
  });
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

/** At most MAX_RATE_FPS pictures a second, each the block means of a thumbnail, in one light. */
function coarsePictures(clip: Clip): { pictures: Float32Array[]; timesMs: number[] } {
  const { thumbnails, sourceFrameCount, sourceTimesMs, durationMs } = clip;
  const step = Math.max(1, Math.round(((sourceFrameCount / durationMs) * 1000) / MAX_RATE_FPS));
  const block = THUMBNAIL_WIDTH / SIDE;
  const pictures: Float32Array[] = [];
  const timesMs: number[] = [];
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
    timesMs.push(sourceTimesMs[frame]!);
  }
  levelLight(pictures);
  return { pictures, timesMs };
}

/**
 * Gives all pictures one brightness, 0, and one contrast, that of the usual picture. Every picture is compared with every
 * other here, too many pairs to fit the light of each as thumbnails.ts does.
 */
function levelLight(pictures: readonly Float32Array[]): void {
  const means = pictures.map((picture) => picture.reduce((sum, value) => sum + value, 0) / picture.length);
  const contrasts = pictures.map((picture, at) => Math.sqrt(meanSquare(picture, means[at]!)));
  const usual = median(contrasts);
  for (const [at, picture] of pictures.entries()) {
    const gain = contrasts[at]! > 0 ? Math.min(MAX_GAIN, usual / contrasts[at]!) : 1;
    for (let i = 0; i < picture.length; i++) picture[i] = (picture[i]! - means[at]!) * gain;
  }
}

function meanSquare(picture: Float32Array, mean: number): number {
  let sum = 0;
  for (const value of picture) sum += (value - mean) ** 2;
  return sum / picture.length;
}

/** Mean absolute difference in grey levels. */
function difference(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}
