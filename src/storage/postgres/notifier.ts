// Notifies the pages that wait for a judgement (port: OutcomeNotifier in src/challenge/ports.ts). Every change that may end
// `processing` sends the challenge's id by NOTIFY in its own transaction; each process listens on one connection.
import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { OutcomeNotifier, OutcomeSubscription } from '../../challenge/ports.ts';
import { type Listener, startListener } from './listener.ts';
import type { Schema } from './schema.ts';

const OUTCOME_CHANNEL = 'likeness_outcome';

/** Call it inside the transaction that takes the challenge out of `processing`: it is sent when that commits. */
export async function notifyOutcome(trx: Kysely<Schema>, challengeId: string): Promise<void> {
  await sql`select pg_notify(${OUTCOME_CHANNEL}, ${challengeId})`.execute(trx);
}

/** Connects when the first page subscribes. */
export function createOutcomeNotifier(connectionString: string, log: Logger): OutcomeNotifier {
  let listener: Listener | null = null;
  const waiting = new Map<string, Set<() => void>>();

  function onNotice(challengeId: string | null): void {
    const notified = challengeId === null ? [...waiting.values()] : [waiting.get(challengeId) ?? []];
    for (const subscribers of notified) for (const notify of subscribers) notify();
  }

  return {
    subscribe(challengeId) {
      listener ??= startListener({ connectionString, channel: OUTCOME_CHANNEL, onNotice, log });
      const subscribers = waiting.get(challengeId) ?? new Set();
      waiting.set(challengeId, subscribers);
      return createSubscription(subscribers, () => {
        if (subscribers.size === 0) waiting.delete(challengeId);
      });
    },
    async close() {
      await listener?.close();
    },
  };
}

function createSubscription(subscribers: Set<() => void>, onClosed: () => void): OutcomeSubscription {
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
