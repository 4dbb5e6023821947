// Notifies workers of new deliveries, whichever process wrote them.
import { sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { type Listener, startListener } from '../../storage/postgres/coordination/listener.ts';

const CHANNEL = 'likeness_delivery';

/** Select it in the transaction that makes deliveries due: NOTIFY is sent, once, when that commits. */
export const NOTIFY_WORKERS = sql`pg_notify(${sql.lit(CHANNEL)}, '')`;

export type DeliveryNotifier = ReturnType<typeof createDeliveryNotifier>;

/** Tells when deliveries may have become due in any process. */
export function createDeliveryNotifier(connectionString: string, log: Logger) {
  let listener: Listener | null = null;
  return {
    /** Calls back when there are new deliveries, and whenever the database connection is restored. */
    subscribe(onNotice: () => void): void {
      listener = startListener({ connectionString, channel: CHANNEL, onNotice: () => onNotice(), log });
    },
    async close(): Promise<void> {
      await listener?.close();
    },
  };
}
