// The script followed: neutral first, then each prompted smile and turn, in time, with a human's reaction.
import type { Script } from '../../contract/script.ts';
import { atLeast, atMost, type Check, type Evidence, notEvaluated } from './cue.ts';
import { type Answer, beginningIn, smileAnswers, turnAnswers } from './responses.ts';
import { AFTERMATH_MS, ownNeutral, seenFaces } from './windows.ts';

/** Share of the frames in the neutral windows that are neutral. */
const MIN_NEUTRAL_SHARE = 0.6;
const MOVEMENTS = ['smile', 'turn_left', 'turn_right'] as const;
/** A glance aside is no answer: one genuine person in 65 looked away for 4 frames where nothing was asked (`bench:pad`). */
const MIN_STRAYED_FRAMES = 5;
/** The recorder's last frame may fall this much before the script's end. */
const END_TOLERANCE_MS = 300;
/**
 * The slowest human reaction that counts, and what lies between the script's clock and the video's: Chromium's recorder
 * tells of its start 50–210 ms after its first frame (measured on a busy machine with VP9 and H.264), the page shows a
 * prompt up to 50 ms late, and screen and camera take some 50 ms more. All of it makes reactions look late.
 */
const MAX_HUMAN_REACTION_MS = 1500;
const PIPELINE_MS = 300;
const MAX_REACTION_MS = MAX_HUMAN_REACTION_MS + PIPELINE_MS;
/** The whole movement, not only its beginning: that takes a human .2 s and then the movement's own time. */
const MIN_ANSWER_MS = 0;
/** One answer before its prompt may be chance; who gives two has seen the script, or is a recording. */
const MAX_FORESEEN = 1;

/** Share of neutral frames when a neutral face was asked for. */
export const neutralStart: Check = ({ observations, script }) => {
  if (!script) return notEvaluated('neutral_start', 'no_script');
  const seen = seenFaces(observations);
  if (seen.length === 0) return notEvaluated('neutral_start', 'face_missing');
  return atLeast('neutral_start', ownNeutral(seen, script)?.share ?? 0, MIN_NEUTRAL_SHARE, 'neutral_missing');
};

/**
 * Neutral steps after another prompt in which a smile or a turn begins: whoever plays a recording makes the movements of
 * its own script there. Half of the old recordings that passed did so in such steps (`bench:pad`). An answer to the
 * prompt before may come a little late.
 */
export const neutralKept: Check = ({ observations, script }) => {
  if (!script) return notEvaluated('neutral_kept', 'no_script');
  const steps = script.steps.slice(1).filter(({ prompt }) => prompt === 'neutral');
  if (steps.length === 0) return notEvaluated('neutral_kept', 'not_applicable');
  const seen = seenFaces(observations);
  const strayed = steps.filter(({ from_ms, to_ms }) =>
    MOVEMENTS.some((prompt) => {
      const made = beginningIn(seen, script, { prompt, to_ms, from_ms: from_ms + AFTERMATH_MS });
      return made !== null && made.onsetMs < to_ms && made.frames >= MIN_STRAYED_FRAMES;
    }),
  );
  return atMost('neutral_kept', strayed.length, 0, 'neutral_missing');
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

/** The slowest reaction, in milliseconds from prompt to the beginning of the movement; or an answer before its prompt. */
export const reaction: Check = (evidence) => {
  if (!evidence.script) return notEvaluated('reaction', 'no_script');
  const answers = answersOf(evidence, evidence.script);
  if (answers.length === 0) return notEvaluated('reaction', 'not_applicable');
  const given = answers.flatMap(({ step, response }) => (response ? [{ step, response }] : []));
  if (given.length === 0) return notEvaluated('reaction', 'prompt_not_followed');
  const earliest = Math.min(...given.flatMap((answer) => delayOfAnswer(answer, evidence.script!) ?? []));
  if (earliest < MIN_ANSWER_MS) return atLeast('reaction', earliest, MIN_ANSWER_MS, 'prompt_not_followed');
  const latest = Math.max(...given.map(({ step, response }) => response.beganMs - step.from_ms));
  return atMost('reaction', latest, MAX_REACTION_MS, 'prompt_not_followed');
};

/** How many prompts were answered before they were shown. */
export const foresight: Check = (evidence) => {
  if (!evidence.script) return notEvaluated('foresight', 'no_script');
  const delays = answersOf(evidence, evidence.script).flatMap(
    (answer) => delayOfAnswer(answer, evidence.script!) ?? [],
  );
  if (delays.length === 0) return notEvaluated('foresight', 'not_applicable');
  const foreseen = delays.filter((delayMs) => delayMs < MIN_ANSWER_MS).length;
  return atMost('foresight', foreseen, MAX_FORESEEN, 'foreseen');
};

function answersOf({ observations }: Evidence, script: Script): Answer[] {
  const seen = seenFaces(observations);
  return [...smileAnswers(seen, script), ...turnAnswers(seen, script)];
}

/**
 * From the prompt to the whole movement, negative when that came first; null where nothing was answered, or where a
 * smile asked for earlier may have lasted until now.
 */
function delayOfAnswer({ step, response }: Answer, script: Script): number | null {
  const asked =
    step.prompt === 'smile' &&
    script.steps.some(({ prompt, to_ms }) => prompt === 'smile' && to_ms <= step.from_ms);
  return response && !asked ? response.onsetMs - step.from_ms : null;
}

function answered(answers: readonly Answer[]): number {
  return answers.filter(({ response }) => response !== null).length / answers.length;
}
