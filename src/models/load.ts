// Compiled models → typed ONNX sessions. Every process that judges loads them once and passes them on.

/** One network, ready to run. Inputs and outputs are dense float32 in the layout that the model's file states. */
export interface ModelRunner<Output extends string> {
  readonly id: string;
  /** Runs `batch` inputs laid out one after another (default 1). */
  run(input: Float32Array, batch?: number): Promise<Record<Output, Float32Array>>;
}

/** The networks of the judgement. */
export interface Models {
  readonly faceDetector: ModelRunner<'scores' | 'boxes'>;
  readonly faceMesh: ModelRunner<'landmarks' | 'presence'>;
  readonly expression: ModelRunner<'probabilities'>;
  readonly recogniser: ModelRunner<'embedding'>;
  readonly dlibMap: ModelRunner<'map'>;
  readonly faceresMap: ModelRunner<'map'>;
  /** Frees the sessions. */
  close(): Promise<void>;
}

export interface LoadModelsOptions {
  /** Folder that compileModels filled: manifest.json and *.onnx. */
  readonly modelsDir: string;
  /** Threads inside one network run. */
  readonly threads: number;
}

/** Verifies each file's SHA-256 against the manifest, then opens the sessions. */
export async function loadModels(_options: LoadModelsOptions): Promise<Models> {
  throw new Error('not built yet');
}
