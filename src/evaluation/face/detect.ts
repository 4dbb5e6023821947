// First step on a frame: where faces are, and how many. BlazeFace over the whole frame, decoded and deduplicated.
import type { Models } from '../../models/load.ts';
import { withScratch } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';
import { letterbox } from './letterbox.ts';
import type { DetectedFace, FaceBox } from './observation.ts';

/** Below this score a candidate is not a face. Same value as in MediaPipe's face detection graph. */
const MIN_SCORE = 0.5;
/**
 * Candidates that overlap more than this (intersection over union) are one face. Same value as in MediaPipe's face
 * detection graph.
 */
const SAME_FACE_OVERLAP = 0.3;
const KEYPOINTS = 6;

/** All faces in the frame, best score first; empty when there is none. Boxes run from brow to chin, ear to ear. */
export async function detectFaces(models: Models, frame: Frame): Promise<DetectedFace[]> {
  const { width, height } = frame;
  const faces = await detectIn(models, frame, { x: 0, y: 0, width, height });
  if (faces.length > 0) return faces;
  // A face that fills or overflows the frame is found only with black around it, because the detector's anchors are
  // smaller.
  return detectIn(models, frame, { x: -width / 2, y: -height / 2, width: width * 2, height: height * 2 });
}

async function detectIn(models: Models, frame: Frame, view: FaceBox): Promise<DetectedFace[]> {
  const size = models.faceDetector.input[1];
  const { placed, found } = await withScratch(3 * size * size, async (input) => {
    const placed = letterbox(frame, view, size, input);
    return { placed, found: await models.faceDetector.run(input) };
  });
  const { originX, originY, scale } = placed;
  const { scores16, boxes16, scores32, boxes32 } = found;
  const candidates: DetectedFace[] = [];
  decodeGrid(scores16, boxes16, { stride: 16, anchors: 2, size }, candidates);
  decodeGrid(scores32, boxes32, { stride: 32, anchors: 6, size }, candidates);
  return suppress(candidates).map(({ box, score, keypoints }) => ({
    score,
    box: {
      x: originX + box.x * scale,
      y: originY + box.y * scale,
      width: box.width * scale,
      height: box.height * scale,
    },
    keypoints: keypoints.map((value, i) => (i % 2 === 0 ? originX : originY) + value * scale),
  }));
}

interface Grid {
  readonly stride: number;
  readonly anchors: number;
  readonly size: number;
}

/** Adds the grid's candidates above the score, in input pixels. Layout of the outputs: src/models/face-detector.ts. */
function decodeGrid(logits: Float32Array, boxes: Float32Array, grid: Grid, into: DetectedFace[]): void {
  const cells = grid.size / grid.stride;
  const minLogit = Math.log(MIN_SCORE / (1 - MIN_SCORE));
  for (let i = 0; i < logits.length; i++) {
    const logit = logits[i]!;
    if (logit < minLogit) continue;
    const cell = Math.floor(i / grid.anchors);
    const anchorX = ((cell % cells) + 0.5) * grid.stride;
    const anchorY = (Math.floor(cell / cells) + 0.5) * grid.stride;
    const at = i * (4 + 2 * KEYPOINTS);
    const width = boxes[at + 2]!;
    const height = boxes[at + 3]!;
    const keypoints = new Float32Array(2 * KEYPOINTS);
    for (let k = 0; k < 2 * KEYPOINTS; k++)
      keypoints[k] = boxes[at + 4 + k]! + (k % 2 === 0 ? anchorX : anchorY);
    into.push({
      score: 1 / (1 + Math.exp(-logit)),
      box: {
        x: anchorX + boxes[at]! - width / 2,
        y: anchorY + boxes[at + 1]! - height / 2,
        width,
        height,
      },
      keypoints,
    });
  }
}

/** Greedy non-maximum suppression, best first; ties keep the grid's order, so that the result is deterministic. */
function suppress(candidates: readonly DetectedFace[]): DetectedFace[] {
  const kept: DetectedFace[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.score - a.score)) {
    if (kept.every((face) => overlap(face.box, candidate.box) < SAME_FACE_OVERLAP)) kept.push(candidate);
  }
  return kept;
}

/** Intersection over union of two boxes, 0–1. */
export function overlap(a: FaceBox, b: FaceBox): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
}
