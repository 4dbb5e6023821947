// Waiting for a change that any process may make. A notification ends the wait early; as one may get lost, what is waited
// for is read again now and then all the same.

/** Tells those who wait for something, by its id, that it may have changed. */
export interface Notifier {
  /** Notifications count from this call on. */
  subscribe(id: string): Subscription;
  close(): Promise<void>;
}

export interface Subscription {
  /** Resolves at the first notification since the last call (it may be a false one), after the time, or at the abort. */
  next(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** A pooler in front of the database, for one, drops every NOTIFY. */
const READ_AGAIN_MS = 2_000;

/** Reads something until it is as wanted, the time is over or the signal aborts. Resolves with what was read last. */
export async function readUntil<T>(
  wait: {
    readonly notifier: Pick<Notifier, 'subscribe'>;
    readonly id: string;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
  },
  read: () => Promise<T>,
  isWanted: (found: T) => boolean,
): Promise<T> {
  const until = performance.now() + wait.timeoutMs;
  const subscription = wait.notifier.subscribe(wait.id);
  try {
    for (;;) {
      // Read after the subscription: a change in between is seen here.
      const found = await read();
      const leftMs = until - performance.now();
      if (isWanted(found) || leftMs <= 0 || wait.signal?.aborted) return found;
      await subscription.next(Math.min(READ_AGAIN_MS, leftMs), wait.signal);
    }
  } finally {
    subscription.close();
  }
}
