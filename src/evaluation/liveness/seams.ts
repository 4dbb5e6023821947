// Seams of footage assembled from pieces: a cut, where picture and face jump at the same moment, and a cross-fade,
// where every pixel changes at a constant rate for some frames, which never happens in front of a camera.
import type { FaceObservation, ObservedFace } from '../face/observation.ts';
import { atLeast, atMost, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { quantile } from './statistics.ts';
import { picturesOf } from './thumbnails.ts';
import { whyTooFew } from './visibility.ts';

export const hardCut: VideoCheck = {
  cue: 'hard_cut',
  role: gate('spoof'),
  refuses: ['steered_print', 'two_stills'],
  run: largestJumpOfBoth,
};
export const crossFade: VideoCheck = {
  cue: 'cross_fade',
  role: gate('spoof'),
  refuses: ['action_library_fade', 'upsampled'],
  run: straightestFade,
};

/** Quantile of the pictures' changes that is taken as the camera's noise. */
const NOISE_SHARE = 0.2;
/** Grey levels added to the neighbours' change, so that two tiny changes are not a jump. Chosen, not measured. */
const MIN_CHANGE = 0.3;
/** Pictures on each side with which a picture's change is compared; steps on each side for the face. */
const PICTURE_NEIGHBOURS = 3;
const FACE_NEIGHBOURS = 2;
/** Keeps two tiny steps of the face from counting as a jump, in the units of `stepsOfFace`. */
const FACE_NOISE = 0.012;
/**
 * How far picture and face jump at a cut at least, in multiples of the changes around it (seam bench: cuts have medians
 * of 11 and 6).
 */
const PICTURE_JUMP = 4;
const FACE_JUMP = 2;
/** In those units: genuine clips ≤ 1.2; cuts between two takes of one person have a median of 2.8 (seam bench). */
const MAX_JUMP_OF_BOTH = 1.4;
/** Number of pictures that a fade may last; a slower one is not a seam between two prompts. */
const FADE_FRAMES = { least: 2, most: 8 };
/** Pictures before and after a fade with which it is compared. */
const AROUND_FADE = { before: 3, after: 2 };
/**
 * The frames of a fade change by similar amounts, and by more than the frames on both sides, above the noise. Chosen,
 * not measured: MIN_BEND is what identifies a fade.
 */
const MAX_UNEVENNESS = 2.2;
const MIN_STEP_AT_FADE = 1.2;
const FADE_FLOOR = 0.4;
/**
 * Bend of the pixels' course divided by its length: 0 if each pixel changes at a constant rate. Fades 0.01–0.09,
 * genuine clips 0.17 and more (seam bench). Pictures interpolated along the movement (0.26–0.45) are not detected.
 */
const MIN_BEND = 0.12;

/** Largest simultaneous jump of face and picture, relative to the smallest jump of a cut. */
function largestJumpOfBoth(evidence: VideoEvidence): Outcome {
  const jumps = jumpsOfBoth(evidence);
  if (jumps.length === 0) return notEvaluated(whyTooFew(evidence));
  return atMost(Math.max(...jumps.map(({ value }) => value)), MAX_JUMP_OF_BOTH, 'picture_broken');
}

/**
 * How far face and picture jump into each judged frame: the smaller of the two, 1 for the smallest jump of a cut. Empty
 * if too few frames show a face.
 */
export function jumpsOfBoth({ clip, observations }: VideoEvidence): Moment[] {
  const seen = observations.filter((observation): observation is Seen => observation.face !== null);
  const { timesMs, changes } = picturesOf(clip);
  const pictureJumps = jumpsOfPicture(changes);
  const steps = stepsOfFace(seen);
  const jumps: Moment[] = [];
  for (let i = FACE_NEIGHBOURS + 1; i < seen.length - FACE_NEIGHBOURS; i++) {
    const within = (timeMs: number) => timeMs > seen[i - 1]!.timeMs && timeMs <= seen[i]!.timeMs;
    const ofPicture = Math.max(0, ...pictureJumps.filter((_, frame) => within(timesMs[frame]!)));
    const value = Math.min(ofPicture / PICTURE_JUMP, jumpAt(steps, i) / FACE_JUMP);
    jumps.push({ timeMs: seen[i]!.timeMs, value });
  }
  return jumps;
}

/** A measurement at one moment of the video. */
export interface Moment {
  readonly timeMs: number;
  readonly value: number;
}

type Seen = FaceObservation & { readonly face: ObservedFace };

/** Change of each picture, divided by the largest change near it. */
function jumpsOfPicture(changes: readonly number[]): number[] {
  const noise = quantile(changes.slice(1), NOISE_SHARE);
  return changes.map((change, i) => {
    if (i <= PICTURE_NEIGHBOURS || i + PICTURE_NEIGHBOURS >= changes.length) return 0;
    const beside = [
      ...changes.slice(i - PICTURE_NEIGHBOURS, i),
      ...changes.slice(i + 1, i + 1 + PICTURE_NEIGHBOURS),
    ];
    return (change - noise) / (Math.max(...beside) - noise + MIN_CHANGE);
  });
}

/**
 * How far the face moved into each frame: across the picture in eye distances, in scale (log ratio), in roll, yaw and
 * pitch.
 */
function stepsOfFace(seen: readonly Seen[]): number[][] {
  return seen.map(({ face }, i) => {
    const before = seen[i - 1]?.face;
    if (!before) return [];
    const [dx, dy] = [middleX(face) - middleX(before), middleY(face) - middleY(before)];
    return [
      Math.hypot(dx, dy) / face.eyeDistancePx,
      Math.abs(Math.log(face.eyeDistancePx / before.eyeDistancePx)),
      Math.abs(face.roll - before.roll),
      // Apparent yaw and pitch are about twice as noisy as the rest.
      Math.abs(face.yaw - before.yaw) / 2,
      Math.abs(face.pitch - before.pitch) / 2,
    ];
  });
}

const middleX = ({ box }: ObservedFace): number => box.x + box.width / 2;
const middleY = ({ box }: ObservedFace): number => box.y + box.height / 2;

/** Largest ratio of the step at `i` to the largest step beside it, over all kinds of movement. */
function jumpAt(steps: readonly number[][], i: number): number {
  const beside = [...steps.slice(i - FACE_NEIGHBOURS, i), ...steps.slice(i + 1, i + 1 + FACE_NEIGHBOURS)];
  return Math.max(
    ...steps[i]!.map((step, way) => step / (Math.max(...beside.map((other) => other[way]!)) + FACE_NOISE)),
  );
}

/** Smallest bend of a stretch of frames that changes as a fade does; 1 if there is none. */
function straightestFade({ clip }: VideoEvidence): Outcome {
  const { before, after } = AROUND_FADE;
  if (clip.sourceFrameCount <= before + FADE_FRAMES.least + after) return notEvaluated('too_few_frames');
  const { changes, bends } = picturesOf(clip);
  const noise = quantile(changes.slice(1), NOISE_SHARE);
  let straightest = 1;
  for (let length = FADE_FRAMES.least; length <= FADE_FRAMES.most; length++) {
    for (let from = before; from + length + after < changes.length; from++) {
      if (!isPlateau(changes, from, length, noise)) continue;
      const inside = bends.slice(from, from + length - 1);
      const course = inside.reduce((sum, { course }) => sum + course, 0);
      const bend = inside.reduce((sum, { bend }) => sum + bend, 0);
      straightest = Math.min(straightest, bend / Math.max(1, course));
    }
  }
  return atLeast(straightest, MIN_BEND, 'picture_broken');
}

/** Whether these frames change by similar amounts, and by more than their neighbours. */
function isPlateau(changes: readonly number[], from: number, length: number, noise: number): boolean {
  const inside = changes.slice(from, from + length);
  const least = Math.min(...inside) - noise;
  if (Math.max(...inside) - noise > MAX_UNEVENNESS * least) return false;
  const to = from + length;
  const beside = Math.max(changes[from - 1]!, changes[from - 2]!, changes[to]!, changes[to + 1]!) - noise;
  return least / (beside + FADE_FLOOR) >= MIN_STEP_AT_FADE;
}
