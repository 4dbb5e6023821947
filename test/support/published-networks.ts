// The networks as published, for tfjs: the reference of the equality tests and of the benchmarks.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

export const NODE_MODULES = resolve(import.meta.dirname, '..', '..', 'node_modules');

// biome-ignore lint/suspicious/noExplicitAny: tfjs as an ES module for tests, through require for benches
type Tf = any;

/** Input of tfjs's `io.fromMemory` for the graph `stem`.json and `stem`.bin; `edit` may change its nodes first. */
export function graphArtifacts(
  packageName: string,
  stem: string,
  // biome-ignore lint/suspicious/noExplicitAny: the raw JSON of a published file
  edit: (nodes: any[]) => any[] = (nodes) => nodes,
) {
  const file = (ending: string) => readFileSync(join(NODE_MODULES, packageName, `${stem}.${ending}`));
  const { modelTopology, weightsManifest } = JSON.parse(file('json').toString());
  modelTopology.node = edit(modelTopology.node);
  return { modelTopology, weightSpecs: specsOf(weightsManifest), weightData: bufferOf(file('bin')) };
}

/**
 * face-api's own FaceRecognitionNet (all of dlib's ResNet), its code as published, on the given tfjs. Input: 150² px.
 */
export function faceRecognitionNet(tf: Tf) {
  const folder = join(NODE_MODULES, '@vladmandic/face-api');
  const code = readFileSync(join(folder, 'dist/face-api.node-wasm.js'), 'utf8');
  const require = createRequire(import.meta.url);
  const exported = { exports: {} as Record<string, unknown> };
  // The bundle requires the umbrella package @tensorflow/tfjs, but this net calls only its core.
  new Function('require', 'module', 'exports', code)(
    (name: string) => (name.startsWith('@tensorflow/') ? tf : require(name)),
    exported,
    exported.exports,
  );
  // biome-ignore lint/suspicious/noExplicitAny: a bundle without usable types
  const net = new (exported.exports as any).FaceRecognitionNet();
  const stem = join(folder, 'model/face_recognition_model');
  const manifest = JSON.parse(readFileSync(`${stem}-weights_manifest.json`, 'utf8'));
  net.loadFromWeightMap(tf.io.decodeWeights(bufferOf(readFileSync(`${stem}.bin`)), specsOf(manifest)));
  return net;
}

function specsOf(manifest: { weights: unknown[] }[]) {
  // biome-ignore lint/suspicious/noExplicitAny: tfjs checks them
  return manifest.flatMap(({ weights }) => weights) as any[];
}

function bufferOf(file: Buffer): ArrayBuffer {
  return new Uint8Array(file).buffer;
}
