// One person from first to last: every portrait against the mean of the others, and the faces on both sides of a jump.
import { averageEmbeddings } from '../recognition/embed.ts';
import { cosineSimilarity } from '../recognition/vector.ts';
import { atLeast, type Check, notEvaluated, type Shown } from './cue.ts';

/** Least of these cosines. Passed when it is one person's by the pack's own measure (withinClipThreshold). */
export const samePerson: Check<Shown> = ({ embeddings, jumpCosines, samePersonCosine }) => {
  if (embeddings.length < 2) return notEvaluated('same_person', 'too_few_frames');
  const least = Math.min(...portraitCosines(embeddings), ...jumpCosines);
  return atLeast('same_person', least, samePersonCosine, 'identity_changed');
};

/** Each portrait's cosine to the mean of the others; empty when there is but one. */
export function portraitCosines(embeddings: readonly Float32Array[]): number[] {
  if (embeddings.length < 2) return [];
  return embeddings.map((embedding, i) =>
    cosineSimilarity(embedding, averageEmbeddings(embeddings.filter((_, j) => j !== i))),
  );
}
