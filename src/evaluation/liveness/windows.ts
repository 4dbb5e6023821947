// Relates the script to what was seen: which frames belong to which prompt, and the person's own face at rest.
import { answerMeasures } from '../../contract/answer-measures.ts';
import { isMovement, type Script, type ScriptStep } from '../../contract/script.ts';
import { promptSteps } from '../../contract/script-steps.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { VideoEvidence } from './evidence.ts';
import { isAtRest, type Neutral } from './prompts.ts';
import { median } from './statistics.ts';

/** A frame with a face. */
export interface Seen {
  readonly timeMs: number;
  readonly face: ObservedFace;
  /** Whether it was recognised as the person of the portraits; null if it was not checked. */
  readonly isSamePerson: boolean | null;
}

/** Time that a person needs to come to rest when a prompt for rest follows another prompt. Chosen, not measured. */
const SETTLING_MS = 1000;

export function seenFaces({ observations, identity, samePerson }: VideoEvidence): Seen[] {
  const cosines = new Map(identity.map(({ timeMs, cosine }) => [timeMs, cosine]));
  return observations.flatMap(({ timeMs, face }) => {
    if (!face) return [];
    const cosine = cosines.get(timeMs);
    return [{ timeMs, face, isSamePerson: cosine === undefined ? null : cosine >= samePerson.frame }];
  });
}

export function inStep(seen: readonly Seen[], step: ScriptStep): Seen[] {
  return seen.filter(({ timeMs }) => timeMs >= step.from_ms && timeMs < step.to_ms);
}

/** The person's face at rest, from the steps in which the script asks for rest; null if no frame in them is at rest. */
export function ownNeutral(seen: readonly Seen[], script: Script): Neutral | null {
  const asked = promptSteps(script)
    .filter(({ prompt }) => !isMovement(prompt))
    .flatMap((step, i) => {
      const settled = i === 0 ? step.from_ms : Math.min(step.from_ms + SETTLING_MS, step.to_ms);
      return inStep(seen, { ...step, from_ms: settled });
    });
  return neutralOf(asked);
}

/** The median of the frames in which the face is at rest; null when there is none. */
export function neutralOf(seen: readonly Seen[]): Neutral | null {
  const calm = seen.filter(({ face }) => isAtRest(face));
  if (calm.length === 0) return null;
  return answerMeasures((measure) => median(calm.map(({ face }) => face[measure])));
}
