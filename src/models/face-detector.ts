// BlazeFace (MediaPipe, 256² model): finds faces. First network on every frame that is searched.
import { type ModelSource, NOT_STATED } from './source.ts';

/**
 * Input: RGB, x / 127.5 − 1, the frame letterboxed to 256².
 * Outputs per anchor of two grids, 16 × 16 cells with 2 anchors (`16`) and 8 × 8 cells with 6 (`32`; the numbers are
 * the strides): a score logit, and 16 values in input pixels from the cell's centre: box centre x, y, width, height,
 * then x, y of six key points.
 */
export const faceDetector = {
  id: 'face-detector',
  package: '@vladmandic/human',
  description: 'models/blazeface.json',
  weights: 'models/blazeface.bin',
  sha256: 'dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72',
  provenance: {
    task: 'finds faces in a frame (MediaPipe BlazeFace)',
    codeLicence: 'MIT (package)',
    weightsLicence: 'Apache-2.0 (MediaPipe)',
    trainingData: NOT_STATED,
  },
  input: [3, 256, 256],
  outputs: { scores16: [512, 1], boxes16: [512, 16], scores32: [384, 1], boxes32: [384, 16] },
} as const satisfies ModelSource;
