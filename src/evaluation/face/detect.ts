// First step on a frame: where are faces, and how many. BlazeFace over the whole frame.
import type { Models } from '../../models/load.ts';
import type { Frame } from '../video/frame.ts';
import type { DetectedFace } from './observation.ts';

/** All faces in the frame, best score first; empty when there is none. */
export async function detectFaces(_models: Models, _frame: Frame): Promise<DetectedFace[]> {
  throw new Error('not built yet');
}
