// What a rejected getUserMedia means for the person.
import type { CameraRefusal } from '../../../src/contract/page-event.ts';

/** Why the camera could not be opened. */
export type CameraFault = 'denied' | 'missing' | 'busy';

/** Maps the error names of the Media Capture specification, §10.2.2, and the older ones of WebViews. */
export function cameraFault(name: string): CameraFault {
  if (name === 'NotAllowedError' || name === 'SecurityError' || name === 'PermissionDeniedError')
    return 'denied';
  if (name === 'NotFoundError' || name === 'OverconstrainedError' || name === 'DevicesNotFoundError') {
    return 'missing';
  }
  return 'busy';
}

/**
 * Reads the messages of Chromium, the only browser that tells these apart. Anything else counts as the browser's
 * settings.
 */
export function refusalOf(message: string): Exclude<CameraRefusal, 'by_frame' | 'by_site'> {
  if (message === 'Permission dismissed') return 'dismissed';
  return message === 'Permission denied by system' ? 'by_device' : 'blocked';
}
