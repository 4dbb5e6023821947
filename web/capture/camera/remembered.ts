// The camera that the person chose, for the next time: its deviceId, which browsers make anew for every site.

const ENTRY = 'likeness-camera';

/** deviceId of the camera chosen last; null where none was or storage is blocked. */
export function rememberedCamera(): string | null {
  try {
    return localStorage.getItem(ENTRY);
  } catch {
    return null;
  }
}

/** Keeps the choice; failing to only costs the choice. */
export function rememberCamera(id: string): void {
  try {
    localStorage.setItem(ENTRY, id);
  } catch {
    // Blocked storage: the browser's own choice is next time's.
  }
}

export function forgetCamera(): void {
  try {
    localStorage.removeItem(ENTRY);
  } catch {
    // Nothing could be kept where nothing can be deleted.
  }
}
