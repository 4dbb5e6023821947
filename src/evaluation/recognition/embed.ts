// The global embedding of an aligned face by a recogniser pack, and the mean of several embeddings of one person.

import type { Recogniser, RecogniserNetwork } from '../../models/packs/load-recogniser.ts';
import type { PackNetwork } from '../../models/packs/manifest.ts';
import { alignment, alignmentOnto } from '../face/align.ts';
import { cropRgb, type Similarity } from '../face/crop.ts';
import type { FaceMesh } from '../face/observation.ts';
import { withScratch, withScratchSync } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';
import { normalise } from './vector.ts';

/**
 * Unit-norm embedding of one face: per network, the mean of the face's embedding and, if the pack says so, its mirror
 * image's; for several networks, their unit vectors, each times its weight, concatenated. Without `mirrorToo` the
 * mirror image is left out even if the pack wants it, which halves the cost for faces that do not go into a template.
 */
export async function embed(
  recogniser: Recogniser,
  frame: Frame,
  mesh: FaceMesh,
  { mirrorToo = true }: { mirrorToo?: boolean } = {},
): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for (const network of recogniser.networks) {
    const part = await embedWith(network, frame, mesh, mirrorToo);
    for (let i = 0; i < part.length; i++) part[i] = part[i]! * network.spec.weight;
    parts.push(part);
  }
  const embedding = new Float32Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    embedding.set(part, at);
    at += part.length;
  }
  return normalise(embedding);
}

async function embedWith(
  { spec, run }: RecogniserNetwork,
  frame: Frame,
  mesh: FaceMesh,
  mirrorToo: boolean,
): Promise<Float32Array> {
  const { input_size: side, embedding_size: size } = spec;
  const length = 3 * side * side;
  const views = spec.flip && mirrorToo ? 2 : 1;
  const raw = await withScratch(views * length, (input) => {
    withScratchSync(length, (pixels) => {
      cropRgb(frame, alignmentOf(spec, mesh.landmarks), side, { gain: 1, offset: 0 }, pixels);
      for (let view = 0; view < views; view++)
        fillInput(pixels, spec, view === 1, input.subarray(view * length, (view + 1) * length));
    });
    return run(input, views);
  });
  const embeddings: Float32Array[] = [];
  for (let view = 0; view < views; view++)
    embeddings.push(normalise(raw.slice(view * size, (view + 1) * size)));
  return averageEmbeddings(embeddings);
}

/** Crop → frame for the network's input. */
export function alignmentOf(
  { alignment: onto, input_size }: Pick<PackNetwork, 'alignment' | 'input_size'>,
  landmarks: Float32Array,
): Similarity {
  if (onto === 'arcface-5') return alignment(landmarks, input_size);
  // The manifest counts from pixel centres; here pixel i covers i to i + 1.
  return alignmentOnto(
    landmarks,
    onto.map(([x, y]) => ({ x: x + 0.5, y: y + 0.5 })),
  );
}

/** Planar RGB 0–255 → the network's input: channel order, mean and scale, layout; mirrored where asked. */
export function fillInput(
  pixels: Float32Array,
  spec: Pick<PackNetwork, 'input_size' | 'layout' | 'channel_order' | 'mean' | 'scale'>,
  mirrored: boolean,
  out: Float32Array,
): void {
  const side = spec.input_size;
  const plane = side * side;
  const planar = spec.layout === 'nchw';
  for (let channel = 0; channel < 3; channel++) {
    const from = (spec.channel_order === 'rgb' ? channel : 2 - channel) * plane;
    const gain = 1 / perChannel(spec.scale, channel);
    const offset = -perChannel(spec.mean, channel) * gain;
    const step = planar ? 1 : 3;
    let to = planar ? channel * plane : channel;
    for (let row = 0; row < plane; row += side)
      for (let x = 0; x < side; x++, to += step)
        out[to] = pixels[from + row + (mirrored ? side - 1 - x : x)]! * gain + offset;
  }
}

function perChannel(value: number | readonly number[], channel: number): number {
  return typeof value === 'number' ? value : value[channel]!;
}

/** Unit-norm mean of unit-norm embeddings of one person. Throws RangeError on an empty list. */
export function averageEmbeddings(embeddings: readonly Float32Array[]): Float32Array {
  const first = embeddings[0];
  if (!first) throw new RangeError('no embedding to average');
  const sum = new Float32Array(first.length);
  for (const embedding of embeddings) for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + embedding[i]!;
  return normalise(sum);
}
