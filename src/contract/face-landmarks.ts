// Names for the points of the 468-point mesh that the judgement uses, and functions that read them.
// Indices follow MediaPipe's canonical face model. Left and right are the person's own, as everywhere here.

export const LANDMARK_COUNT = 468;

/** One eye: its corners, two pairs of opposite lid points, and its whole contour. */
export interface EyePoints {
  readonly outer: number;
  readonly inner: number;
  readonly upper: readonly [number, number];
  readonly lower: readonly [number, number];
  readonly contour: readonly number[];
}

export const RIGHT_EYE: EyePoints = {
  outer: 33,
  inner: 133,
  upper: [159, 158],
  lower: [145, 153],
  contour: [33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173],
};
export const LEFT_EYE: EyePoints = {
  outer: 263,
  inner: 362,
  upper: [386, 385],
  lower: [374, 380],
  contour: [263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398],
};
export const NOSE_TIP = 1;
/** Where the nose meets the upper lip. */
export const NOSE_BASE = 2;
export const MOUTH_RIGHT = 61;
export const MOUTH_LEFT = 291;
export const UPPER_LIP_INNER = 13;
export const LOWER_LIP_INNER = 14;
export const FACE_SIDE_RIGHT = 234;
export const FACE_SIDE_LEFT = 454;

/** A point in the image plane. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export function pointAt(landmarks: Float32Array, index: number): Point {
  return { x: landmarks[index * 3]!, y: landmarks[index * 3 + 1]! };
}

export function meanPoint(landmarks: Float32Array, indices: readonly number[]): Point {
  let x = 0;
  let y = 0;
  for (const index of indices) {
    x += landmarks[index * 3]!;
    y += landmarks[index * 3 + 1]!;
  }
  return { x: x / indices.length, y: y / indices.length };
}

/** Distance in 3D, depth included, so that a turn of the head changes it little. */
export function distance3d(landmarks: Float32Array, from: number, to: number): number {
  return Math.hypot(
    landmarks[from * 3]! - landmarks[to * 3]!,
    landmarks[from * 3 + 1]! - landmarks[to * 3 + 1]!,
    landmarks[from * 3 + 2]! - landmarks[to * 3 + 2]!,
  );
}

/** Centre of an eye: the mean of its contour, which is more stable than its corners alone. */
export function eyeCentre(landmarks: Float32Array, eye: EyePoints): Point {
  return meanPoint(landmarks, eye.contour);
}
