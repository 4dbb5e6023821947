// How long an upload waits after a failure: not long when only seconds are left, and never the same for all pages.

const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 12_000;
/** Announcements and the commit have only seconds: a returning connection must not find the page in a long pause. */
const MAX_COMMIT_DELAY_MS = 800;

/** Exponential backoff with half jitter; a longer `Retry-After` from the server wins. */
export function delayAfter(attempt: number, retryAfterMs: number | null, random: number): number {
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const ownMs = ceilingMs / 2 + (ceilingMs / 2) * random;
  return Math.max(ownMs, Math.min(retryAfterMs ?? 0, 60_000));
}

/** The pause before the commit is retried: short, and not past the time in which a commit is accepted. */
export function commitDelayAfter(
  attempt: number,
  retryAfterMs: number | null,
  random: number,
  leftMs: number,
): number {
  const delayMs = delayAfter(attempt, retryAfterMs, random);
  if (leftMs <= 0) return delayMs;
  return Math.min(delayMs, Math.max(MAX_COMMIT_DELAY_MS, retryAfterMs ?? 0), leftMs);
}
