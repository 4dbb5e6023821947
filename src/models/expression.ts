// mini-Xception of oarriaga/face_classification: seven expressions of one face. Read for the smile.
import { convertGraphModel } from './compile/convert.ts';
import { readGraphModel } from './compile/graph-model.ts';
import type { ModelSource } from './source.ts';

/**
 * Input: grey (.2989 R + .587 G + .114 B), −1 to 1, 64².
 * Output: `probabilities` of angry, disgust, fear, happy, sad, surprise, neutral; they sum to 1.
 */
export const expression = {
  id: 'expression',
  package: '@vladmandic/human',
  description: 'models/emotion.json',
  weights: 'models/emotion.bin',
  licence: 'MIT (package and oarriaga/face_classification)',
  input: [1, 64, 64],
  outputs: { probabilities: [7] },
  build: (description, weights) =>
    convertGraphModel('expression', readGraphModel(description, weights), [
      { node: 'Identity', name: 'probabilities', dims: ['N', 7] },
    ]),
} as const satisfies ModelSource;
