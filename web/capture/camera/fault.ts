// What a refused getUserMedia means for the person.

/** Why the camera could not be opened. */
export type CameraFault = 'denied' | 'missing' | 'busy';

/** Names as of the Media Capture specification, §10.2.2, and the older ones of WebViews. */
export function cameraFault(name: string): CameraFault {
  if (name === 'NotAllowedError' || name === 'SecurityError' || name === 'PermissionDeniedError')
    return 'denied';
  if (name === 'NotFoundError' || name === 'OverconstrainedError' || name === 'DevicesNotFoundError') {
    return 'missing';
  }
  return 'busy';
}

/**
 * Who keeps a denied camera: the person or their settings of the browser, for now or for good; the device's own settings; the
 * page around this one.
 */
export type Refusal = 'blocked' | 'dismissed' | 'by_device' | 'by_frame';

/** By the words of Chromium, the one browser that tells these apart; in any other it is the browser's settings. */
export function refusalOf(message: string): Exclude<Refusal, 'by_frame'> {
  if (message === 'Permission dismissed') return 'dismissed';
  return message === 'Permission denied by system' ? 'by_device' : 'blocked';
}
