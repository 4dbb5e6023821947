// mini-Xception of oarriaga/face_classification: seven expressions of one face. Read for the smile.
import type { ModelSource } from './source.ts';

/**
 * Input: grey (0.2989 R + 0.587 G + 0.114 B), −1 to 1, 64².
 * Output: `probabilities` of angry, disgust, fear, happy, sad, surprise, neutral; they sum to 1.
 */
export const expression = {
  id: 'expression',
  package: '@vladmandic/human',
  description: 'models/emotion.json',
  weights: 'models/emotion.bin',
  sha256: '927ac8224f356ab1e68c2bcfbfa07b0c8567047d1bcf817388ba6e38214c4987',
  provenance: {
    task: 'seven expressions of a face, read for the smile (mini-Xception)',
    codeLicence: 'MIT (package, oarriaga/face_classification)',
    weightsLicence: 'MIT (oarriaga/face_classification)',
    trainingData: 'FER2013, collected for a research challenge',
  },
  input: [1, 64, 64],
  outputs: { probabilities: [7] },
} as const satisfies ModelSource;
