// A recording answers the prompts of another script: it smiles where a turn was asked for, and turns where a smile was.
import type { Script, ScriptStep } from '../../contract/script.ts';
import { atMost, type Check, notEvaluated } from './cue.ts';
import { beginningIn } from './responses.ts';
import { type Seen, seenFaces } from './windows.ts';

/** Once a prompt may be misread; left and right, which people do confuse, are not told apart here at all. */
const MAX_CONTRARY = 1;

/** Number of steps in which the movement asked for was not made, and another one that the script knows was. */
export const contrary: Check = ({ observations, script }) => {
  if (!script) return notEvaluated('contrary', 'no_script');
  const seen = seenFaces(observations);
  const moving = script.steps.filter(({ prompt }) => prompt !== 'neutral');
  if (moving.length < 2) return notEvaluated('contrary', 'not_applicable');
  const count = moving.filter((step) => isContrary(seen, script, step)).length;
  return atMost('contrary', count, MAX_CONTRARY, 'other_script');
};

function isContrary(seen: readonly Seen[], script: Script, step: ScriptStep): boolean {
  const gives = (prompt: ScriptStep['prompt']) => beginningIn(seen, script, { ...step, prompt }) !== null;
  if (gives(step.prompt)) return false;
  return step.prompt === 'smile' ? gives('turn_left') || gives('turn_right') : gives('smile');
}
