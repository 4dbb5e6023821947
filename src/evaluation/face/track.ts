// Follows one face through the frames of a clip: mesh from the last mesh, detector when lost and at an interval.
import type { Models } from '../../models/load.ts';
import type { Frame } from '../video/frame.ts';
import type { FaceObservation } from './observation.ts';

export interface TrackOptions {
  readonly signal?: AbortSignal;
}

/** One observation per frame, in the frames' order. Rejects with the signal's reason when aborted. */
export async function trackFaces(
  _models: Models,
  _frames: Iterable<Frame> | AsyncIterable<Frame>,
  _options: TrackOptions = {},
): Promise<FaceObservation[]> {
  throw new Error('not built yet');
}
