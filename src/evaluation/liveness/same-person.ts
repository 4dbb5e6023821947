// One person from first to last: every portrait against the mean of the others.
import { averageEmbeddings } from '../recognition/embed.ts';
import { cosineSimilarity } from '../recognition/vector.ts';
import { atLeast, type Check, notEvaluated } from './cue.ts';

/**
 * Least cosine of a portrait to the mean of the others. Measured with mobilefacenet-1 on single frames: swaps −.12 to
 * .05, genuine clips .51 and more between the worst two frames of a grimacing talker, .74 and more elsewhere.
 */
export const MIN_COSINE = 0.4;

export const samePerson: Check = ({ embeddings }) => {
  if (embeddings.length < 2) return notEvaluated('same_person', 'too_few_frames');
  return atLeast('same_person', Math.min(...portraitCosines(embeddings)), MIN_COSINE, 'identity_changed');
};

/** Each portrait's cosine to the mean of the others; empty when there is but one. */
export function portraitCosines(embeddings: readonly Float32Array[]): number[] {
  if (embeddings.length < 2) return [];
  return embeddings.map((embedding, i) =>
    cosineSimilarity(embedding, averageEmbeddings(embeddings.filter((_, j) => j !== i))),
  );
}
