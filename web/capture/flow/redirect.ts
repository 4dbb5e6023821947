// Sends the person to the client's redirect address, exactly as it was given.

import { leadsToRecording } from '../../../src/contract/next-recording.ts';

/** Long enough to read "done", short enough not to wait. */
const READING_MS = 900;
/** The same for two sentences: that another recording follows. */
const READING_MORE_MS = 3_500;

/**
 * Navigates the top window, even from within a frame. Browsers may refuse that to a frame without a recent tap, so the
 * screen keeps a link to the same address. The frame itself is never navigated there: the client's page inside its own
 * frame helps nobody.
 * @param isDue whether the redirect is still wanted when its time comes: a person who declined may have changed their
 * mind
 */
export function redirectTo(url: string, isDue: () => boolean): void {
  const readingMs = leadsToRecording(url, location.origin) ? READING_MORE_MS : READING_MS;
  setTimeout(() => {
    if (!isDue()) return;
    try {
      (window.top ?? window).location.href = url;
    } catch {
      // The link on the screen remains.
    }
  }, readingMs);
}
