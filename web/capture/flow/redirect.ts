// Sends the person where the client wants them, by the address exactly as it was given.

/** Long enough to read "done", short enough not to wait. */
const READING_MS = 900;

/**
 * Navigates the top window, also out of a frame. Browsers may refuse that to a frame without a recent tap: the screen
 * keeps a link to the same address for then. The frame itself is never sent there: the client's page in its own frame
 * helps nobody.
 * @param isDue whether it is still wanted when it comes: who declined may have changed their mind
 */
export function redirectTo(url: string, isDue: () => boolean): void {
  setTimeout(() => {
    if (!isDue()) return;
    try {
      (window.top ?? window).location.href = url;
    } catch {
      // The link on the screen remains.
    }
  }, READING_MS);
}
