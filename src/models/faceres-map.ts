// HSE-FaceRes (MobileNet) up to its 11th block: local evidence for the likeness of regions.
import { convertGraphModel } from './compile/convert.ts';
import { readGraphModel } from './compile/graph-model.ts';
import type { ModelSource } from './source.ts';

/**
 * Input: RGB, 0–255, 224².
 * Output: `map`, 512 channels on 14 × 14 cells, after `conv_pw_11`. Later maps tell people apart better, but every
 * cell of them sees the whole face, and a region's score from them would lie.
 */
export const faceresMap = {
  id: 'faceres-map',
  package: '@vladmandic/human',
  description: 'models/faceres.json',
  weights: 'models/faceres.bin',
  licence: 'MIT (package); HSE_FaceRec_tf: Apache-2.0',
  input: [3, 224, 224],
  outputs: { map: [512, 14, 14] },
  build: (description, weights) =>
    convertGraphModel('faceres-map', readGraphModel(description, weights), [
      { node: 'conv_pw_11_relu/clip_by_value', name: 'map', dims: ['N', 512, 14, 14] },
    ]),
} as const satisfies ModelSource;
