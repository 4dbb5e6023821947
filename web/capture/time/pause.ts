// A pause between two calls or looks, which ends early when nobody needs it any longer.

/** Resolves after `ms` milliseconds, or as soon as the signal aborts or the window receives the event `wakeOn`. */
export function pause(ms: number, signal: AbortSignal, wakeOn?: 'online'): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      if (wakeOn) removeEventListener(wakeOn, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (wakeOn) addEventListener(wakeOn, done);
    signal.addEventListener('abort', done);
  });
}
