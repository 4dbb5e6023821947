// Every built-in network, in the order in which they are compiled.
import { type BuiltInModel, DLIB_MAP, EXPRESSION, FACE_DETECTOR, FACE_MESH } from './built-in-models.ts';
import { BUILT_IN_PACKS } from './built-in-packs.ts';

export const BUILT_IN_MODELS: readonly BuiltInModel[] = [
  FACE_DETECTOR,
  FACE_MESH,
  EXPRESSION,
  ...BUILT_IN_PACKS.flatMap(({ networks }) => networks.map(({ model }) => model)),
  DLIB_MAP,
];
