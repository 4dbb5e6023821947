// Notifies workers of receivers with new deliveries, whichever process wrote them (port: DeliveryNotifier in
// src/webhook/ports.ts).
import { sql } from 'kysely';
import type { Logger } from '../../../base/log.ts';
import type { DeliveryNotifier } from '../../../webhook/ports.ts';
import { type Listener, startListener } from '../coordination/listener.ts';

/** NOTIFY channel; a message is an `endpoint_hash` in hex. PostgreSQL sends equal messages of a transaction once. */
const CHANNEL = 'likeness_delivery';

/** Select it once per receiver, in the transaction that makes deliveries due: NOTIFY is sent when that commits. */
export const notifyOf = (endpointHash: string) =>
  sql`pg_notify(${sql.lit(CHANNEL)}, encode(${sql.ref(endpointHash)}, 'hex'))`;

export function createDeliveryNotifier(connectionString: string, log: Logger): DeliveryNotifier {
  let listener: Listener | null = null;
  return {
    subscribe(onNotice) {
      listener = startListener({
        connectionString,
        channel: CHANNEL,
        onNotice: (hash) => onNotice(hash === null ? null : Buffer.from(hash, 'hex')),
        log,
      });
    },
    async close() {
      await listener?.close();
    },
  };
}
