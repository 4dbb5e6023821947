// Listens to one channel of NOTIFY on a connection of its own, which comes back after every break. What is told on them:
// new deliveries (delivery-notifier.ts), challenges that left `processing` (outcome-bell.ts).
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../base/log.ts';

const RECONNECT_MS = 500;

export interface Listener {
  /** Hears nothing more and resolves when the connection has ended. */
  close(): Promise<void>;
}

/**
 * Begins to listen. `onNotice` gets the payload of every notification, and null whenever the connection is up: what was
 * said before that moment is lost.
 */
export function startListener(options: {
  connectionString: string;
  channel: string;
  onNotice: (payload: string | null) => void;
  log: Logger;
}): Listener {
  const { connectionString, channel, onNotice, log } = options;
  let closed = false;
  let client: pg.Client | null = null;

  /** Resolves when the connection has ended. */
  async function hear(): Promise<void> {
    const line = new pg.Client({ connectionString, application_name: 'likeness bell', keepAlive: true });
    const ended = new Promise<void>((resolve) => line.once('end', () => resolve()));
    line.on('error', () => {});
    line.on('notification', ({ payload }) => !closed && onNotice(payload ?? ''));
    client = line;
    await line.connect();
    await line.query(`listen ${channel}`);
    if (!closed) onNotice(null);
    await ended;
  }

  async function keepHearing(): Promise<void> {
    while (!closed) {
      await hear().catch((error: unknown) => {
        // Closed while it was being made, it breaks by our own hand.
        if (!closed) log.warn({ err: error, channel }, 'a listening connection broke');
      });
      if (!closed) await delay(RECONNECT_MS);
    }
  }

  const hearing = keepHearing();
  return {
    async close() {
      closed = true;
      await client?.end().catch(() => {});
      await hearing;
    },
  };
}
