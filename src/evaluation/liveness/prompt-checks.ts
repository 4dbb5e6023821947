// Whether the script was followed: each prompt was answered in its step, not before it, and no other script's movements
// were made.
import {
  isMovement,
  PROMPT_NAMES,
  type Prompt,
  type Script,
  type ScriptStep,
} from '../../contract/script.ts';
import { type Answer, answersTo, beginningIn } from './answers.ts';
import {
  atLeast,
  atMost,
  type Check,
  explains,
  gate,
  notEvaluated,
  type Outcome,
  type Worth,
} from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { PROMPT_ROWS, type PromptRow, type Rest } from './prompts.ts';
import { chanceOf, holdsIn } from './targets.ts';
import { AFTERMATH_MS, ownRest, type Seen, seenFaces } from './windows.ts';

/**
 * A glance aside is not an answer: one genuine person in 65 looked away for 4 frames without a prompt (`bench:pad`).
 */
const MIN_STRAYED_FRAMES = 5;
/** The recorder's last frame may come this long before the script's end. Chosen, not measured. */
const END_TOLERANCE_MS = 300;
/**
 * One of several answers may precede its prompt by chance; two mean that the script was known or that the video is a
 * recording. (Laboratory.)
 */
const MAX_FORESEEN = 1;
/** One prompt may be misread. (Laboratory.) */
const MAX_CONTRARY = 1;

/** What the check of each cue is there for. */
const WORTH: Readonly<Record<(typeof PROMPT_ROWS)[Prompt]['cue'], Worth>> = {
  neutral: {
    refuses: ['driven_photo'],
  },
  smile: {
    refuses: ['driven_photo', 'warped_photo'],
  },
  target: {
    refuses: ['old_recording', 'old_recording_without_smile'],
  },
};
const ROWS = Object.values(PROMPT_ROWS);

/** One check for each cue of the prompts: the share of its steps that were answered, which must be 1. */
export const ANSWER_CHECKS: readonly Check[] = [...new Set(ROWS.map(({ cue }) => cue))].map((cue) => {
  const row: PromptRow = ROWS.find((one) => one.cue === cue)!;
  const run = ({ script, ...evidence }: CaptureEvidence): Outcome => {
    if (!script) return notEvaluated('no_script');
    const answers = answersTo(seenFaces(evidence), script).filter(
      ({ step }) => PROMPT_ROWS[step.prompt].cue === cue,
    );
    if (answers.length === 0) return notEvaluated(row.notAsked);
    const given = answers.filter(({ response }) => response !== null).length;
    return atLeast(given / answers.length, 1, row.missing);
  };
  return { cue, role: gate(...row.results), ...WORTH[cue], run };
});

/**
 * Share of fresh targets that the film would have answered at least as well, over all targets: the product of their
 * ranks. A film made before they were drawn reaches a small share as rarely as it says; people do, by aiming.
 */
export const targetChance: Check = {
  cue: 'target_chance',
  role: explains(),
  refuses: [],
  stays: 'says for each capture how many other scripts its film would have answered',
  run: ({ script, ...evidence }) => {
    if (!script) return notEvaluated('no_script');
    const seen = seenFaces(evidence);
    const rest = ownRest(seen, script);
    const shares = script.steps.flatMap((step) =>
      rest && step.prompt === 'target' ? [chanceOf(holdsIn(seen, step, rest), step)] : [],
    );
    if (shares.length === 0) return notEvaluated('target_not_required');
    return atMost(
      shares.reduce((product, share) => product * share, 1),
      1,
      'target_missing',
    );
  },
};

/**
 * The video's length in milliseconds, compared with the script's end. Answers after the judged part count as missing.
 */
export const coverage: Check = {
  cue: 'coverage',
  role: gate('script'),
  refuses: [],
  stays: 'prompts after the end of the film were not answered',
  run: ({ clip, script }) => {
    if (!script) return notEvaluated('no_script');
    const endMs = Math.max(...script.steps.map(({ to_ms }) => to_ms));
    return atLeast(clip.fileDurationMs, endMs - END_TOLERANCE_MS, 'too_short');
  },
};

