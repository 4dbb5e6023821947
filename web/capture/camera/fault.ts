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
