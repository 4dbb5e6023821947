// Periodic work on webhooks: retention. src/webhook and src/keys do the work.
import type { WebhookSecrets } from '../keys/webhook-secrets.ts';
import { forgetReceivers, purgeTestDeliveries } from '../webhook/retention.ts';
import type { DeliveryStore } from '../webhook/tables/store.ts';
import type { PeriodicTask } from './sweep.ts';

/** Retention is counted in days and overlaps in hours, so ten minutes late is soon enough. */
const EVERY_MS = 10 * 60_000;

export function webhookTasks(parts: {
  readonly deliveries: Pick<DeliveryStore, 'purgeTests' | 'forgetReceivers'>;
  readonly secrets: Pick<WebhookSecrets, 'purgeEnded'>;
  readonly resultRetentionDays: number;
}): PeriodicTask[] {
  const { deliveries, secrets, resultRetentionDays } = parts;
  return [
    {
      name: 'purge test deliveries',
      everyMs: EVERY_MS,
      run: () => purgeTestDeliveries(deliveries, resultRetentionDays),
    },
    {
      name: 'forget receivers',
      everyMs: EVERY_MS,
      run: () => forgetReceivers(deliveries, resultRetentionDays),
    },
    { name: 'purge ended webhook secrets', everyMs: EVERY_MS, run: () => secrets.purgeEnded() },
  ];
}
