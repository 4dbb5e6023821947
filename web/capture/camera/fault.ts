// What a rejected getUserMedia means for the person.

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
 * What denies the camera: the person or their browser settings (`blocked` permanently, `dismissed` for now), the
 * device's own settings, the page around this one, or the headers with which this page arrived.
 */
export type Refusal = 'blocked' | 'dismissed' | 'by_device' | 'by_frame' | 'by_site';

/**
 * Reads the messages of Chromium, the only browser that tells these apart. Anything else counts as the browser's
 * settings.
 */
export function refusalOf(message: string): Exclude<Refusal, 'by_frame' | 'by_site'> {
  if (message === 'Permission dismissed') return 'dismissed';
  return message === 'Permission denied by system' ? 'by_device' : 'blocked';
}
