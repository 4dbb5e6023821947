// What the API and the console do with deliveries: list them with their attempts, send one again, send a test event.
import { Fault } from '../base/errors.ts';
import type { NotificationConfiguration } from '../contract/challenge-request.ts';
import type { Delivery, DeliveryAttempt, TestDelivery } from '../contract/delivery.ts';
import type { Custody } from '../keys/account-keys.ts';
import type { WebhookSecrets } from '../keys/webhook-secrets.ts';
import { attemptRecord, openExcerpt } from './deliver.ts';
import { addressOf, newDelivery, openEndpoint } from './endpoint.ts';
import { sampleResult } from './sample-result.ts';
import type { Send } from './sender.ts';
import type { AttemptRecord } from './tables/attempts.ts';
import type { DeliveryQuery, DeliveryStore, DeliveryWithAttempts } from './tables/store.ts';

interface OutboxParts {
  readonly store: DeliveryStore;
  readonly custody: Custody;
}

export interface DeliveriesParts extends OutboxParts {
  readonly secrets: Pick<WebhookSecrets, 'inForce'>;
  readonly send: Send;
}

export type Redelivery =
  | { readonly status: 'requeued'; readonly delivery: Delivery }
  | { readonly status: 'not_found' }
  /** A test event, or a delivery that was cancelled. */
  | { readonly status: 'not_repeatable' };

/** Access to the stored deliveries; sends nothing itself. */
export interface Outbox {
  /** Deliveries of a challenge of this account (at most 20), oldest first; empty if there are none. */
  list(accountId: string, challengeId: string): Promise<Delivery[]>;
  /** For the operator: newest first, of every account unless one is named. */
  listAll(query: DeliveryQuery): Promise<Delivery[]>;
  /** Makes a pending, delivered or failed delivery due at once, with a new run of the retry schedule and its old id. */
  redeliver(accountId: string, deliveryId: string): Promise<Redelivery>;
  /**
   * The same for an operator, who need not know the account.
   * @param operator the audit log's actor
   */
  redeliverAny(deliveryId: string, operator: string): Promise<Redelivery>;
  /** The same for many, one after another; what became of each, in order. */
  redeliverMany(deliveryIds: readonly string[], operator: string): Promise<Redelivery['status'][]>;
  /**
   * Endpoint URLs by delivery id: only origin and path, because the query may hold a secret. Deliveries that do not open
   * are left out.
   */
  receiversOf(deliveryIds: readonly string[]): Promise<Map<string, string>>;
  /** The challenge of a delivery of this account; null if there is none. */
  challengeOf(accountId: string, deliveryId: string): Promise<string | null>;
}

export interface Deliveries extends Outbox {
  /** Sends a signed sample to an endpoint at once (at most 15 s). It is not retried. `actor`: for the audit log. */
  sendTest(accountId: string, configuration: NotificationConfiguration, actor: string): Promise<TestDelivery>;
}

export function createOutbox({ store, custody }: OutboxParts): Outbox {
  const presentAll = (found: readonly DeliveryWithAttempts[]) =>
    Promise.all(found.map((each) => present(custody, each)));
  const requeued = async (accountId: string, deliveryId: string): Promise<Redelivery> => {
    const found = await store.find(accountId, deliveryId);
    return found ? { status: 'requeued', delivery: await present(custody, found) } : { status: 'not_found' };
  };
  return {
    list: async (accountId, challengeId) => presentAll(await store.listByChallenge(accountId, challengeId)),
    listAll: async (query) => presentAll(await store.list(query)),
    redeliver: async (accountId, deliveryId) => {
      const status = await store.requeue(accountId, deliveryId);
      return status === 'requeued' ? requeued(accountId, deliveryId) : { status };
    },
    challengeOf: async (accountId, deliveryId) =>
      (await store.find(accountId, deliveryId))?.delivery.challengeId ?? null,
    receiversOf: async (deliveryIds) => {
      const found = await store.findAny(deliveryIds);
      const named = found.map(async (delivery) => ({
        id: delivery.id,
        address: await receiverOf(custody, delivery),
      }));
      const addresses = new Map<string, string>();
      for (const { id, address } of await Promise.all(named))
        if (address !== null) addresses.set(id, address);
      return addresses;
    },
    redeliverAny: async (deliveryId, operator) => {
      const outcome = await store.requeueForOperator(deliveryId, operator);
      return outcome.status === 'requeued' ? requeued(outcome.accountId, deliveryId) : outcome;
    },
    redeliverMany: async (deliveryIds, operator) => {
      const statuses: Redelivery['status'][] = [];
      for (const id of deliveryIds) statuses.push((await store.requeueForOperator(id, operator)).status);
      return statuses;
    },
  };
}

export function createDeliveries(parts: DeliveriesParts): Deliveries {
  return {
    ...createOutbox(parts),
    sendTest: (accountId, configuration, actor) => sendTest(parts, accountId, configuration, actor),
  };
}

async function sendTest(
  parts: DeliveriesParts,
  accountId: string,
  configuration: NotificationConfiguration,
  actor: string,
): Promise<TestDelivery> {
  const delivery = await newDelivery(parts.custody, {
    holder: accountId,
    challengeId: null,
    event: 'test',
    endpointIndex: 0,
    configuration,
  });
  const sent = await parts.send({
    deliveryId: delivery.id,
    configuration,
    body: JSON.stringify(sampleResult()),
    secrets: await parts.secrets.inForce(accountId),
  });
  const record = await attemptRecord(parts.custody, { id: delivery.id, holder: accountId }, sent);
  await parts.store.insertFinished(delivery, record, sent.answered, actor);
  return {
    delivery_id: delivery.id,
    delivered: sent.outcome === 'delivered',
    attempt: presentAttempt(record, sent.excerpt),
  };
}

/** Null if the row was altered: it must not keep the others from being read. */
async function receiverOf(
  custody: Custody,
  delivery: DeliveryWithAttempts['delivery'],
): Promise<string | null> {
  try {
    return addressOf((await openEndpoint(custody, delivery)).properties.endpoint_url);
  } catch (error) {
    if (error instanceof Fault && error.code === 'SEAL_BROKEN') return null;
    throw error;
  }
}

async function present(custody: Custody, found: DeliveryWithAttempts): Promise<Delivery> {
  const { delivery, attempts } = found;
  const configuration = await openEndpoint(custody, delivery);
  return {
    delivery_id: delivery.id,
    challenge_id: delivery.challengeId,
    event: delivery.event,
    endpoint_url: configuration.properties.endpoint_url,
    status: delivery.status,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    attempts: await Promise.all(
      attempts.map(async (attempt) =>
        presentAttempt(attempt, await openExcerpt(custody, delivery, attempt.sealedExcerpt)),
      ),
    ),
  };
}

function presentAttempt(attempt: AttemptRecord, excerpt: string | null): DeliveryAttempt {
  return {
    at: attempt.at.toISOString(),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    response_status: attempt.responseStatus,
    excerpt,
  };
}
