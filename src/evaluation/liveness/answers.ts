// How the face answered each step of a script: held for long enough, and by the very person of the portraits.
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

/** A step and its answer; null when there was none that was held. */
export interface Answer {
  readonly step: ScriptStep;
  readonly response: Response | null;
}

/**
 * Nobody ends an answer before seeing the next prompt: an answer held within this time after the step still counts
 * for it (a human's shortest reaction, and half of the way back). Chosen, not measured.
 */
export const AFTERMATH_MS = 400;
/**
 * An answer shows whose it is: so many of its frames are recognised as the person of the portraits. Movements made by
 * somebody else have none (identity bench: spliced answers 0 frames, genuine ones 2 and more).
 */
const MIN_FRAMES_OF_PERSON = 2;

/**
 * Strength above which an answer that was reached goes on: held smiles dip to .9 in single frames (laboratory). Without it
 * one smile would be two, of which the second seems to begin after its prompt.
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

/** The movement of `prompt` if it is made and begins in this step; null if not, or if it is held from before. */
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

/** Every run of frames that touches the step and in which its prompt is followed. */
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
