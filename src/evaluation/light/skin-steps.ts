// The light on the skin over time, read from the pixels at points of the mesh: how the ratio of red to blue changes
// from one judged frame to the next. What brightens or darkens a face changes both alike; the page's two hues change
// their ratio.
import { pointAt } from '../../contract/face-landmarks.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { SkinStep } from '../liveness/light-evidence.ts';
import type { Frame } from '../video/frame.ts';

/**
 * Points on bare skin: forehead, nose, cheeks and chin, away from eyes, brows, lips, hair line and jaw (indices of
 * MediaPipe's canonical face model).
 */
const SKIN_POINTS = [
  ...[9, 151, 108, 337, 107, 336, 69, 299, 104, 333, 8, 168, 6, 197, 195, 5, 4, 45, 275, 51, 281, 3, 248],
  ...[50, 280, 101, 330, 36, 266, 205, 425, 187, 411, 123, 352, 117, 346, 118, 347, 119, 348, 100, 329],
  ...[142, 371, 203, 423, 206, 426, 207, 427, 147, 376, 216, 436, 192, 416, 213, 433, 214, 434, 199, 200],
  ...[175, 201, 421, 208, 428, 194, 418, 204, 424, 126, 355, 131, 360, 49, 279],
];
/** Half a patch's side in eye distances; the patches of one face hardly overlap. Chosen, not measured. */
const PATCH = 0.035;
/** Channel values outside this range hold no light to compare. Chosen, not measured. */
const USABLE = { least: 8, most: 250 };
/**
 * A patch with fewer usable pixels than this share of its own counts as covered; a step needs this share of patches.
 * Chosen, not measured.
 */
const MIN_SHARE = 0.5;
/** A longer gap says nothing about the symbols in between. Chosen, not measured. */
const MAX_STEP_MS = 300;

/** sRGB byte → linear light, 0–1. */
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** The light on the skin in one frame; null without a face. */
export interface SkinMoment {
  readonly timeMs: number;
  readonly skin: Float64Array | null;
}

/** Steps between neighbouring frames with a face. Frames and steps are in time order. */
export function skinSteps(moments: readonly SkinMoment[]): SkinStep[] {
  const steps: SkinStep[] = [];
  for (const [i, { timeMs, skin }] of moments.entries()) {
    const before = moments[i - 1];
    if (!before?.skin || !skin || timeMs - before.timeMs > MAX_STEP_MS) continue;
    const change = commonChange(before.skin, skin);
    if (change !== null) steps.push({ fromMs: before.timeMs, toMs: timeMs, change });
  }
  return steps;
}

/** ln(red / blue) of the mean light of each patch of a face; NaN where too little of it can be read. */
export function readSkin(frame: Frame, face: ObservedFace): Float64Array {
  const half = Math.max(1, Math.round(face.eyeDistancePx * PATCH));
  const ratios = new Float64Array(SKIN_POINTS.length);
  for (let i = 0; i < SKIN_POINTS.length; i++) {
    const { x, y } = pointAt(face.landmarks, SKIN_POINTS[i]!);
    ratios[i] = ratioAt(frame, Math.round(x), Math.round(y), half);
  }
  return ratios;
}

function ratioAt({ width, height, rgb }: Frame, x: number, y: number, half: number): number {
  const [top, bottom] = [Math.max(0, y - half), Math.min(height - 1, y + half)];
  const [left, right] = [Math.max(0, x - half), Math.min(width - 1, x + half)];
  let red = 0;
  let blue = 0;
  let usable = 0;
  for (let row = top; row <= bottom; row++) {
    for (let at = (row * width + left) * 3, end = (row * width + right) * 3; at <= end; at += 3) {
      const r = rgb[at]!;
      const b = rgb[at + 2]!;
      if (r < USABLE.least || r > USABLE.most || b < USABLE.least || b > USABLE.most) continue;
      red += LINEAR[r]!;
      blue += LINEAR[b]!;
      usable++;
    }
  }
  return usable < MIN_SHARE * (2 * half + 1) ** 2 ? Number.NaN : Math.log(red / blue);
}

/**
 * Mean of the middle half of the patches' changes: light from outside changes all of them alike, while a shadow, a
 * highlight or a point that slips off the face changes some. Null if too few can be read in both frames.
 */
function commonChange(before: Float64Array, now: Float64Array): number | null {
  const changes = now.map((ratio, i) => ratio - before[i]!).filter((change) => !Number.isNaN(change));
  if (changes.length < MIN_SHARE * now.length) return null;
  changes.sort();
  const from = Math.floor(changes.length / 4);
  const to = changes.length - from;
  let sum = 0;
  for (let i = from; i < to; i++) sum += changes[i]!;
  return sum / (to - from);
}
