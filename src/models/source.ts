// What a model's own file declares: its weights, licence, inputs and outputs.

/** One network of the house, compiled by compile/compile.ts and run through load.ts. */
export interface ModelSource {
  /** Stem of the compiled file and key in the manifest. */
  readonly id: string;
  /** Folder of the recogniser pack that the file goes into; else it is among the models of the judgement. */
  readonly pack?: string;
  readonly package: string;
  /** Description (JSON) and weights inside the package. */
  readonly description: string;
  readonly weights: string;
  /** Licence of the package and, where known, of the network it republishes. */
  readonly licence: string;
  /** Channels, height, width: NCHW with a free batch. */
  readonly input: readonly [channels: number, height: number, width: number];
  /** Output name → shape without the batch. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  /** The two files → the bytes of the ONNX file. Deterministic. */
  readonly build: (description: string, weights: Uint8Array) => Uint8Array;
}
