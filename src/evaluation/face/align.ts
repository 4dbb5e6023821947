// An upright, scaled face for recognition: the similarity that maps five landmarks onto the ArcFace template.

import {
  eyeCentre,
  LEFT_EYE,
  MOUTH_LEFT,
  MOUTH_RIGHT,
  NOSE_TIP,
  type Point,
  pointAt,
  RIGHT_EYE,
} from '../../contract/face-landmarks.ts';
import { invert, type Similarity } from './crop.ts';

/**
 * The five points of the ArcFace template in a crop of 112² (deepinsight/insightface, face_align.py): the person's
 * right eye, left eye, nose tip, right and left mouth corner. That source counts from pixel centres; here pixel i
 * covers i to i + 1, hence the half pixel.
 */
const ARCFACE_POINTS: readonly Point[] = [
  { x: 38.2946 + 0.5, y: 51.6963 + 0.5 },
  { x: 73.5318 + 0.5, y: 51.5014 + 0.5 },
  { x: 56.0252 + 0.5, y: 71.7366 + 0.5 },
  { x: 41.5493 + 0.5, y: 92.3655 + 0.5 },
  { x: 70.7299 + 0.5, y: 92.2041 + 0.5 },
];
const ARCFACE_SIZE = 112;

/** Crop → frame for a face aligned to the ArcFace template in a crop of `size`². */
export function alignment(landmarks: Float32Array, size: number): Similarity {
  return placedAlignment(landmarks, size / ARCFACE_SIZE, 0, 0);
}

/**
 * Crop → frame for a face aligned to the ArcFace template after the template is scaled by `scale` and moved by (`dx`,
 * `dy`) crop pixels: the same upright face, with more or less around it.
 */
export function placedAlignment(landmarks: Float32Array, scale: number, dx: number, dy: number): Similarity {
  const template = ARCFACE_POINTS.map(({ x, y }) => ({ x: x * scale + dx, y: y * scale + dy }));
  return invert(fitSimilarity(facePoints(landmarks), template));
}

/** Crop → frame for a face whose five points (in the template's order) are mapped onto `points`, in crop pixels. */
export function alignmentOnto(landmarks: Float32Array, points: readonly Point[]): Similarity {
  return invert(fitSimilarity(facePoints(landmarks), points));
}

/** The five points of a mesh that correspond to the template. */
function facePoints(landmarks: Float32Array): Point[] {
  return [
    eyeCentre(landmarks, RIGHT_EYE),
    eyeCentre(landmarks, LEFT_EYE),
    pointAt(landmarks, NOSE_TIP),
    pointAt(landmarks, MOUTH_RIGHT),
    pointAt(landmarks, MOUTH_LEFT),
  ];
}

/** Least-squares similarity without reflection that maps `from` onto `to` (Umeyama 1991, two dimensions). */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const p = centroid(from);
  const q = centroid(to);
  let dot = 0;
  let cross = 0;
  let norm = 0;
  for (const [i, source] of from.entries()) {
    const target = to[i]!;
    const px = source.x - p.x;
    const py = source.y - p.y;
    const qx = target.x - q.x;
    const qy = target.y - q.y;
    dot += px * qx + py * qy;
    cross += px * qy - py * qx;
    norm += px * px + py * py;
  }
  const a = dot / norm;
  const b = cross / norm;
  return { a, b, tx: q.x - a * p.x + b * p.y, ty: q.y - b * p.x - a * p.y };
}

function centroid(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  return { x: x / points.length, y: y / points.length };
}
