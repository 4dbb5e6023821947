// Rings when deliveries were written by any process (port: DeliveryBell in src/webhook/ports.ts): NOTIFY on a connection
// of its own, which comes back after every break.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../base/log.ts';
import type { DeliveryBell } from '../../webhook/ports.ts';

/** Channel of NOTIFY; its messages are empty. */
export const DELIVERY_CHANNEL = 'likeness_delivery';
const RECONNECT_MS = 500;

export function createDeliveryBell(connectionString: string, log: Logger): DeliveryBell {
  let ring: () => void = () => {};
  let closed = false;
  let client: pg.Client | null = null;
  let hanging: Promise<void> = Promise.resolve();

  /** Resolves when the connection has ended. */
  async function hang(): Promise<void> {
    const line = new pg.Client({ connectionString, application_name: 'likeness bell', keepAlive: true });
    const ended = new Promise<void>((resolve) => line.once('end', () => resolve()));
    line.on('error', () => {});
    line.on('notification', () => ring());
    client = line;
    await line.connect();
    await line.query(`listen ${DELIVERY_CHANNEL}`);
    // What was written while nobody listened.
    ring();
    await ended;
  }

  async function keepHanging(): Promise<void> {
    while (!closed) {
      await hang().catch((error: unknown) => log.warn({ err: error }, 'the bell of deliveries broke'));
      if (!closed) await delay(RECONNECT_MS);
    }
  }

  return {
    listen(onRing) {
      ring = onRing;
      hanging = keepHanging();
    },
    async close() {
      closed = true;
      ring = () => {};
      await client?.end().catch(() => {});
      await hanging;
    },
  };
}
