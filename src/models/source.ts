// What a model's own file declares: its weights, where they come from, inputs and outputs.

/** One network of the house, compiled by compile/compile.ts and run through load.ts. */
export interface ModelSource {
  /** Stem of the compiled file and key in the manifest. */
  readonly id: string;
  /** Folder of the pack that the file goes into; else it is among the models of the judgement. */
  readonly pack?: string;
  readonly package: string;
  /** Description (JSON) inside the package, where the weights file does not hold the graph as well. */
  readonly description?: string;
  /** Weights inside the package. */
  readonly weights: string;
  /** SHA-256 of the weights file, lower-case hex: the bytes that were measured. Others are not compiled. */
  readonly sha256: string;
  readonly provenance: Provenance;
  /** Channels, height, width: NCHW with a free batch. */
  readonly input: readonly [channels: number, height: number, width: number];
  /** Output name → shape without the batch. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  /** The two files (an empty description where there is none) → the bytes of the ONNX file. Deterministic. */
  readonly build: (description: string, weights: Uint8Array) => Uint8Array;
}

/** What is published of a network; `NOT_STATED` where nobody says. */
export interface Provenance {
  /** What it does, in a line. */
  readonly task: string;
  /** Of the package, and of the project whose network it republishes. */
  readonly codeLicence: string;
  /** What the publisher of the weights says of them. */
  readonly weightsLicence: string;
  /** As published. */
  readonly trainingData: string;
}

export const NOT_STATED = 'not stated';
