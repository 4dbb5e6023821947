// MediaPipe FaceMesh: 468 points of one face in an upright crop.
import { type ModelSource, NOT_STATED } from './source.ts';

/**
 * Input: RGB, 0–1, 192².
 * Outputs: `landmarks`, 468 × (x, y, z) in input pixels; `presence`, 0–1, whether a face is in the crop.
 */
export const faceMesh = {
  id: 'face-mesh',
  package: '@vladmandic/human',
  description: 'models/facemesh.json',
  weights: 'models/facemesh.bin',
  sha256: '3826da640b0a3021161605369ee6af293f75d518040355b960ec71a3390c1c0b',
  provenance: {
    task: '468 points of a face (MediaPipe FaceMesh)',
    codeLicence: 'MIT (package)',
    weightsLicence: 'Apache-2.0 (MediaPipe)',
    trainingData: NOT_STATED,
  },
  input: [3, 192, 192],
  outputs: { landmarks: [1404], presence: [1] },
} as const satisfies ModelSource;
