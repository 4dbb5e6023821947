// The measures of a face that show whether it rests or smiles. The judgement and the page both compare them with the
// same face at rest.
import type { FaceGeometry } from './face-geometry.ts';

const ANSWER_MEASURES = [
  'yaw',
  'mouthWidth',
  'cornersBelowEyes',
  'cornersBelowNose',
] as const satisfies (keyof FaceGeometry)[];

/** Units and signs as in FaceGeometry. */
export type AnswerMeasures = Pick<FaceGeometry, (typeof ANSWER_MEASURES)[number]>;

/**
 * Builds the measures of one face, or a mean over several faces, from `read`, which returns the value of each measure.
 */
export function answerMeasures(read: (measure: keyof AnswerMeasures) => number): AnswerMeasures {
  return Object.fromEntries(ANSWER_MEASURES.map((measure) => [measure, read(measure)])) as AnswerMeasures;
}
