// What a model's own file declares: its weights, where they come from, inputs and outputs.

/** One built-in network, compiled by src/compile-models and run through load.ts. */
export interface ModelSource {
  /** Stem of the compiled file and key in the manifest. */
  readonly id: string;
  /** Folder of the pack that the file goes into; absent if it is one of the judgement's own models. */
  readonly pack?: string;
  readonly package: string;
  /** Description (JSON) inside the package, if the weights file does not hold the graph as well. */
  readonly description?: string;
  /** Weights inside the package. */
  readonly weights: string;
  /** SHA-256 of the weights file, lower-case hex: the bytes that were measured. Other bytes are not compiled. */
  readonly sha256: string;
  readonly provenance: Provenance;
  /** Channels, height, width: NCHW with a free batch. */
  readonly input: readonly [channels: number, height: number, width: number];
  /** Output name → shape without the batch. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
}

/** What is published about a network; `NOT_STATED` where nothing is. */
export interface Provenance {
  /** What it does, in a line. */
  readonly task: string;
  /** Licence of the package, and of the project whose network it republishes. */
  readonly codeLicence: string;
  /** What the publisher of the weights says about their licence. */
  readonly weightsLicence: string;
  /** As published. */
  readonly trainingData: string;
}

export const NOT_STATED = 'not stated';
