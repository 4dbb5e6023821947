// Notifies waiting requests: a page that waits for the judgement of its challenge, a client for the answer to its
// picture. The transaction that makes the change sends the id by NOTIFY; each process listens on one connection.
import { sql } from 'kysely';
import type { Logger } from '../../../base/log.ts';
import type { Notifier, Subscription } from '../../../base/notifier.ts';
import type { Trx } from '../database.ts';
import { type Listener, startListener } from './listener.ts';

const CHANNEL = 'likeness_outcome';

/** Call it inside the transaction that makes the change: NOTIFY is sent when that commits. */
export async function notifyWaiting(trx: Trx, id: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${id})`.execute(trx);
}

/** Connects at the first subscription. */
export function createNotifier(connectionString: string, log: Logger): Notifier {
  let listener: Listener | null = null;
  const waiting = new Map<string, Set<() => void>>();

  function onNotice(id: string | null): void {
    const notified = id === null ? [...waiting.values()] : [waiting.get(id) ?? []];
    for (const subscribers of notified) for (const notify of subscribers) notify();
  }

  return {
    subscribe(id) {
      listener ??= startListener({ connectionString, channel: CHANNEL, onNotice, log });
      const subscribers = waiting.get(id) ?? new Set();
      waiting.set(id, subscribers);
      return createSubscription(subscribers, () => {
        if (subscribers.size === 0) waiting.delete(id);
      });
    },
    async close() {
      await listener?.close();
    },
  };
}

function createSubscription(subscribers: Set<() => void>, onClosed: () => void): Subscription {
  let isNotified = false;
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  const notify = () => {
    isNotified = true;
    wake();
  };
  subscribers.add(notify);
  return {
    async next(timeoutMs, signal) {
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
    close() {
      subscribers.delete(notify);
      onClosed();
    },
  };
}
