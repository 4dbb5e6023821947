// What a loop waits for between two rounds: many may wake it, one waits.

export interface WakeSignal {
  /** Ends the present wait, or the next one at once. */
  wake(): void;
  /** Forgets earlier calls; one that comes from now on is kept for the next wait. */
  reset(): void;
  /** Resolves when woken, or after the time. */
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
