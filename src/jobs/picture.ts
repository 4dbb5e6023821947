// The `picture` task: reads a picture that waits to become a FeatureID. src/featid queues and answers it;
// src/evaluation analyses it.
import type { Logger } from '../base/log.ts';
import { type ReadingParts, readQueuedPicture } from '../featid/pictures.ts';
import type { Task } from './runner.ts';

/** Name of the task in the queue. */
export const PICTURE_TASK = 'picture';

/** Makes the task. It throws if the machine is at fault, and is run again later. */
export function createPictureTask(parts: ReadingParts & { readonly log: Logger }): Task {
  return async (payload) => {
    const { picture } = payload as { picture: string };
    const startedAt = performance.now();
    const fault = await readQueuedPicture(parts, picture);
    const ms = Math.round(performance.now() - startedAt);
    parts.log.info({ picture, fault, ms }, 'picture read');
  };
}
