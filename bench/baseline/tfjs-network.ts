// One published network on tfjs's wasm backend, for timing. Through require: tfjs's ES modules load in bundlers only.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Opens `stem`.json and `stem`.bin as published; each call runs it `batch` times on one picture, values read back. */
export async function openOnWasm(
  packageName: string,
  stem: string,
  [channels, height, width]: readonly [channels: number, height: number, width: number],
  batch: number,
): Promise<() => Promise<void>> {
  const tf = require('@tensorflow/tfjs-core');
  const wasm = require('@tensorflow/tfjs-backend-wasm');
  const { loadGraphModel } = require('@tensorflow/tfjs-converter');
  wasm.setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  await tf.setBackend('wasm');
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', packageName);
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
