// Notifies waiting requests: a page that waits for the judgement of its challenge, a client for the answer to its
// picture. The transaction that makes the change sends the id by NOTIFY; each process listens on one connection. A
// notification ends the wait early; since notifications can get lost, the value is also read again at intervals.
import { sql } from 'kysely';
import type { Logger } from '../../../base/log.ts';
import type { Trx } from '../database.ts';
import { type Listener, startListener } from './listener.ts';

const CHANNEL = 'likeness_outcome';

/** Call it inside the transaction that makes the change: NOTIFY is sent when that commits. */
export async function notifyWaiting(trx: Trx, id: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${id})`.execute(trx);
}

export type Notifier = ReturnType<typeof createNotifier>;

/** Tells subscribers to an id that its value may have changed. Connects at the first subscription. */
export function createNotifier(connectionString: string, log: Logger) {
  let listener: Listener | null = null;
  const waiting = new Map<string, Set<() => void>>();

  function onNotice(id: string | null): void {
    const notified = id === null ? [...waiting.values()] : [waiting.get(id) ?? []];
    for (const subscribers of notified) for (const notify of subscribers) notify();
  }

  return {
    /** Notifications count from this call on. */
    subscribe(id: string) {
      listener ??= startListener({ connectionString, channel: CHANNEL, onNotice, log });
      const subscribers = waiting.get(id) ?? new Set();
      waiting.set(id, subscribers);
      return createSubscription(subscribers, () => {
        if (subscribers.size === 0) waiting.delete(id);
      });
    },
    async close(): Promise<void> {
      await listener?.close();
    },
  };
}

function createSubscription(subscribers: Set<() => void>, onClosed: () => void) {
  let isNotified = false;
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  const notify = () => {
    isNotified = true;
    wake();
  };
  subscribers.add(notify);
  return {
    /**
     * Resolves on the first notification since the last call (which may be spurious), after the timeout, or on abort.
     */
    async next(timeoutMs: number, signal?: AbortSignal): Promise<void> {
      if (!isNotified && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal?.addEventListener('abort', wake);
          timer = setTimeout(wake, timeoutMs);
        });
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
      }
      isNotified = false;
    },
    close(): void {
      subscribers.delete(notify);
      onClosed();
    },
  };
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
