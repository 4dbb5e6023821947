// How happy a face looks: the emotion network on an upright crop.
import type { Models } from '../../models/load.ts';
import type { Frame } from '../video/frame.ts';
import type { FaceMesh } from './observation.ts';

export interface Expression {
  /** Probability of happiness, 0–1. */
  readonly happy: number;
}

export async function readExpression(_models: Models, _frame: Frame, _mesh: FaceMesh): Promise<Expression> {
  throw new Error('not built yet');
}
