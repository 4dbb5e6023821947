// Wires the webhook room: the outbox, signed calls to receivers, and the dispatcher of a worker process.
import type { GuardedAgent } from '../outbound/guarded-agent.ts';
import { createDeliveryNotifier } from '../storage/postgres/deliveries/notifier.ts';
import { createDeliveryStore } from '../storage/postgres/deliveries/store.ts';
import { createAccessTokens } from '../webhook/access-tokens.ts';
import { createAttemptRecorder } from '../webhook/attempt-recorder.ts';
import { createDeliver, type DeliverParts } from '../webhook/deliver.ts';
import { createDeliveries, type Deliveries } from '../webhook/deliveries.ts';
import { type Dispatcher, type Places, startDispatcher } from '../webhook/dispatcher.ts';
import type { PayloadSource } from '../webhook/ports.ts';
import { createRetrySchedule, retryDelaysMs } from '../webhook/schedule.ts';
import { createSender } from '../webhook/sender.ts';
import type { Foundation } from './foundation.ts';
import { USER_AGENT } from './version.ts';

export interface DeliveryServices {
  readonly deliveries: Deliveries;
  /** What attempts are made with, beside who is told of them. */
  readonly deliverParts: Omit<DeliverParts, 'observe'>;
  /** Starts sending due deliveries, until it is stopped; parts given here take the place of {@link deliverParts}. */
  dispatchDeliveries(
    parts: Pick<DeliverParts, 'observe'> & Partial<DeliverParts>,
    places?: Places,
  ): Dispatcher;
}

/**
 * Concurrent calls to receivers of one process. One that hangs costs some 60 kB (measured: 63, both ends in
 * one process) and a socket: that many are cheaper than a time limit that cuts off slow receivers.
 */
const DELIVERY_PLACES: Places = { calls: 768, unproven: 512, failing: 256 };

/** @param calls what calls go through, what they carry, and the limit of one attempt (default: the sender's own) */
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
  const store = createDeliveryStore(database.db, database.planned);
  const deliverParts: DeliveryServices['deliverParts'] = {
    store,
    record: createAttemptRecorder(store),
    custody: keys,
    payloads,
    secrets: webhookSecrets,
    send,
    schedule: createRetrySchedule(retryDelaysMs(config.WEBHOOK_RETRY_SCHEDULE), Math.random),
    log,
  };
  return {
    deliveries: createDeliveries({ store, custody: keys, secrets: webhookSecrets, send }),
    deliverParts,
    dispatchDeliveries: (parts, places = DELIVERY_PLACES) => {
      const all = { ...deliverParts, ...parts };
      return startDispatcher({
        store,
        notifier: createDeliveryNotifier(database.directConnectionString, all.log),
        deliver: createDeliver(all),
        places,
        log: all.log,
      });
    },
  };
}
