// A signal that wakes a loop between two rounds: many callers may wake it, one waits.

export interface WakeSignal {
  /** Ends the current wait, or the next one immediately. */
  wake(): void;
  /** Discards earlier calls to `wake`; later ones apply to the next wait. */
  reset(): void;
  /** Resolves when woken, or after the timeout. */
  wait(timeoutMs: number): Promise<void>;
}

export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let resolveWait: () => void = () => {};
  return {
    wake: () => {
      isWoken = true;
      resolveWait();
    },
    reset: () => {
      isWoken = false;
    },
    wait: (timeoutMs) =>
      new Promise((resolve) => {
        if (isWoken) return resolve();
        const timer = setTimeout(resolve, timeoutMs);
        resolveWait = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
