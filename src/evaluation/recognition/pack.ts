// A recogniser pack: everything that decides how pixels become an embedding, declared as data.

/** Two templates may be compared only when their packs' ids are equal. */
export interface RecogniserPack {
  /** Stable id, carried by every template. Raised when anything below, or in ../regions, changes what a template holds. */
  readonly id: string;
  /** Id of the network in the models' manifest, which holds its SHA-256. */
  readonly model: string;
  readonly licence: string;
  /** Side of the square input. */
  readonly inputSize: number;
  readonly alignment: 'arcface-5';
  readonly channelOrder: 'rgb';
  /** Input value = (pixel − mean) / scale. */
  readonly mean: number;
  readonly scale: number;
  /** Whether the embedding is the mean of the face's and its mirror image's. */
  readonly flip: boolean;
  readonly embeddingSize: number;
}

/** The recogniser that ships: MobileFaceNet with its published graph repaired (src/models/mobilefacenet.ts). */
export const RECOGNISER_PACK: RecogniserPack = {
  id: 'mobilefacenet-1',
  model: 'mobilefacenet',
  licence: 'MIT (package); sirius-ai/MobileFaceNet_TF: Apache-2.0',
  inputSize: 112,
  alignment: 'arcface-5',
  channelOrder: 'rgb',
  mean: 127.5,
  scale: 128,
  flip: true,
  embeddingSize: 192,
};
