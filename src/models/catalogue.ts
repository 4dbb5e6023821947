// Every network of the house, in the order in which it is compiled.
import { dlibMap } from './dlib-map.ts';
import { expression } from './expression.ts';
import { faceDetector } from './face-detector.ts';
import { faceMesh } from './face-mesh.ts';
import { mobilefacenet } from './mobilefacenet.ts';
import type { ModelSource } from './source.ts';

export const MODEL_SOURCES: readonly ModelSource[] = [
  faceDetector,
  faceMesh,
  expression,
  mobilefacenet,
  dlibMap,
];
