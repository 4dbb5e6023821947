// The video must show one person throughout: every portrait is compared with the mean of the others, and the faces in
// between with the mean of all portraits.
import type { IdentityMoment } from '../identity.ts';
import { averageEmbeddings } from '../recognition/embed.ts';
import { cosineSimilarity } from '../recognition/vector.ts';
import { atLeast, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { whyTooFew } from './visibility.ts';

export const samePerson: VideoCheck = {
  cue: 'same_person',
  role: gate('face'),
  refuses: ['steered_print', 'other_footage'],
  run: ofPortraits,
};
export const samePersonThroughout: VideoCheck = {
  cue: 'same_person_throughout',
  role: gate('face'),
  refuses: ['faded_stills_smile_only'],
  run: ofFrames,
};

/**
 * The cue is the third lowest cosine, because two frames may be spoilt by a hand or by a mesh that slipped. Chosen, not
 * measured.
 */
const RANK = 3;

/** Lowest cosine of a portrait to the mean of the others. */
function ofPortraits({ embeddings, samePerson: { portrait }, selection }: VideoEvidence): Outcome {
  if (embeddings.length < 2) return notEvaluated(selection.missing ?? 'not_frontal');
  return atLeast(Math.min(...portraitCosines(embeddings)), portrait, 'identity_changed');
}

/**
 * Third lowest cosine of a frame to the mean of the portraits, over the whole video. Somebody who gives the answers for
 * another person appears in more frames than that. A hand, a blur or bad light can only lower a cosine: where all frames
 * are of one person, none has to be clear; where they are not, the clear ones decide. An answer needs frames of the
 * person, clear or not (windows.ts).
 */
function ofFrames(evidence: VideoEvidence): Outcome {
  const {
    identity,
    samePerson: { frame },
  } = evidence;
  const ofAll = rankedCosine(identity);
  if (ofAll !== null && ofAll >= frame) return atLeast(ofAll, frame, 'identity_changed');
  const ofClear = rankedCosine(identity.filter(({ isClear }) => isClear));
  if (ofClear === null) return notEvaluated(whyTooFew(evidence));
  return atLeast(ofClear, frame, 'identity_changed');
}

/** Null with too few moments. */
function rankedCosine(moments: readonly IdentityMoment[]): number | null {
  const ranked = moments.map(({ cosine }) => cosine).sort((a, b) => a - b);
  return ranked[RANK - 1] ?? null;
}

/** Each portrait's cosine to the mean of the others; empty if there is only one. */
export function portraitCosines(embeddings: readonly Float32Array[]): number[] {
  if (embeddings.length < 2) return [];
  return embeddings.map((embedding, i) =>
    cosineSimilarity(embedding, averageEmbeddings(embeddings.filter((_, j) => j !== i))),
  );
}
