// The video must show one person throughout: every portrait is compared with the mean of the others, and the faces in
// between with the mean of all portraits.
import { averageEmbeddings } from '../recognition/embed.ts';
import { cosineSimilarity } from '../recognition/vector.ts';
import { atLeast, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';

export const samePerson: VideoCheck = {
  cue: 'same_person',
  role: gate('face'),
  refuses: [],
  stays: 'the template would be of two persons',
  run: ofPortraits,
};
export const samePersonThroughout: VideoCheck = {
  cue: 'same_person_throughout',
  role: gate('face'),
  refuses: [],
  stays: 'somebody else could give the answers',
  run: ofFrames,
};

/**
 * The cue is the third lowest cosine, because two frames may be spoilt by a hand or by a mesh that slipped. Chosen, not
 * measured.
 */
const RANK = 3;

/** Lowest cosine of a portrait to the mean of the others. */
function ofPortraits({ embeddings, samePerson: { portrait } }: VideoEvidence): Outcome {
  if (embeddings.length < 2) return notEvaluated('too_few_frames');
  return atLeast(Math.min(...portraitCosines(embeddings)), portrait, 'identity_changed');
}

/**
 * Third lowest cosine of a clear frame to the mean of the portraits, over the whole video. Somebody who gives the
 * answers for another person appears in more frames than that. Covered and blurred frames do not count as answers
 * (answers.ts).
 */
function ofFrames({ identity, samePerson: { frame } }: VideoEvidence): Outcome {
  const clear = identity.filter(({ isClear }) => isClear);
  if (clear.length < RANK) return notEvaluated('too_few_frames');
  const ranked = clear.map(({ cosine }) => cosine).sort((a, b) => a - b);
  return atLeast(ranked[RANK - 1]!, frame, 'identity_changed');
}

/** Each portrait's cosine to the mean of the others; empty if there is only one. */
export function portraitCosines(embeddings: readonly Float32Array[]): number[] {
  if (embeddings.length < 2) return [];
  return embeddings.map((embedding, i) =>
    cosineSimilarity(embedding, averageEmbeddings(embeddings.filter((_, j) => j !== i))),
  );
}
