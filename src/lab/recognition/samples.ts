// Turns templates of files into the sides of the pairs, as the product would compare them: the probe averaged over its
// frames, the reference as a FeatureID stores it.

import { averageEmbeddings } from '../../evaluation/recognition/embed.ts';
import type { RegionDescriptors } from '../../evaluation/regions/compare.ts';
import { packTemplate, unpackTemplate } from '../../featid/template.ts';
import type { FileTemplate } from './embedding-cache.ts';

/** One side of a pair: a capture, or several frames of one. */
export interface FaceSample {
  /** Number of averaged frames. It exceeds the number of files if a file is a video. */
  readonly frames: number;
  /** Unit norm, as in a probe. */
  readonly probe: Float32Array;
  /** Unit norm, as restored from a FeatureID. */
  readonly stored: Float32Array;
  /** Regions of the first usable frame, as restored from a FeatureID. */
  readonly regions: RegionDescriptors;
}

/** The sample of these frames' templates; null if none is usable, which is a failure to acquire. */
export function sampleOf(made: readonly FileTemplate[]): FaceSample | null {
  const usable = made.filter((each) => each.status === 'made');
  const first = usable[0];
  if (!first) return null;
  const embedding = averageEmbeddings(usable.map((each) => decode(each.embedding)));
  const frames = usable.reduce((sum, each) => sum + each.frames, 0);
  const packId = '';
  const regions = unpackTemplate(packId, Buffer.from(first.packed, 'base64'))?.regions ?? {};
  const stored = unpackTemplate(packId, packTemplate({ packId, embedding, regions: {}, frames }))!;
  return {
    frames,
    probe: embedding,
    stored: stored.embedding,
    regions,
  };
}

function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}
