// dlib's face recognition ResNet up to its last 8 × 8 map: local evidence for the likeness of regions.
import type { ModelSource } from './source.ts';

/**
 * Input: RGB, 0–255, 150² (the network subtracts its own means).
 * Output: `map`, 128 channels on 8 × 8 cells.
 */
export const dlibMap = {
  id: 'dlib-map',
  package: '@vladmandic/face-api',
  description: 'model/face_recognition_model-weights_manifest.json',
  weights: 'model/face_recognition_model.bin',
  sha256: 'b413e420d6840b2775fba32008db6f3cddb07d485967fb42cfcf379c16a8c589',
  provenance: {
    task: 'compares regions of faces: a map of local evidence (dlib’s ResNet, its last layers left out)',
    codeLicence: 'MIT (package)',
    weightsLicence: 'CC0-1.0 (dlib-models)',
    trainingData:
      'about 3 million faces of 7,485 persons: FaceScrub and VGG Face, collected for research, and pictures from the web',
  },
  input: [3, 150, 150],
  outputs: { map: [128, 8, 8] },
} as const satisfies ModelSource;
