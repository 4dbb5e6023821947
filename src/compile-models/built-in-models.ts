// How each built-in network becomes an ONNX file.
import { dlibMap } from '../models/dlib-map.ts';
import { expression } from '../models/expression.ts';
import { faceDetector } from '../models/face-detector.ts';
import { faceMesh } from '../models/face-mesh.ts';
import { minifasnet } from '../models/minifasnet.ts';
import { mobilefacenet } from '../models/mobilefacenet.ts';
import type { ModelSource } from '../models/source.ts';
import { convertGraphModel } from './convert.ts';
import { buildDlibMap } from './dlib-resnet.ts';
import { readGraphModel } from './graph-model.ts';
import { repairMobilefacenet } from './repair-mobilefacenet.ts';
import { widenChannels } from './widen.ts';

/** A network of npm packages, and how it is compiled. */
export interface BuiltInModel {
  readonly source: ModelSource;
  /** Turns the two files (an empty description if there is none) into the bytes of the ONNX file. Deterministic. */
  readonly build: (description: string, weights: Uint8Array) => Uint8Array;
}

export const FACE_DETECTOR: BuiltInModel = {
  source: faceDetector,
  build: (description, weights) =>
    convertGraphModel('face-detector', readGraphModel(description, weights), [
      { node: 'Identity', name: 'scores16', dims: ['N', 512, 1] },
      { node: 'Identity_2', name: 'boxes16', dims: ['N', 512, 16] },
      { node: 'Identity_1', name: 'scores32', dims: ['N', 384, 1] },
      { node: 'Identity_3', name: 'boxes32', dims: ['N', 384, 16] },
    ]),
};

export const FACE_MESH: BuiltInModel = {
  source: faceMesh,
  build: (description, weights) =>
    convertGraphModel('face-mesh', readGraphModel(description, weights), [
      { node: 'Identity_2', name: 'landmarks', dims: ['N', 1404] },
      { node: 'Identity_1', name: 'presence', dims: ['N', 1] },
    ]),
};

export const EXPRESSION: BuiltInModel = {
  source: expression,
  build: (description, weights) =>
    convertGraphModel('expression', readGraphModel(description, weights), [
      { node: 'Identity', name: 'probabilities', dims: ['N', 7] },
    ]),
};

export const MOBILEFACENET: BuiltInModel = {
  source: mobilefacenet,
  build: (description, weights) =>
    convertGraphModel('mobilefacenet', repairMobilefacenet(readGraphModel(description, weights)), [
      { node: 'embeddings', name: 'embedding', dims: ['N', 192] },
    ]),
};

export const MINIFASNET: BuiltInModel = {
  source: minifasnet,
  build: (_description, weights) => widenChannels(weights),
};

export const DLIB_MAP: BuiltInModel = {
  source: dlibMap,
  build: buildDlibMap,
};
