// Some cameras and programs mirror their picture without saying so: every turn is then seen to the other side.
import { PATH } from '../../contract/path.ts';
import { PROMPTS, type Script } from '../../contract/script.ts';
import { answersTo } from './answers.ts';
import { atMost, type Check, explains, notEvaluated } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { seenFaces } from './windows.ts';

/**
 * The script as the video shows it: with left and right exchanged if every turn was answered to the other side, and not
 * every one to its own. This halves what the sides of a script's turns are worth against a recording, and nothing else.
 */
export function asSeen(evidence: CaptureEvidence): Script | null {
  const { script } = evidence;
  return script && isMirrored(evidence, script) ? mirrored(script) : script;
}

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

function isMirrored(evidence: CaptureEvidence, script: Script): boolean {
  const turnsAnswered = (read: Script): boolean =>
    answersTo(seenFaces(evidence), read).every(
      ({ step, response }) => !isTurn(step.prompt) || response !== null,
    );
  return (
    script.steps.some(({ prompt }) => isTurn(prompt)) &&
    !turnsAnswered(script) &&
    turnsAnswered(mirrored(script))
  );
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
