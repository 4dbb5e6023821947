// Notifies workers of new deliveries, whichever process wrote them (port: DeliveryNotifier in src/webhook/ports.ts).
import { sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { type Listener, startListener } from '../../storage/postgres/coordination/listener.ts';
import type { DeliveryNotifier } from '../ports.ts';

const CHANNEL = 'likeness_delivery';

/** Select it in the transaction that makes deliveries due: NOTIFY is sent, once, when that commits. */
export const NOTIFY_WORKERS = sql`pg_notify(${sql.lit(CHANNEL)}, '')`;

export function createDeliveryNotifier(connectionString: string, log: Logger): DeliveryNotifier {
  let listener: Listener | null = null;
  return {
    subscribe(onNotice) {
      listener = startListener({ connectionString, channel: CHANNEL, onNotice: () => onNotice(), log });
    },
    async close() {
      await listener?.close();
    },
  };
}
