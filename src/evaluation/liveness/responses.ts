// How the face answered each prompted smile and turn.
import type { Script, ScriptStep } from '../../contract/script.ts';
import type { ObservedFace } from '../face/observation.ts';
import { longestResponse, type Neutral, ownNeutral, type Response, type Seen, stepsOf } from './windows.ts';

/** Happiness of a smile: grimaces, shouts and talkers reach it too, so the mouth must widen as well (issue 4). */
export const MIN_HAPPY = 0.8;
/** Widening of the mouth over the own neutral, in eye distances (issue 4): broad smiles +.28, talkers less than .1 while happy. */
export const MIN_WIDENING = 0.15;
/** Change of apparent yaw from the own neutral (issue 4): turns .5–.9, still talkers ≤ .15. */
export const MIN_TURN = 0.35;
/** A face turned further than this shows its mouth too narrow to be measured. */
const MAX_SMILE_YAW = 0.35;
/** Frames in a row that a movement must be held: a quarter of a second at the judged rate. */
const MIN_FRAMES = 3;

/** A prompted step and its answer; null when there was none that was held. */
export interface Answer {
  readonly step: ScriptStep;
  readonly response: Response | null;
}

/** One answer for each smile step. */
export function smileAnswers(seen: readonly Seen[], script: Script): Answer[] {
  const neutral = ownNeutral(seen, script);
  return stepsOf(script, 'smile').map((step) => ({
    step,
    response: neutral && held(longestResponse(seen, step, (face) => smileStrength(face, neutral))),
  }));
}

/** One answer for each turn step. */
export function turnAnswers(seen: readonly Seen[], script: Script): Answer[] {
  const neutral = ownNeutral(seen, script);
  return stepsOf(script, 'turn_left', 'turn_right').map((step) => {
    const side = step.prompt === 'turn_left' ? 1 : -1;
    const turned = (face: ObservedFace) => (side * (face.yaw - neutral!.yaw)) / MIN_TURN;
    return { step, response: neutral && held(longestResponse(seen, step, turned)) };
  });
}

/** A smile is only as strong as the weaker of its signs. */
function smileStrength(face: ObservedFace, neutral: Neutral): number {
  if (Math.abs(face.yaw) > MAX_SMILE_YAW) return 0;
  return Math.min(face.happy / MIN_HAPPY, (face.mouthWidth - neutral.mouthWidth) / MIN_WIDENING);
}

function held(response: Response | null): Response | null {
  return response && response.frames >= MIN_FRAMES ? response : null;
}

/** The movement that the step names, where it is made and begins in this very step; null where not, or held from before. */
export function beginningIn(seen: readonly Seen[], script: Script, step: ScriptStep): Response | null {
  const steps = [...script.steps.filter(({ prompt }) => prompt === 'neutral'), step];
  const answers = step.prompt === 'smile' ? smileAnswers(seen, { steps }) : turnAnswers(seen, { steps });
  const responses = answers.flatMap(({ response }) => response ?? []);
  return responses.find(({ onsetMs }) => onsetMs >= step.from_ms) ?? null;
}
