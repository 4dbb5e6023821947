// How the face answered each step of a script. An answer must be held for long enough, by the person of the portraits.
import type { Prompt, Script, ScriptStep } from '../../contract/script.ts';
import { promptSteps } from '../../contract/script-steps.ts';
import { type Neutral, PROMPT_ROWS, type PromptRow } from './prompts.ts';
import { ownNeutral, type Seen } from './windows.ts';

/** A run of frames that follow a prompt. */
export interface Response {
  /** First frame of the run, which may lie before the prompt. */
  readonly onsetMs: number;
  /** Frames of the run in the step and its aftermath. */
  readonly frames: number;
  /** Of these, frames that were recognised as the person of the portraits. */
  readonly framesOfPerson: number;
}

/** A step and its answer; null if no answer was held for long enough. */
export interface Answer {
  readonly step: ScriptStep;
  readonly response: Response | null;
}

/**
 * People end an answer only after they see the next prompt, so an answer held within this time after the step still
 * counts for it: the shortest human reaction time, and half of the way back. Chosen, not measured.
 */
export const AFTERMATH_MS = 400;
/**
 * Frames of an answer that must be recognised as the person of the portraits. Movements made by somebody else have none
 * (identity bench: spliced answers 0 frames, genuine ones 2 and more).
 */
const MIN_FRAMES_OF_PERSON = 2;

/**
 * Strength above which an answer, once reached, continues: held smiles dip to 0.9 in single frames (laboratory).
 * Otherwise one smile would count as two, the second of which would seem to begin after its prompt.
 */
const STILL_HELD = 0.75;

/** One answer for each prompt, in their order. */
export function answersTo(seen: readonly Seen[], script: Script): Answer[] {
  const neutral = ownNeutral(seen, script);
  return promptSteps(script).map((step) => ({ step, response: neutral && answerTo(seen, step, neutral) }));
}

function answerTo(seen: readonly Seen[], step: ScriptStep, neutral: Neutral): Response | null {
  const { heldFrames }: PromptRow = PROMPT_ROWS[step.prompt];
  return longest(
    responsesIn(seen, step, neutral).filter(
      ({ frames, framesOfPerson }) => frames >= heldFrames && framesOfPerson >= MIN_FRAMES_OF_PERSON,
    ),
  );
}

/**
 * The movement of `prompt` if it begins in this step and is held for long enough; null if not, or if it began earlier.
 */
export function beginningIn(
  seen: readonly Seen[],
  step: ScriptStep,
  prompt: Prompt,
  neutral: Neutral,
): Response | null {
  const { heldFrames }: PromptRow = PROMPT_ROWS[prompt];
  return longest(
    responsesIn(seen, { ...step, prompt }, neutral).filter(
      ({ frames, onsetMs }) => frames >= heldFrames && onsetMs >= step.from_ms && onsetMs < step.to_ms,
    ),
  );
}

/** Every run of frames that overlaps the step and follows its prompt. */
function responsesIn(seen: readonly Seen[], step: ScriptStep, neutral: Neutral): Response[] {
  const { strength }: PromptRow = PROMPT_ROWS[step.prompt];
  const runs: Response[] = [];
  let run: Response | null = null;
  for (const { timeMs, face, isSamePerson } of seen) {
    if (timeMs >= step.to_ms + AFTERMATH_MS) break;
    if (strength(face, neutral) < (run ? STILL_HELD : 1)) {
      if (run && run.frames > 0) runs.push(run);
      run = null;
      continue;
    }
    run ??= { onsetMs: timeMs, frames: 0, framesOfPerson: 0 };
    if (timeMs < step.from_ms) continue;
    run = {
      ...run,
      frames: run.frames + 1,
      framesOfPerson: run.framesOfPerson + Number(isSamePerson === true),
    };
  }
  if (run && run.frames > 0) runs.push(run);
  return runs;
}

function longest(responses: readonly Response[]): Response | null {
  return responses.reduce<Response | null>(
    (best, response) => (response.frames > (best?.frames ?? 0) ? response : best),
    null,
  );
}
