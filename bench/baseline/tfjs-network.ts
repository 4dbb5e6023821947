// Times published networks on tfjs's wasm backend. Loaded with require, because tfjs's ES modules only load in
// bundlers.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { faceRecognitionNet, graphArtifacts } from '../../test/support/published-networks.ts';

const require = createRequire(import.meta.url);

async function tfOnWasm() {
  const tf = require('@tensorflow/tfjs-core');
  require('@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops');
  const wasm = require('@tensorflow/tfjs-backend-wasm');
  wasm.setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  await tf.setBackend('wasm');
  return tf;
}

/** face-api's FaceRecognitionNet on one 150² image; the values are read back. */
export async function openFaceApiOnWasm(): Promise<() => Promise<void>> {
  const tf = await tfOnWasm();
  const net = faceRecognitionNet(tf);
  const picture = tf.fill([1, 150, 150, 3], 0.1);
  return async () => {
    const result = await net.forward(picture);
    await result.data();
    tf.dispose(result);
  };
}

/**
 * Opens `stem`.json and `stem`.bin as published. Each call runs it `batch` times on one image and reads the values
 * back.
 */
export async function openOnWasm(
  packageName: string,
  stem: string,
  [channels, height, width]: readonly [channels: number, height: number, width: number],
  batch: number,
): Promise<() => Promise<void>> {
  const tf = await tfOnWasm();
  const { loadGraphModel } = require('@tensorflow/tfjs-converter');
  const network = await loadGraphModel(tf.io.fromMemory(graphArtifacts(packageName, stem)));
  // The pixel values do not affect the time.
  const picture = tf.fill([1, height, width, channels], 0.1);
  return async () => {
    for (let run = 0; run < batch; run++) {
      const results = [network.execute(picture)].flat();
      for (const result of results) await result.data();
      tf.dispose(results);
    }
  };
}
