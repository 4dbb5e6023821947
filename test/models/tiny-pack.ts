// A recogniser pack of a few weights, written by the project's own ONNX writer: the mean of each channel, times a
// matrix.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OnnxGraph } from '../../src/compile-models/onnx.ts';
import type { PackManifest, PackNetwork } from '../../src/models/packs/manifest.ts';

export const TINY_SIDE = 16;
export const TINY_SIZE = 8;

/** Value j of the embedding is the sum over channels c of the mean of channel c times this weight. */
export function tinyWeight(channel: number, value: number): number {
  return ((channel + 1) * (value + 2)) % 5;
}

export interface TinyNetwork {
  readonly layout?: 'nchw' | 'nhwc';
  /** 1: exported for one picture at a time. */
  readonly batch?: number | string;
  /** A second output in addition to the embedding. */
  readonly twoOutputs?: boolean;
}

/** The bytes of the network. */
export function tinyNetwork({
  layout = 'nchw',
  batch = 'N',
  twoOutputs = false,
}: TinyNetwork = {}): Uint8Array {
  const graph = new OnnxGraph('tiny');
  const planar = layout === 'nchw';
  const dims = planar ? [3, TINY_SIDE, TINY_SIDE] : [TINY_SIDE, TINY_SIDE, 3];
  const input = graph.input('picture', [batch, ...dims]);
  const means = graph.node('ReduceMean', [input], { axes: planar ? [2, 3] : [1, 2], keepdims: 0 });
  const weights = Float32Array.from({ length: 3 * TINY_SIZE }, (_, i) =>
    tinyWeight(Math.floor(i / TINY_SIZE), i % TINY_SIZE),
  );
  const matrix = graph.floats([3, TINY_SIZE], weights);
  graph.output('features', graph.node('MatMul', [means, matrix]), [batch, TINY_SIZE]);
  if (twoOutputs) graph.output('means', means, [batch, 3]);
  return graph.encode();
}

/** The manifest entry of that network, with these changes. */
export function tinySpec(file: string, bytes: Uint8Array, change: Partial<PackNetwork> = {}): PackNetwork {
  return {
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    input_size: TINY_SIDE,
    layout: 'nchw',
    channel_order: 'rgb',
    mean: 0,
    scale: 1,
    alignment: 'arcface-5',
    flip: false,
    embedding_size: TINY_SIZE,
    weight: 1,
    ...change,
  };
}

/** Writes a pack of one tiny network; returns its folder. */
export async function writeTinyPack(
  folder: string,
  network: TinyNetwork = {},
  change: Partial<PackNetwork> = {},
): Promise<string> {
  const bytes = tinyNetwork(network);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tiny.onnx'), bytes);
  await writeManifest(folder, [tinySpec('tiny.onnx', bytes, change)]);
  return folder;
}

/** Writes a pack's manifest. */
export async function writeManifest(folder: string, networks: readonly PackNetwork[]): Promise<void> {
  const manifest: PackManifest = { format: 1, name: 'tiny', licence: 'none', networks: [...networks] };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
}
