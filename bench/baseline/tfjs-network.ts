// Published networks on tfjs's wasm backend, for timing. Through require: tfjs's ES modules load in bundlers only.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

const NODE_MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

async function tfOnWasm() {
  const tf = require('@tensorflow/tfjs-core');
  require('@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops');
  const wasm = require('@tensorflow/tfjs-backend-wasm');
  wasm.setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  await tf.setBackend('wasm');
  return tf;
}

/** face-api's own FaceRecognitionNet (dlib's ResNet to its end), its code as published, on one 150² picture. */
export async function openFaceApiOnWasm(): Promise<() => Promise<void>> {
  const tf = await tfOnWasm();
  const folder = join(NODE_MODULES, '@vladmandic/face-api');
  const code = readFileSync(join(folder, 'dist/face-api.node-wasm.js'), 'utf8');
  const exported = { exports: {} as Record<string, unknown> };
  // The bundle asks for the umbrella package @tensorflow/tfjs; its core is all that this net calls.
  new Function('require', 'module', 'exports', code)(
    (name: string) => (name.startsWith('@tensorflow/') ? tf : require(name)),
    exported,
    exported.exports,
  );
  // biome-ignore lint/suspicious/noExplicitAny: a bundle without usable types
  const net = new (exported.exports as any).FaceRecognitionNet();
  const stem = join(folder, 'model/face_recognition_model');
  const manifest = JSON.parse(readFileSync(`${stem}-weights_manifest.json`, 'utf8'));
  net.loadFromWeightMap(
    tf.io.decodeWeights(
      new Uint8Array(readFileSync(`${stem}.bin`)).buffer,
      manifest.flatMap((group: { weights: unknown[] }) => group.weights),
    ),
  );
  const picture = tf.fill([1, 150, 150, 3], 0.1);
  return async () => {
    const result = await net.forward(picture);
    await result.data();
    tf.dispose(result);
  };
}

/** Opens `stem`.json and `stem`.bin as published; each call runs it `batch` times on one picture, values read back. */
export async function openOnWasm(
  packageName: string,
  stem: string,
  [channels, height, width]: readonly [channels: number, height: number, width: number],
  batch: number,
): Promise<() => Promise<void>> {
  const tf = await tfOnWasm();
  const { loadGraphModel } = require('@tensorflow/tfjs-converter');
  const folder = join(NODE_MODULES, packageName);
  const model = JSON.parse(readFileSync(join(folder, `${stem}.json`), 'utf8'));
  const network = await loadGraphModel(
    tf.io.fromMemory({
      modelTopology: model.modelTopology,
      weightSpecs: model.weightsManifest.flatMap((group: { weights: unknown[] }) => group.weights),
      weightData: new Uint8Array(readFileSync(join(folder, `${stem}.bin`))).buffer,
    }),
  );
  // What the pixels are does not change the time.
  const picture = tf.fill([1, height, width, channels], 0.1);
  return async () => {
    for (let run = 0; run < batch; run++) {
      const results = [network.execute(picture)].flat();
      for (const result of results) await result.data();
      tf.dispose(results);
    }
  };
}
