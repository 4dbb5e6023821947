// Waiting for a change that any process may make. A notification ends the wait early; since notifications can get lost,
// the value is also read again at intervals.

/** Tells subscribers to an id that its value may have changed. */
export interface Notifier {
  /** Notifications count from this call on. */
  subscribe(id: string): Subscription;
  close(): Promise<void>;
}

export interface Subscription {
  /** Resolves on the first notification since the last call (which may be spurious), after the timeout, or on abort. */
  next(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** How often to read without a notification: a pooler in front of the database, for example, drops every NOTIFY. */
const READ_AGAIN_MS = 2_000;

/** Reads until `isWanted` holds, the timeout passes or the signal aborts. Resolves with the last value read. */
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
      // Read after subscribing, so that a change in between is not missed.
      const found = await read();
      const leftMs = until - performance.now();
      if (isWanted(found) || leftMs <= 0 || wait.signal?.aborted) return found;
      await subscription.next(Math.min(READ_AGAIN_MS, leftMs), wait.signal);
    }
  } finally {
    subscription.close();
  }
}
