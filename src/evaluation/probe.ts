// The chosen portraits → the probe's template, and the embeddings that tell whether they are all one person.
import type { Models } from '../models/load.ts';
import type { Recogniser } from '../models/packs/load-recogniser.ts';
import { MIN_TEMPLATE_EYE_DISTANCE_PX } from './quality/pose.ts';
import type { Portrait } from './quality/select.ts';
import { averageEmbeddings, embed } from './recognition/embed.ts';
import { templatePackId } from './recognition/operating-point.ts';
import type { FaceTemplate } from './recognition/template.ts';
import { describeRegions } from './regions/describe.ts';

/** One embedding per portrait, in their order. One after another: the network runs on the calling thread anyway. */
export async function embedPortraits(
  recogniser: Recogniser,
  portraits: readonly Portrait[],
): Promise<Float32Array[]> {
  const embeddings: Float32Array[] = [];
  for (const { frame, face } of portraits) embeddings.push(await embed(recogniser, frame, face));
  return embeddings;
}

/** By the pack for new templates: mean embedding of all portraits, regions of the best; null when the best is absent or too small. */
export async function makeTemplate(
  models: Models,
  best: Portrait | null,
  embeddings: readonly Float32Array[],
  minEyeDistancePx = MIN_TEMPLATE_EYE_DISTANCE_PX,
): Promise<FaceTemplate | null> {
  if (!best || embeddings.length === 0 || best.face.eyeDistancePx < minEyeDistancePx) return null;
  return {
    packId: templatePackId(models.recognisers[0].pack),
    embedding: averageEmbeddings(embeddings),
    regions: await describeRegions(models, best.frame, best.face),
  };
}
