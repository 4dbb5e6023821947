// How late this page comes to its own timers: what a slow or busy device shows before anything is recorded.

const TICK_MS = 100;
/** What is left of lateness a second later: a device that was busy when the page opened may have time for the recording. */
const KEPT_A_SECOND = 0.7;
/**
 * Milliseconds of lateness, as kept. The most of it up to the recording, on two cores with a load of 12: 250–670, a page slowed 6 times
 * 600–2,000, one slowed 20 times 2,400–3,200; some 700 less as this is watched from the first screen on only. Of the recordings of the
 * second nearly all count, of the third none. WebKitGTK on two cores came past 1,600 now and then, and its recordings counted.
 */
const LATENESS = { busyMs: 600, stuckMs: 2_200 } as const;

export type Lateness = 'busy' | 'stuck';

/** Calls back when the page has become busy, and when it comes to nothing in time; each once. Never ends. */
export function watchLateness(told: (how: Lateness) => void): void {
  let lastMs = performance.now();
  let keptMs = 0;
  let isBusy = false;
  // Browsers slow or stop the timers of pages that nobody sees: the first one behind that is late for the time of the whole absence.
  document.addEventListener('visibilitychange', () => {
    lastMs = performance.now();
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const passedMs = nowMs - lastMs;
    lastMs = nowMs;
    if (document.hidden) return;
    keptMs = keptMs * KEPT_A_SECOND ** (passedMs / 1000) + Math.max(0, passedMs - TICK_MS);
    if (keptMs < LATENESS.busyMs) return;
    if (!isBusy) told('busy');
    isBusy = true;
    if (keptMs < LATENESS.stuckMs) return;
    clearInterval(timer);
    told('stuck');
  }, TICK_MS);
}
