// One person from first to last: every portrait against the mean of the others.
import { averageEmbeddings } from '../recognition/embed.ts';
import { cosineSimilarity } from '../recognition/vector.ts';
import { atLeast, type Check, notEvaluated, type Shown } from './cue.ts';

/** Passed when the portrait that is least like the others still is by the pack's own measure (withinClipThreshold). */
export const samePerson: Check<Shown> = ({ embeddings, samePersonCosine }) => {
  if (embeddings.length < 2) return notEvaluated('same_person', 'too_few_frames');
  return atLeast(
    'same_person',
    Math.min(...portraitCosines(embeddings)),
    samePersonCosine,
    'identity_changed',
  );
};

/** Each portrait's cosine to the mean of the others; empty when there is but one. */
export function portraitCosines(embeddings: readonly Float32Array[]): number[] {
  if (embeddings.length < 2) return [];
  return embeddings.map((embedding, i) =>
    cosineSimilarity(embedding, averageEmbeddings(embeddings.filter((_, j) => j !== i))),
  );
}
