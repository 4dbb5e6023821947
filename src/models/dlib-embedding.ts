// dlib's face recognition ResNet to its end: the network of the second built-in recogniser pack.
import { buildDlibResnet } from './compile/dlib-resnet.ts';
import { dlibMap } from './dlib-map.ts';
import type { ModelSource } from './source.ts';

/**
 * Input: RGB, 0–255, 150² (the network subtracts its own means).
 * Output: `embedding`, 128 values, not of unit norm.
 */
export const dlibEmbedding = {
  id: 'dlib-embedding',
  pack: 'dlib',
  package: dlibMap.package,
  description: dlibMap.description,
  weights: dlibMap.weights,
  licence: dlibMap.licence,
  input: [3, 150, 150],
  outputs: { embedding: [128] },
  build: (description, weights) => buildDlibResnet(description, weights, 'embedding'),
} as const satisfies ModelSource;
