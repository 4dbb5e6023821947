// Second step: the 468-point mesh of one face in a rotation-normalised crop.

import { eyeCentre, LANDMARK_COUNT, LEFT_EYE, RIGHT_EYE } from '../../contract/face-landmarks.ts';
import type { Models } from '../../models/load.ts';
import { withScratch } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';
import { cropRgb, squareCrop } from './crop.ts';
import type { DetectedFace, FaceBox, FaceMesh } from './observation.ts';

/** Where to look for a face: a square turned by `angle`. */
export interface FaceRegion {
  readonly centreX: number;
  readonly centreY: number;
  /** Side of the square in frame pixels. */
  readonly size: number;
  /** Rotation in radians, positive clockwise as seen. */
  readonly angle: number;
}

/** Side of the crop divided by the larger side of the face's box, as in MediaPipe's face landmark graph. */
const CROP_MARGIN = 1.5;

/** The mesh inside `region`. Returns a mesh even if there is no face: judge by its `presence`. */
export async function fitMesh(models: Models, frame: Frame, region: FaceRegion): Promise<FaceMesh> {
  const size = models.faceMesh.input[1];
  const map = squareCrop(region.centreX, region.centreY, region.size, region.angle, size);
  const { landmarks: local, presence } = await withScratch(3 * size * size, (input) => {
    cropRgb(frame, map, size, { gain: 1 / 255, offset: 0 }, input);
    return models.faceMesh.run(input);
  });
  const landmarks = new Float32Array(LANDMARK_COUNT * 3);
  const depthScale = region.size / size;
  for (let i = 0; i < landmarks.length; i += 3) {
    const u = local[i]!;
    const v = local[i + 1]!;
    landmarks[i] = map.a * u - map.b * v + map.tx;
    landmarks[i + 1] = map.b * u + map.a * v + map.ty;
    landmarks[i + 2] = local[i + 2]! * depthScale;
  }
  return { landmarks, presence: presence[0]! };
}

/** Region in which to fit a detected face's mesh, turned so that the eyes are level. */
export function regionOfDetection({ box, keypoints }: DetectedFace): FaceRegion {
  return {
    centreX: box.x + box.width / 2,
    centreY: box.y + box.height / 2,
    size: CROP_MARGIN * Math.max(box.width, box.height),
    angle: Math.atan2(keypoints[3]! - keypoints[1]!, keypoints[2]! - keypoints[0]!),
  };
}

/** Crop for a face whose mesh is known from the last frame (or from a first, rough fit). */
export function regionOfMesh(landmarks: Float32Array): FaceRegion {
  const right = eyeCentre(landmarks, RIGHT_EYE);
  const left = eyeCentre(landmarks, LEFT_EYE);
  const angle = Math.atan2(left.y - right.y, left.x - right.x);
  const bounds = turnedBounds(landmarks, -angle);
  const x = bounds.x + bounds.width / 2;
  const y = bounds.y + bounds.height / 2;
  return {
    centreX: Math.cos(angle) * x - Math.sin(angle) * y,
    centreY: Math.sin(angle) * x + Math.cos(angle) * y,
    size: CROP_MARGIN * Math.max(bounds.width, bounds.height),
    angle,
  };
}

/** Box around the mesh in frame pixels. */
export function boxOfMesh(landmarks: Float32Array): FaceBox {
  return turnedBounds(landmarks, 0);
}

/** Bounds of the points after a turn about the frame's origin. */
function turnedBounds(landmarks: Float32Array, angle: number): FaceBox {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < landmarks.length; i += 3) {
    const x = cos * landmarks[i]! - sin * landmarks[i + 1]!;
    const y = sin * landmarks[i]! + cos * landmarks[i + 1]!;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return { x: minX, y: minY, width: maxX - minX, height: maxY - minY };
}