/**
 * How many prompts were answered before they were shown. How long after them does not matter: a step waits for its
 * answer, and people take 0.3 to 2.5 s.
 */
export const foresight: Check = {
  cue: 'foresight',
  role: gate('spoof'),
  refuses: [],
  stays: 'a recording may answer every prompt before it is shown',
  run: ({ script, ...evidence }) => {
    if (!script) return notEvaluated('no_script');
    const answers = answersTo(seenFaces(evidence), script).filter(
      ({ step, response }) => isMovement(step.prompt) && response !== null,
    );
    if (answers.length === 0) return notEvaluated('not_applicable');
    const allowed = Math.min(MAX_FORESEEN, answers.length - 1);
    const foreseen = answers.filter((answer) => isForeseen(answer, script)).length;
    return atMost(foreseen, allowed, 'foreseen');
  },
};

/** An answer that was asked for earlier and may have lasted until now does not count as foreseen. */
function isForeseen({ step, response }: Answer, script: Script): boolean {
  const askedBefore =
    PROMPT_ROWS[step.prompt].mayLast &&
    script.steps.some(({ prompt, to_ms }) => prompt === step.prompt && to_ms <= step.from_ms);
  return response !== null && !askedBefore && response.onsetMs < step.from_ms;
}

/**
 * Counts the steps between other prompts that ask for rest and in which a movement begins: a recording makes the
 * movements of its own script there. Half of the old recordings that passed did so (`bench:pad`).
 */
export const neutralKept: Check = {
  cue: 'neutral_kept',
  role: gate('script'),
  refuses: ['warped_photo_without_turns'],
  run: ({ script, ...evidence }) => {
    if (!script) return notEvaluated('no_script');
    const rests = script.steps.slice(1).filter(({ prompt }) => !isMovement(prompt));
    if (rests.length === 0) return notEvaluated('not_applicable');
    const strayed = opposedSteps(seenFaces(evidence), script, rests, MIN_STRAYED_FRAMES);
    return strayed === null ? notEvaluated('not_applicable') : atMost(strayed, 0, 'neutral_missing');
  },
};

/**
 * Counts the steps whose movement was not made and in which an opposing one was: a recording answers the prompts of
 * another script.
 */
export const contrary: Check = {
  cue: 'contrary',
  role: gate('spoof'),
  refuses: [],
  stays: 'a recording may answer the prompts of another script',
  run: ({ script, ...evidence }) => {
    if (!script) return notEvaluated('no_script');
    const moving = script.steps.filter(({ prompt }) => isMovement(prompt));
    if (moving.length < 2) return notEvaluated('not_applicable');
    const opposed = opposedSteps(seenFaces(evidence), script, moving, 0);
    return opposed === null ? notEvaluated('not_applicable') : atMost(opposed, MAX_CONTRARY, 'other_script');
  },
};

/**
 * Counts the opposed steps: those unanswered or at rest in which an opposing movement of at least `minFrames` frames
 * begins. Null if the face was never at rest when it was asked to be; without that, movements cannot be measured.
 */
function opposedSteps(
  seen: readonly Seen[],
  script: Script,
  steps: readonly ScriptStep[],
  minFrames: number,
): number | null {
  const rest = ownRest(seen, script);
  if (!rest) return null;
  const answers = answersTo(seen, script);
  return steps.filter((step) => isOpposed(seen, answers, step, rest, minFrames)).length;
}

function isOpposed(
  seen: readonly Seen[],
  answers: readonly Answer[],
  step: ScriptStep,
  rest: Rest,
  minFrames: number,
): boolean {
  const at = answers.findIndex((answer) => answer.step === step);
  if (isMovement(step.prompt) && answers[at]?.response) return false;
  // For a moment, the face is still on its way back from the previous answer.
  const settled = isMovement(step.prompt) ? step : { ...step, from_ms: step.from_ms + AFTERMATH_MS };
  return PROMPT_NAMES.some((prompt) => {
    if (!isMovement(prompt) || prompt === step.prompt) return false;
    // A late answer to the previous prompt does not count as opposing.
    if (prompt === answers[at - 1]?.step.prompt) return false;
    const made = beginningIn(seen, settled, prompt, rest);
    return made !== null && made.frames >= minFrames;
  });
}
