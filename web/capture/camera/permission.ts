// Notices when the person changes the camera's permission in the browser's settings, so that nobody has to reload.

/** Calls back once when a denied camera may be requested again; never if the browser cannot tell. */
export function onceAllowed(allowed: () => void, signal: AbortSignal): void {
  const query = async () => {
    const status = await navigator.permissions.query({ name: 'camera' as PermissionName });
    if (status.state !== 'denied') return;
    const changed = () => {
      if (status.state === 'denied') return;
      status.removeEventListener('change', changed);
      allowed();
    };
    status.addEventListener('change', changed);
    signal.addEventListener('abort', () => status.removeEventListener('change', changed));
  };
  // Firefox and older Safari have no permission of this name.
  query().catch(() => undefined);
}
