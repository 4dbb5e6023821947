// Wires src/webhook: the outbox, signed calls to receivers, and the dispatcher of a worker process.

import { USER_AGENT } from '../config/version.ts';
import type { GuardedAgent } from '../outbound/guarded-agent.ts';
import { createAccessTokens } from '../webhook/access-tokens.ts';
import { createAttemptRecorder } from '../webhook/attempt-recorder.ts';
import { createDeliver, type DeliverParts, type PayloadSource } from '../webhook/deliver.ts';
import { createDeliveries, type Deliveries } from '../webhook/deliveries.ts';
import { type Dispatcher, startDispatcher } from '../webhook/dispatcher.ts';
import { createRetrySchedule } from '../webhook/schedule.ts';
import { createSender } from '../webhook/sender.ts';
import { createDeliveryNotifier } from '../webhook/tables/notifier.ts';
import { createDeliveryStore } from '../webhook/tables/store.ts';
import type { Foundation } from './foundation.ts';

export interface DeliveryServices {
  readonly deliveries: Deliveries;
  /** The parts that attempts are made with, except the observer. */
  readonly deliverParts: Omit<DeliverParts, 'observe'>;
  /** Sends due deliveries until stopped; parts given here override {@link deliverParts}. */
  dispatchDeliveries(parts: Pick<DeliverParts, 'observe'> & Partial<DeliverParts>): Dispatcher;
}

/**
 * Builds the delivery services.
 * @param calls the agent for calls, their payloads, and the time limit of one attempt (default: the sender's own)
 */
export function composeDeliveries(
  foundation: Foundation,
  calls: { agent: GuardedAgent; payloads: PayloadSource; timeoutMs: number | undefined },
): DeliveryServices {
  const { config, clock, database, keys, webhookSecrets, log } = foundation;
  const { agent, payloads, timeoutMs } = calls;
  const clientOptions = { agent, clock, userAgent: USER_AGENT };
  const tokens = createAccessTokens({ ...clientOptions, requireHttps: config.MODE === 'production' });
  const requireHttps = config.WEBHOOK_REQUIRE_HTTPS;
  const send = createSender({ ...clientOptions, tokens, requireHttps, timeoutMs });
  const store = createDeliveryStore(database.db);
  const deliverParts: DeliveryServices['deliverParts'] = {
    store,
    record: createAttemptRecorder(store),
    custody: keys,
    payloads,
    secrets: webhookSecrets,
    send,
    schedule: createRetrySchedule(config.limits.retryDelaysMs, Math.random),
    log,
  };
  return {
    deliveries: createDeliveries({ store, custody: keys, secrets: webhookSecrets, send }),
    deliverParts,
    dispatchDeliveries: (parts) => {
      const all = { ...deliverParts, ...parts };
      return startDispatcher({
        store,
        notifier: createDeliveryNotifier(database.directConnectionString, all.log),
        deliver: createDeliver(all),
        log: all.log,
      });
    },
  };
}
