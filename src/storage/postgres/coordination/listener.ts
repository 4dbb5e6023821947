// Listens to one NOTIFY channel on a connection of its own, and reconnects after every break. Channels: new deliveries
// (src/webhook/tables/notifier.ts), waiting requests (notifier.ts).
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../base/log.ts';
import { LONG_LIVED, LongLivedClient } from '../long-lived-connection.ts';

const RECONNECT_MS = 500;

export interface Listener {
  /** Stops listening; resolves when the connection has ended. */
  close(): Promise<void>;
}

/**
 * Starts to listen. `onNotice` gets the payload of every notification, and null whenever the connection is established:
 * whatever was sent before that moment is lost.
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
  async function listenUntilBroken(): Promise<void> {
    const connection = new LongLivedClient({
      connectionString,
      application_name: 'likeness listener',
      ...LONG_LIVED,
    });
    const ended = new Promise<void>((resolve) => connection.once('end', () => resolve()));
    connection.on('error', () => {});
    connection.on('notification', ({ payload }) => !closed && onNotice(payload ?? ''));
    client = connection;
    try {
      await connection.begin();
      await connection.query(`listen ${channel}`);
      if (!closed) onNotice(null);
      await ended;
    } finally {
      // A standby, for example, refuses LISTEN but keeps the connection open.
      void connection.end().catch(() => {});
    }
  }

  async function keepListening(): Promise<void> {
    while (!closed) {
      await listenUntilBroken().catch((error: unknown) => {
        // If it is closed while connecting, the error is of our own making.
        if (!closed) log.warn({ err: error, channel }, 'a listening connection broke');
      });
      if (!closed) await delay(RECONNECT_MS);
    }
  }

  const listening = keepListening();
  return {
    async close() {
      closed = true;
      await client?.end().catch(() => {});
      await listening;
    },
  };
}
