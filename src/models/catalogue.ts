// Every built-in network, in the order in which they are compiled.
import { dlibMap } from './dlib-map.ts';
import { expression } from './expression.ts';
import { faceDetector } from './face-detector.ts';
import { faceMesh } from './face-mesh.ts';
import { BUILT_IN_PACKS } from './packs/built-in.ts';
import type { ModelSource } from './source.ts';

export const MODEL_SOURCES: readonly ModelSource[] = [
  faceDetector,
  faceMesh,
  expression,
  ...BUILT_IN_PACKS.flatMap(({ networks }) => networks.map(({ source }) => source)),
  dlibMap,
];
