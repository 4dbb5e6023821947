// Turns what the Worker saw into the one hint that is shown, and decides when the person is in position. Pure. The
// server judges the video independently; these limits only help people record a good one.
import type { AnswerMeasures } from '../../../src/contract/answer-measures.ts';
import { BACKGROUND_FACE_SHARE } from '../../../src/contract/face-geometry.ts';
import type { UpperFace } from '../../../src/contract/head-direction.ts';
import type { Oval } from './oval.ts';

/** What the Worker saw in one frame. Lengths in pixels of the camera frame, angles in degrees. */
export interface Observation {
  readonly faces: readonly ObservedFace[];
  /** Mean luma (ITU-R BT.601) of the face region, or of the frame's middle without a face, 0–255. */
  readonly luma: number;
  /** Mean difference between a pixel's largest and smallest channel there, 0–255: 0 without colours. */
  readonly colour: number;
}

export interface ObservedFace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly yaw: number;
  readonly pitch: number;
  /** Chromaticity distance between the lower face and the forehead, 0 to about 1; see worker.ts. */
  readonly lowerFaceShift: number;
  /** The measures that answers are read from; null without a mesh. */
  readonly measures: AnswerMeasures | null;
  /** Points of the mesh by which the head's direction is told; null without a mesh. */
  readonly upperFace: UpperFace | null;
}

/** A face with a mesh. */
export type SeenFace = ObservedFace & { readonly measures: AnswerMeasures; readonly upperFace: UpperFace };

export type Hint =
  | 'ok'
  | 'no_face'
  | 'several_faces'
  | 'too_far'
  | 'too_close'
  | 'off_centre'
  | 'too_dark'
  | 'too_bright'
  | 'look_ahead'
  | 'covered'
  | 'no_colour';

/**
 * Limits for a face in position. Face height (mesh, chin to forehead) is relative to the oval's: a webcam at 70 cm
 * gives 0.34, at 30 cm 0.80 (by geometry, as in oval.ts). Luma, offsets and angles were chosen, and then checked
 * against footage in Chromium: of 103 webcam images of NUAA's eight people 101 are `ok`, one is too far, and one has a
 * second face (heights 0.37–0.90, offsets to 0.19 and 0.15, yaw to 8°, pitch to 12°, luma 53–183); of LivePortrait's
 * five frontal clips 112 of 120.
 */
export const LIMITS = {
  minHeight: 0.38,
  maxHeight: 0.92,
  maxOffsetX: 0.2,
  maxOffsetY: 0.18,
  minLuma: 45,
  maxLuma: 235,
  maxYaw: 22,
  maxPitch: 25,
  /** Masks and blocks 0.12–0.3, bare faces ≤ 0.05 (measured by the server's judgement with the same formula). */
  maxLowerFaceShift: 0.1,
  /** Infrared cameras give equal channels, but for rounding; well-lit faces in colour 18 and more (23 clips). */
  maxGrey: 2,
} as const;

/** The one face that counts, allowing a small one in the background. */
export function onlyFace({ faces }: Pick<Observation, 'faces'>): ObservedFace | 'none' | 'several' {
  const [face, second] = [...faces].sort((a, b) => b.height - a.height);
  if (!face) return 'none';
  return second && second.height > face.height * BACKGROUND_FACE_SHARE ? 'several' : face;
}

/** The most useful single hint for what was seen. */
export function hintFor(seen: Observation, oval: Oval): Hint {
  const face = onlyFace(seen);
  if (face === 'none') return seen.luma < LIMITS.minLuma ? 'too_dark' : 'no_face';
  if (face === 'several') return 'several_faces';
  if (face.height < oval.height * LIMITS.minHeight) return 'too_far';
  if (face.height > oval.height * LIMITS.maxHeight) return 'too_close';
  const offsetX = Math.abs(face.x + face.width / 2 - oval.centreX) / oval.width;
  const offsetY = Math.abs(face.y + face.height / 2 - oval.centreY) / oval.height;
  if (offsetX > LIMITS.maxOffsetX || offsetY > LIMITS.maxOffsetY) return 'off_centre';
  if (seen.luma < LIMITS.minLuma) return 'too_dark';
  if (seen.luma > LIMITS.maxLuma) return 'too_bright';
  if (Math.abs(face.yaw) > LIMITS.maxYaw || Math.abs(face.pitch) > LIMITS.maxPitch) return 'look_ahead';
  // Checked last, because side light and turned heads shift colours too.
  if (face.lowerFaceShift > LIMITS.maxLowerFaceShift) return 'covered';
  return seen.colour <= LIMITS.maxGrey ? 'no_colour' : 'ok';
}

/** A hint is shown once it has held this long: nobody can follow words that change ten times a second. */
export const HINT_HOLD_MS = 350;
/** The same during a recording: hints appear only if they last, because the person is busy with the prompts. */
export const RECORDING_HINT_HOLD_MS = 1_200;
/** Once the face has been in position for this long, the recording starts by itself. */
export const ALIGNED_MS = 900;

/** Memory of the hints between frames. */
export interface Steadiness {
  readonly shown: Hint | null;
  readonly candidate: Hint | null;
  readonly candidateSinceMs: number;
}

export const unsteady: Steadiness = { shown: null, candidate: null, candidateSinceMs: 0 };

/** Adds the hint of one frame. Returns what to show, and whether the face has been in position long enough. */
export function steady(
  before: Steadiness,
  hint: Hint,
  nowMs: number,
  holdMs = HINT_HOLD_MS,
): { readonly memory: Steadiness; readonly aligned: boolean } {
  const candidateSinceMs = hint === before.candidate ? before.candidateSinceMs : nowMs;
  const heldMs = nowMs - candidateSinceMs;
  const shown = before.shown === null || heldMs >= holdMs ? hint : before.shown;
  return {
    memory: { shown, candidate: hint, candidateSinceMs },
    // Without colours the face is in position all the same.
    aligned: shown === hint && (hint === 'ok' || hint === 'no_colour') && heldMs >= ALIGNED_MS,
  };
}
