// manifest.json of the compiled models: what each file is, where it came from, and the hash that load.ts checks.
import type { Provenance } from './source.ts';

/** Raise this whenever the compiler writes other bytes for the same weights: older folders are then compiled again. */
export const COMPILER_VERSION = 6;

export const MANIFEST_FILE = 'manifest.json';

/** One compiled model. */
export interface ModelRecord {
  readonly id: string;
  /** Path below the models' folder. */
  readonly file: string;
  readonly bytes: number;
  /** Lower-case hex of the file's SHA-256. */
  readonly sha256: string;
  readonly source: {
    readonly package: string;
    readonly version: string;
    readonly weights: string;
    readonly bytes: number;
    readonly sha256: string;
  };
  readonly provenance: Provenance;
  /** NCHW without the batch. */
  readonly input: readonly number[];
  /** Output name → shape without the batch. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
}

export interface ModelManifest {
  readonly compiler: number;
  readonly models: readonly ModelRecord[];
}
