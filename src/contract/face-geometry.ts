// Measures taken from the mesh alone: pose, mouth, eyes. Pure. The judgement decides with them whether a prompt was
// answered. The page shows a prompt until it has seen the answer, so it must measure in the same way.
import {
  distance3d,
  type EyePoints,
  eyeCentre,
  FACE_SIDE_LEFT,
  FACE_SIDE_RIGHT,
  LEFT_EYE,
  LOWER_LIP_INNER,
  MOUTH_LEFT,
  MOUTH_RIGHT,
  meanPoint,
  NOSE_BASE,
  NOSE_TIP,
  pointAt,
  RIGHT_EYE,
  UPPER_LIP_INNER,
} from './face-landmarks.ts';

/**
 * A face whose height is below this share of the capture subject's is background: a passer-by, a picture on the wall. A
 * face 2.5 times as far from the camera has this size. Chosen, not measured.
 */
export const BACKGROUND_FACE_SHARE = 0.4;

/** Measures of one mesh. Lengths are in frame pixels unless they are ratios. */
export interface FaceGeometry {
  /** Distance between the eye centres. */
  readonly eyeDistancePx: number;
  /** Apparent turn of the head, about −1 to 1, 0 in front, positive towards the person's own left. */
  readonly yaw: number;
  /** Apparent nod of the head, about −1 to 1, 0 in front, positive is up. */
  readonly pitch: number;
  /** Tilt in the image plane in radians; positive is clockwise as seen in the image. */
  readonly roll: number;
  /** Distance between the mouth corners over the eye distance. */
  readonly mouthWidth: number;
  /** Gap between the inner lips over the eye distance; 0 is closed. */
  readonly mouthOpen: number;
  /** How far the middle of the mouth corners lies below the eye line, over the eye distance; a smile raises it. */
  readonly cornersBelowEyes: number;
  /** The same below the base of the nose. */
  readonly cornersBelowNose: number;
  /** Openness of the eyes, mean of both: lid gap over eye width; about 0.25–0.4 open, below 0.15 shut. */
  readonly eyesOpen: number;
}

/** Where the nose tip lies between eye line (0) and mouth (1) on a face in front. */
const FRONTAL_NOSE_HEIGHT = 0.6;

/**
 * All measures of one mesh, 468 × 3 in frame pixels.
 *
 * In upright coordinates (eye line level), let N be the nose tip, R and L the sides of the face (points 234 and 454), E
 * the midpoint of the eyes and M the midpoint of the mouth corners:
 * yaw = ((N − R)ₓ − (L − N)ₓ) / (L − R)ₓ; the nose moves towards the side to which the head turns.
 * pitch = 2 · (0.6 − (N − E)ᵧ / (M − E)ᵧ); the nose moves towards the eyes as the head goes up.
 * Both are apparent: they are not angles, but monotonic in them.
 */
export function measureFace(landmarks: Float32Array): FaceGeometry {
  const rightEye = eyeCentre(landmarks, RIGHT_EYE);
  const leftEye = eyeCentre(landmarks, LEFT_EYE);
  const eyeDistancePx = Math.hypot(leftEye.x - rightEye.x, leftEye.y - rightEye.y);
  const roll = Math.atan2(leftEye.y - rightEye.y, leftEye.x - rightEye.x);
  const cos = Math.cos(roll);
  const sin = Math.sin(roll);
  const nose = pointAt(landmarks, NOSE_TIP);
  const right = pointAt(landmarks, FACE_SIDE_RIGHT);
  const left = pointAt(landmarks, FACE_SIDE_LEFT);
  const mouth = meanPoint(landmarks, [MOUTH_RIGHT, MOUTH_LEFT]);
  const toRight = cos * (nose.x - right.x) + sin * (nose.y - right.y);
  const toLeft = cos * (left.x - nose.x) + sin * (left.y - nose.y);
  const eyes = { x: (rightEye.x + leftEye.x) / 2, y: (rightEye.y + leftEye.y) / 2 };
  const noseDrop = cos * (nose.y - eyes.y) - sin * (nose.x - eyes.x);
  const mouthDrop = cos * (mouth.y - eyes.y) - sin * (mouth.x - eyes.x);
  const base = pointAt(landmarks, NOSE_BASE);
  const mouthBelowBase = cos * (mouth.y - base.y) - sin * (mouth.x - base.x);
  // Measured between the outer corners, the most stable length of the face; in 3D, so that turns do not shorten it.
  const eyeDistance = distance3d(landmarks, RIGHT_EYE.outer, LEFT_EYE.outer) * EYE_CENTRES_PER_SPAN;
  return {
    eyeDistancePx,
    yaw: bounded((toRight - toLeft) / (toRight + toLeft)),
    pitch: bounded(2 * (FRONTAL_NOSE_HEIGHT - noseDrop / mouthDrop)),
    roll,
    mouthWidth: distance3d(landmarks, MOUTH_RIGHT, MOUTH_LEFT) / eyeDistance,
    mouthOpen: distance3d(landmarks, UPPER_LIP_INNER, LOWER_LIP_INNER) / eyeDistance,
    cornersBelowEyes: mouthDrop / eyeDistance,
    cornersBelowNose: mouthBelowBase / eyeDistance,
    eyesOpen: (eyeOpenness(landmarks, RIGHT_EYE) + eyeOpenness(landmarks, LEFT_EYE)) / 2,
  };
}

/** Distance between the eye centres over that between the outer corners, so that ratios are per eye distance. */
const EYE_CENTRES_PER_SPAN = 0.7;

/** Eye aspect ratio (Soukupová & Čech 2016): mean lid gap over eye width. */
function eyeOpenness(landmarks: Float32Array, eye: EyePoints): number {
  const gap =
    distance3d(landmarks, eye.upper[0], eye.lower[0]) + distance3d(landmarks, eye.upper[1], eye.lower[1]);
  return gap / 2 / distance3d(landmarks, eye.outer, eye.inner);
}

/** Keeps a measure in [−1, 1], because a degenerate mesh may divide by almost zero. */
function bounded(value: number): number {
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
}
