// The baseline for the judgement: stock @vladmandic/human on its wasm backend, for the same frames.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { Frame } from '../../src/evaluation/video/frame.ts';

const require = createRequire(import.meta.url);

/** Milliseconds that `human.detect` (detector, mesh, emotion, description) takes for all frames, after one warm-up. */
export async function timeStockHuman(frames: readonly Frame[]): Promise<number> {
  const humanFolder = dirname(dirname(require.resolve('@vladmandic/human')));
  const wasm = require('@tensorflow/tfjs-backend-wasm');
  const wasmFolder = dirname(require.resolve('@tensorflow/tfjs-backend-wasm'));
  wasm.setWasmPaths(`${wasmFolder}/`);
  const files = await serveFiles(join(humanFolder, 'models'));
  const { Human } = require(join(humanFolder, 'dist', 'human.node-wasm.js'));
  const off = { enabled: false };
  const human = new Human({
    backend: 'wasm',
    wasmPath: `${wasmFolder}/`,
    modelBasePath: `http://127.0.0.1:${(files.address() as AddressInfo).port}/`,
    debug: false,
    cacheSensitivity: 0,
    filter: off,
    gesture: off,
    body: off,
    hand: off,
    object: off,
    segmentation: off,
    face: {
      enabled: true,
      detector: { maxDetected: 2, rotation: true },
      mesh: { enabled: true },
      iris: off,
      emotion: { enabled: true },
      description: { enabled: true },
    },
  });
  await human.load();
  files.close();
  const detect = async (frame: Frame) => {
    const tensor = human.tf.tensor3d(frame.rgb, [frame.height, frame.width, 3], 'int32');
    const found = await human.detect(tensor);
    human.tf.dispose(tensor);
    if (found.error) throw new Error(`human: ${found.error}`);
  };
  await detect(frames[0]!);
  const from = performance.now();
  for (const frame of frames) await detect(frame);
  return performance.now() - from;
}

/** human loads its models by fetch, which in Node does not support file: URLs. */
async function serveFiles(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    createReadStream(join(folder, basename(request.url ?? ''))).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
