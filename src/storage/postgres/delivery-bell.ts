// Rings when deliveries were written by any process (port: DeliveryBell in src/webhook/ports.ts).
import type { Logger } from '../../base/log.ts';
import type { DeliveryBell } from '../../webhook/ports.ts';
import { type Listener, startListener } from './listener.ts';

/** Channel of NOTIFY; its messages are empty. */
export const DELIVERY_CHANNEL = 'likeness_delivery';

export function createDeliveryBell(connectionString: string, log: Logger): DeliveryBell {
  let listener: Listener | null = null;
  return {
    listen(onRing) {
      listener = startListener({ connectionString, channel: DELIVERY_CHANNEL, onNotice: onRing, log });
    },
    async close() {
      await listener?.close();
    },
  };
}
