// Second step: the 468-point mesh of one face in a rotation-normalised crop.
import type { Models } from '../../models/load.ts';
import type { Frame } from '../video/frame.ts';
import type { FaceMesh } from './observation.ts';

/** Where to look for a face: a square turned by `angle`. */
export interface FaceRegion {
  readonly centreX: number;
  readonly centreY: number;
  /** Side of the square in frame pixels. */
  readonly size: number;
  /** Rotation in radians, positive clockwise as seen. */
  readonly angle: number;
}

/** The mesh inside `region`. Always a mesh: judge by its `presence`. */
export async function fitMesh(_models: Models, _frame: Frame, _region: FaceRegion): Promise<FaceMesh> {
  throw new Error('not built yet');
}
