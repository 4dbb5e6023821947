// The measures of a face from which answers to prompts are read: judgement and page both compare them with the same face at
// rest.
import type { FaceGeometry } from './face-geometry.ts';

const ANSWER_MEASURES = [
  'yaw',
  'pitch',
  'mouthWidth',
  'cornersBelowEyes',
  'cornersBelowNose',
] as const satisfies (keyof FaceGeometry)[];

/** Units and signs as in FaceGeometry. */
export type AnswerMeasures = Pick<FaceGeometry, (typeof ANSWER_MEASURES)[number]>;

/** The measures of one face, or a mean of several: `read` gives the value of each. */
export function answerMeasures(read: (measure: keyof AnswerMeasures) => number): AnswerMeasures {
  return Object.fromEntries(ANSWER_MEASURES.map((measure) => [measure, read(measure)])) as AnswerMeasures;
}
