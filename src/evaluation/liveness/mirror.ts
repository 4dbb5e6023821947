// Some cameras and programs mirror their picture without saying so: every turn is then seen to the other side.
import { PATH } from '../../contract/path.ts';
import { PROMPTS, type Script } from '../../contract/script.ts';
import { answersTo } from './answers.ts';
import { atMost, type Check, explains, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { seenFaces } from './windows.ts';

/** Says that turns were read the other way round; decides nothing. */
export const mirror: Check = {
  cue: 'mirror',
  role: explains(),
  refuses: [],
  stays: 'says that turns were read the other way round',
  run: (evidence) =>
    evidence.script
      ? atMost(isMirrored(evidence, evidence.script) ? 1 : 0, 0, 'camera_mirrored')
      : notEvaluated('no_script'),
};

/** A script as the video shows it, by the outcome of {@link mirror}: with left and right exchanged, or as it is. */
export function asSeen(script: Script | null, { status }: Outcome): Script | null {
  return script && status === 'failed' ? mirrored(script) : script;
}

/**
 * Whether every turn was answered to the other side, and not every one to its own. Reading it so halves what the sides of
 * a script's turns are worth against a recording, and nothing else.
 */
function isMirrored(evidence: CaptureEvidence, script: Script): boolean {
  if (!script.steps.some(({ prompt }) => isTurn(prompt))) return false;
  const seen = seenFaces(evidence);
  const turnsAnswered = (read: Script): boolean =>
    answersTo(seen, read).every(({ step, response }) => !isTurn(step.prompt) || response !== null);
  return !turnsAnswered(script) && turnsAnswered(mirrored(script));
}

const isTurn = (prompt: Script['steps'][number]['prompt']): boolean =>
  prompt !== PATH && PROMPTS[prompt].kind === 'turn';

function mirrored(script: Script): Script {
  return {
    ...script,
    steps: script.steps.map((step) =>
      step.prompt === PATH ? step : { ...step, prompt: PROMPTS[step.prompt].mirrored },
    ),
  };
}
