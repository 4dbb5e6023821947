// The repeated work on webhooks: what is kept no longer. Thin: what is done lies in src/webhook and src/keys.
import type { WebhookSecrets } from '../keys/webhook-secrets.ts';
import type { DeliveryStore } from '../webhook/ports.ts';
import { forgetReceivers, purgeTestDeliveries } from '../webhook/retention.ts';
import type { Chore } from './sweep.ts';

/** Days and overlaps count here: ten minutes late is soon enough. */
const EVERY_MS = 10 * 60_000;

export function webhookChores(parts: {
  readonly deliveries: Pick<DeliveryStore, 'purgeTests' | 'forgetReceivers'>;
  readonly secrets: Pick<WebhookSecrets, 'purgeEnded'>;
  readonly resultRetentionDays: number;
}): Chore[] {
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
