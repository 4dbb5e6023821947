// The script followed: neutral first, then each prompted smile and turn, in time, with a human's reaction.
import { atLeast, type Check, type Cue, type CueName, notEvaluated } from './cue.ts';
import { type Answer, smileAnswers, turnAnswers } from './responses.ts';
import { ownNeutral, seenFaces } from './windows.ts';

/** Share of the frames in the neutral windows that are neutral. */
const MIN_NEUTRAL_SHARE = 0.6;
/** The recorder's last frame may fall this much before the script's end. */
const END_TOLERANCE_MS = 300;
/**
 * Reaction from prompt to movement. A human needs 200 ms; the page's clock and the video's first frame differ by up to
 * as much, so that only a movement from before the prompt counts as one. Slower than 1500 ms is no reaction to it.
 */
const MIN_REACTION_MS = 0;
const MAX_REACTION_MS = 1500;

/** Share of neutral frames when a neutral face was asked for. */
export const neutralStart: Check = ({ observations, script }) => {
  if (!script) return notEvaluated('neutral_start', 'no_script');
  const seen = seenFaces(observations);
  if (seen.length === 0) return notEvaluated('neutral_start', 'face_missing');
  return atLeast('neutral_start', ownNeutral(seen, script)?.share ?? 0, MIN_NEUTRAL_SHARE, 'neutral_missing');
};

/** Share of the prompted smiles that were given; all are asked for. */
export const smile: Check = ({ observations, script }) => {
  if (!script) return notEvaluated('smile', 'no_script');
  const answers = smileAnswers(seenFaces(observations), script);
  if (answers.length === 0) return notEvaluated('smile', 'smile_not_required');
  return atLeast('smile', answered(answers), 1, 'smile_missing');
};

/** Share of the prompted turns that were made. */
export const turn: Check = ({ observations, script }) => {
  if (!script) return notEvaluated('turn', 'no_script');
  const answers = turnAnswers(seenFaces(observations), script);
  if (answers.length === 0) return notEvaluated('turn', 'turn_not_required');
  return atLeast('turn', answered(answers), 1, 'turn_missing');
};

/** The video's length in milliseconds, against the script's end. */
export const coverage: Check = ({ clip, script }) => {
  if (!script) return notEvaluated('coverage', 'no_script');
  const endMs = Math.max(...script.steps.map(({ to_ms }) => to_ms));
  return atLeast('coverage', clip.durationMs, endMs - END_TOLERANCE_MS, 'too_short');
};

/** The reaction, in milliseconds after its prompt, that lies furthest from a human's. */
export const reaction: Check = ({ observations, script }) => {
  if (!script) return notEvaluated('reaction', 'no_script');
  const seen = seenFaces(observations);
  const answers = [...smileAnswers(seen, script), ...turnAnswers(seen, script)];
  if (answers.length === 0) return notEvaluated('reaction', 'not_applicable');
  const reactions = answers.flatMap(({ step, response }) =>
    response ? [response.onsetMs - step.from_ms] : [],
  );
  if (reactions.length === 0) return notEvaluated('reaction', 'prompt_not_followed');
  const earliest = Math.min(...reactions);
  const latest = Math.max(...reactions);
  return earliest < MIN_REACTION_MS
    ? timed('reaction', earliest, MIN_REACTION_MS, false)
    : timed('reaction', latest, MAX_REACTION_MS, latest <= MAX_REACTION_MS);
};

function timed(cue: CueName, value: number, threshold: number, inTime: boolean): Cue {
  return inTime
    ? { cue, status: 'passed', value, threshold, reason: null }
    : { cue, status: 'failed', value, threshold, reason: 'prompt_not_followed' };
}

function answered(answers: readonly Answer[]): number {
  return answers.filter(({ response }) => response !== null).length / answers.length;
}
