// MiniFASNet of the 128-pixel family: tells a face from a picture of one. The default PAD pack's network.
import { type ModelSource, NOT_STATED } from './source.ts';

/**
 * Input: **BGR**, 0–255, 128², a crop of 2.7 times the face's box. The package's own code feeds RGB, with which a fifth
 * of live faces is refused.
 * Output: `output`, three logits; 0 is live. What the other two stand for is not documented.
 * It is an ONNX network already, pruned to odd numbers of channels. These are padded with zeros, which computes the
 * same in less time (src/compile-models/widen.ts).
 */
export const minifasnet = {
  id: 'minifasnet',
  pack: 'minifasnet',
  package: 'faceplugin-face-recognition-js',
  weights: 'model/fr_liveness.onnx',
  sha256: 'afa783b7e902fdfcf323a7240cac2a1c580c25314ea4161129dc1b0d100dc32d',
  provenance: {
    task: 'tells a face from its picture (MiniFASNet)',
    codeLicence: 'MIT (package)',
    weightsLicence: 'MIT (package); who trained them is not stated',
    trainingData: NOT_STATED,
  },
  input: [3, 128, 128],
  outputs: { output: [3] },
} as const satisfies ModelSource;
