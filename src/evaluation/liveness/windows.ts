// Relates the script to what was seen: which frames belong to which prompt, and the person's own face at rest.
import { answerMeasures } from '../../contract/answer-measures.ts';
import { restingFaceOf, upperFaceOf } from '../../contract/head-direction.ts';
import { isMovement, type Script, type ScriptStep } from '../../contract/script.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { VideoEvidence } from './evidence.ts';
import { isAtRest, type Rest } from './prompts.ts';
import { median } from './statistics.ts';

/** A frame with a face. */
export interface Seen {
  readonly timeMs: number;
  readonly face: ObservedFace;
  /** Whether it was recognised as the person of the portraits; null if it was not checked. */
  readonly isSamePerson: boolean | null;
}

/** A run of frames that follow a prompt. */
export interface Response {
  /** First frame of the run, which may lie before the prompt. */
  readonly onsetMs: number;
  /** Frames of the run in the step and its aftermath. */
  readonly frames: number;
  /** Of these, frames that were recognised as the person of the portraits. */
  readonly framesOfPerson: number;
}

/**
 * People end an answer only after they see the next prompt, so an answer held within this time after the step still
 * counts for it: the shortest human reaction time, and half of the way back. Chosen, not measured.
 */
export const AFTERMATH_MS = 400;
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

export function inStep(seen: readonly Seen[], step: Pick<ScriptStep, 'from_ms' | 'to_ms'>): Seen[] {
  return seen.filter(({ timeMs }) => timeMs >= step.from_ms && timeMs < step.to_ms);
}

/** The person's face at rest, from the steps in which the script asks for rest; null if no frame in them is at rest. */
export function ownRest(seen: readonly Seen[], script: Script): Rest | null {
  const asked = script.steps
    .filter(({ prompt }) => !isMovement(prompt))
    .flatMap(({ from_ms, to_ms }, i) =>
      inStep(seen, { from_ms: i === 0 ? from_ms : Math.min(from_ms + SETTLING_MS, to_ms), to_ms }),
    );
  return restOf(asked);
}

/** The median of the frames in which the face is at rest; null when there is none. */
export function restOf(seen: readonly Seen[]): Rest | null {
  const calm = seen.filter(({ face }) => isAtRest(face));
  const head = restingFaceOf(calm.map(({ face }) => upperFaceOf(face.landmarks)));
  return (
    head && { measures: answerMeasures((measure) => median(calm.map(({ face }) => face[measure]))), head }
  );
}
