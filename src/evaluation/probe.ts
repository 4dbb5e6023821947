// Makes the probe's template from the chosen portraits, and the embeddings that tell whether they all show one person.
import type { Recogniser } from '../models/packs/load-recogniser.ts';
import type { ReadSelection } from './human-face.ts';
import { MIN_TEMPLATE_EYE_DISTANCE_PX } from './quality/pose.ts';
import type { Portrait } from './quality/select.ts';
import type { ReasonCode } from './reasons.ts';
import { averageEmbeddings, embed } from './recognition/embed.ts';
import { templatePackId } from './recognition/operating-point.ts';
import type { FaceTemplate } from './recognition/template.ts';

/**
 * One embedding per portrait, in their order. Computed one after another, as the network runs on the calling thread
 * anyway.
 */
export async function embedPortraits(
  recogniser: Recogniser,
  portraits: readonly Portrait[],
): Promise<Float32Array[]> {
  const embeddings: Float32Array[] = [];
  for (const { frame, face } of portraits) embeddings.push(await embed(recogniser, frame, face));
  return embeddings;
}

/** The probe, or why there is none. */
export type Probe =
  | {
      readonly status: 'made';
      readonly template: FaceTemplate;
      /** The portraits averaged into it. */
      readonly portraits: readonly Portrait[];
    }
  | { readonly status: 'none'; readonly reason: ReasonCode };

/**
 * The template by the pack for new ones: mean embedding of all portraits that are large enough, `regions` of the best
 * one. `embeddings` are those of the selection's portraits.
 */
export function makeProbe(
  { pack }: Recogniser,
  { selection, regions }: ReadSelection,
  embeddings: readonly Float32Array[],
  minEyeDistancePx = MIN_TEMPLATE_EYE_DISTANCE_PX,
): Probe {
  if (!selection.best) return { status: 'none', reason: selection.missing ?? 'not_frontal' };
  if (selection.best.face.eyeDistancePx < minEyeDistancePx) return { status: 'none', reason: 'too_far' };
  const large = ({ face }: Portrait) => face.eyeDistancePx >= minEyeDistancePx;
  const portraits = selection.portraits.filter(large);
  return {
    status: 'made',
    template: {
      packId: templatePackId(pack),
      embedding: averageEmbeddings(embeddings.filter((_, i) => large(selection.portraits[i]!))),
      regions,
      frames: portraits.length,
    },
    portraits,
  };
}
