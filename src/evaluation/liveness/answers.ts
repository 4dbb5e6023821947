// How the face answered each step of a script. An answer must be held for long enough, by the person of the portraits.
import type { Prompt, Script, ScriptStep } from '../../contract/script.ts';
import { EXPRESSION_ROWS, type ExpressionRow, type Rest } from './prompts.ts';
import { holdOn, holdsIn } from './targets.ts';
import { AFTERMATH_MS, ownRest, type Response, type Seen } from './windows.ts';

/** A step and its answer; null if no answer was held for long enough. */
export interface Answer {
  readonly step: ScriptStep;
  readonly response: Response | null;
}

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
  const rest = ownRest(seen, script);
  return script.steps.map((step) => {
    const response = rest && responseTo(seen, step, rest);
    return { step, response: response && isOfPerson(response) ? response : null };
  });
}

const isOfPerson = ({ framesOfPerson }: Response): boolean => framesOfPerson >= MIN_FRAMES_OF_PERSON;

function responseTo(seen: readonly Seen[], step: ScriptStep, rest: Rest): Response | null {
  if (step.prompt === 'target') return holdOn(holdsIn(seen, step, rest), step);
  return longest(expressionsIn(seen, step, step.prompt, rest).filter(isOfPerson));
}

/**
 * The movement of `prompt` if it begins in this step and is held for long enough; null if not, or if it began earlier. A
 * target's is a hold anywhere.
 */
export function beginningIn(
  seen: readonly Seen[],
  step: Pick<ScriptStep, 'from_ms' | 'to_ms'>,
  prompt: Prompt,
  rest: Rest,
): Response | null {
  const made = prompt === 'target' ? holdsIn(seen, step, rest) : expressionsIn(seen, step, prompt, rest);
  return longest(made.filter(({ onsetMs }) => onsetMs >= step.from_ms && onsetMs < step.to_ms));
}

/** Every run of frames that overlaps the step, follows the prompt and is held for long enough. */
function expressionsIn(
  seen: readonly Seen[],
  step: Pick<ScriptStep, 'from_ms' | 'to_ms'>,
  prompt: Exclude<Prompt, 'target'>,
  rest: Rest,
): Response[] {
  const { strength, heldFrames }: ExpressionRow = EXPRESSION_ROWS[prompt];
  const runs: Response[] = [];
  let run: Response | null = null;
  for (const { timeMs, face, isSamePerson } of seen) {
    if (timeMs >= step.to_ms + AFTERMATH_MS) break;
    if (strength(face, rest) < (run ? STILL_HELD : 1)) {
      if (run) runs.push(run);
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
  if (run) runs.push(run);
  return runs.filter(({ frames }) => frames >= heldFrames);
}

function longest(responses: readonly Response[]): Response | null {
  return responses.reduce<Response | null>(
    (best, response) => (response.frames > (best?.frames ?? 0) ? response : best),
    null,
  );
}
