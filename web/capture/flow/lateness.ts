// Measures how late this page's own timers fire, which reveals a slow or busy device before anything is recorded.

const TICK_MS = 100;
/**
 * Share of the lateness that remains a second later: a device that was busy when the page opened may be free by the
 * recording.
 */
const DECAY_PER_SECOND = 0.7;
/**
 * Thresholds of the decaying lateness, in milliseconds. Its maximum up to the recording, on two cores with a load of
 * 12: 250–670; for a page slowed 6 times 600–2,000, and slowed 20 times 2,400–3,200; some 700 less because watching
 * starts only with the first screen. Nearly all recordings of the second count, and none of the third. WebKitGTK on two
 * cores exceeded 1,600 now and then, and its recordings counted.
 */
const LATENESS = { busyMs: 600, stuckMs: 2_200 } as const;

export type Lateness = 'busy' | 'stuck';

/** Calls back once when the page has become busy, and once when nothing on it happens in time. Never ends. */
export function watchLateness(report: (how: Lateness) => void): void {
  let lastMs = performance.now();
  let latenessMs = 0;
  let isBusy = false;
  // Browsers throttle or stop timers of hidden pages, so the first tick afterwards would be late by the whole absence.
  document.addEventListener('visibilitychange', () => {
    lastMs = performance.now();
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const passedMs = nowMs - lastMs;
    lastMs = nowMs;
    if (document.hidden) return;
    latenessMs = latenessMs * DECAY_PER_SECOND ** (passedMs / 1000) + Math.max(0, passedMs - TICK_MS);
    if (latenessMs < LATENESS.busyMs) return;
    if (!isBusy) report('busy');
    isBusy = true;
    if (latenessMs < LATENESS.stuckMs) return;
    clearInterval(timer);
    report('stuck');
  }, TICK_MS);
}
