// The networks as their publishers run them: tfjs on its wasm backend. The reference of the equality tests.
import { join } from 'node:path';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-wasm';
import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops.js';
import sharp from 'sharp';
import { faceRecognitionNet, graphArtifacts, NODE_MODULES } from '../../support/published-networks.ts';

export const PHOTOS = ['sample1.jpg', 'sample4.jpg', 'sample6.jpg'].map((name) =>
  join(NODE_MODULES, '@vladmandic/face-api/demo', name),
);

/** Loads a graph model from its two files; `edit` may change the parsed nodes first. */
export async function referenceModel(...published: Parameters<typeof graphArtifacts>): Promise<GraphModel> {
  await tf.setBackend('wasm');
  return loadGraphModel(tf.io.fromMemory(graphArtifacts(...published)));
}

/** Runs a planar picture (NCHW) through a tfjs model; returns the named outputs (four-dimensional ones as NCHW). */
export async function runReference(
  model: GraphModel,
  input: Float32Array,
  [channels, height, width]: readonly [number, number, number],
  outputs: readonly string[],
): Promise<Float32Array[]> {
  const planar = tf.tensor4d(input, [1, channels, height, width]);
  const results = model.execute(tf.transpose(planar, [0, 2, 3, 1]), [...outputs]) as tf.Tensor | tf.Tensor[];
  return Promise.all(
    [results].flat().map(async (result) => {
      const ordered = result.rank === 4 ? tf.transpose(result, [0, 3, 1, 2]) : result;
      return (await ordered.data()) as Float32Array;
    }),
  );
}

/**
 * The last 8 × 8 map of face-api's FaceRecognitionNet for planar RGB 0–255, 150²: the input of its first convolution
 * with 256 filters, also planar.
 */
export async function faceApiMap(input: Float32Array): Promise<Float32Array> {
  await tf.setBackend('wasm');
  let map: tf.Tensor | undefined;
  const conv2d = (...args: Parameters<typeof tf.conv2d>) => {
    const [x, filter] = args as unknown as [tf.Tensor, tf.Tensor];
    if (filter.shape[3] === 256) map ??= tf.keep(tf.transpose(x, [0, 3, 1, 2]));
    return tf.conv2d(...args);
  };
  const planar = tf.tensor4d(input, [1, 3, 150, 150]);
  await faceRecognitionNet({ ...tf, conv2d }).forward(tf.transpose(planar, [0, 2, 3, 1]));
  return (await map!.data()) as Float32Array;
}

/** A photograph as planar values `pixel · gain + offset`. */
export async function planarPhoto(
  path: string,
  [channels, height, width]: readonly [number, number, number],
  gain: number,
  offset: number,
): Promise<Float32Array> {
  const picture = sharp(path).resize(width, height, { fit: 'cover', position: 'top' });
  const pixels = await (channels === 1 ? picture.greyscale() : picture.removeAlpha()).raw().toBuffer();
  const planes = new Float32Array(channels * height * width);
  for (let i = 0; i < height * width; i++)
    for (let c = 0; c < channels; c++)
      planes[c * height * width + i] = pixels[i * channels + c]! * gain + offset;
  return planes;
}

export function largestDifference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i]!)), 0);
}
