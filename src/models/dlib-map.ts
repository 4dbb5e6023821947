// dlib's face recognition ResNet up to its last 8 × 8 map: local evidence for the likeness of regions.
import { buildDlibMap } from './compile/dlib-resnet.ts';
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
  licence: 'MIT (package); dlib-models: CC0-1.0',
  input: [3, 150, 150],
  outputs: { map: [128, 8, 8] },
  build: buildDlibMap,
} as const satisfies ModelSource;
