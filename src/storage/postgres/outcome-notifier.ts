// Rings for the pages that wait on a judgement (port: OutcomeBell in src/challenge/ports.ts): every change that may end
// `processing` says the challenge's id in its own transaction, and each process hears it on one connection.
import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { OutcomeBell, OutcomeEar } from '../../challenge/ports.ts';
import { type Listener, startListener } from './listener.ts';
import type { Schema } from './schema.ts';

const OUTCOME_CHANNEL = 'likeness_outcome';

/** To be called inside the transaction that takes the challenge out of `processing`; heard when that commits. */
export async function ringOutcome(trx: Kysely<Schema>, challengeId: string): Promise<void> {
  await sql`select pg_notify(${OUTCOME_CHANNEL}, ${challengeId})`.execute(trx);
}

/** Connects when the first page waits. */
export function createOutcomeBell(connectionString: string, log: Logger): OutcomeBell {
  let listener: Listener | null = null;
  const waiting = new Map<string, Set<() => void>>();

  function onNotice(challengeId: string | null): void {
    const rung = challengeId === null ? [...waiting.values()] : [waiting.get(challengeId) ?? []];
    for (const ears of rung) for (const ring of ears) ring();
  }

  return {
    listen(challengeId) {
      listener ??= startListener({ connectionString, channel: OUTCOME_CHANNEL, onNotice, log });
      const ears = waiting.get(challengeId) ?? new Set();
      waiting.set(challengeId, ears);
      return createEar(ears, () => {
        if (ears.size === 0) waiting.delete(challengeId);
      });
    },
    async close() {
      await listener?.close();
    },
  };
}

function createEar(ears: Set<() => void>, onClosed: () => void): OutcomeEar {
  let rung = false;
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  const ring = () => {
    rung = true;
    wake();
  };
  ears.add(ring);
  return {
    async next(timeoutMs, signal) {
      if (!rung && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal?.addEventListener('abort', wake);
          timer = setTimeout(wake, timeoutMs);
        });
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
      }
      rung = false;
    },
    close() {
      ears.delete(ring);
      onClosed();
    },
  };
}
