// Remembers the camera that the person chose, for the next time: its deviceId, which differs from site to site.

const ENTRY = 'likeness-camera';

/** deviceId of the camera chosen last; null if there is none or storage is blocked. */
export function rememberedCamera(): string | null {
  try {
    return localStorage.getItem(ENTRY);
  } catch {
    return null;
  }
}

/** Stores the choice. If that fails, only the choice is lost. */
export function rememberCamera(id: string): void {
  try {
    localStorage.setItem(ENTRY, id);
  } catch {
    // Storage is blocked: the browser chooses next time.
  }
}

export function forgetCamera(): void {
  try {
    localStorage.removeItem(ENTRY);
  } catch {
    // Storage is blocked, so nothing was stored either.
  }
}
