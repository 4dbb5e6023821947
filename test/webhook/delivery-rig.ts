// The webhook room as the service composes it, on a real database with real keys: an account, and closed challenges.
// Only the payload source is the test's own.
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { detailsOf } from '../../src/challenge/seals.ts';
import { composeServices, type Services } from '../../src/composition/services.ts';
import { VERSION } from '../../src/config/version.ts';
import type { NotificationConfiguration } from '../../src/contract/challenge-request.ts';
import {
  createDeliver,
  type DeliverOutcome,
  type DeliverParts,
  type PayloadSource,
} from '../../src/webhook/deliver.ts';
import type { Dispatcher } from '../../src/webhook/dispatcher.ts';
import { makeDeliveries } from '../../src/webhook/endpoint.ts';
import { sampleResult } from '../../src/webhook/sample-result.ts';
import { createRetrySchedule, RETRY_DELAYS_MS } from '../../src/webhook/schedule.ts';
import {
  createDeliveryStore,
  insertDeliveries,
  type StoredDelivery,
} from '../../src/webhook/tables/store.ts';
import { createTestFoundation } from '../support/foundation.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { seedChallenges } from '../support/seed-challenges.ts';

const ATTEMPT_TIMEOUT_MS = 1_500;
export const USER_AGENT = `Likeness/${VERSION}`;

export async function createDeliveryRig() {
  const foundation = await createTestFoundation();
  const { accounts, database, keys: custody, webhookSecrets: secrets } = foundation;
  const { db } = database;
  const account = await accounts.create({ name: 'webhook test' }, 'test');
  if (account.status !== 'created') throw new Error('no account');
  const { accountId, webhookSecret } = account;

  const composed: Services[] = [];
  const servicesWithin = (attemptTimeoutMs: number): Services => {
    const services = composeServices(foundation, { attemptTimeoutMs });
    composed.push(services);
    return services;
  };
  const services = servicesWithin(ATTEMPT_TIMEOUT_MS);
  const { deliveries } = services;
  const store = createDeliveryStore(db);
  const gone = new Set<string>();
  let built = 0;
  const payloads: PayloadSource = {
    payloads: async (challenges) =>
      challenges.map(({ challengeId }) => {
        if (gone.has(challengeId)) return { status: 'gone' };
        built += 1;
        return { status: 'ready', result: { ...sampleResult(), challenge_id: challengeId, built } as never };
      }),
  };
  const parts: DeliverParts = {
    ...services.deliverParts,
    payloads,
    schedule: createRetrySchedule(RETRY_DELAYS_MS, () => 0),
    observe: () => {},
  };
  const dispatchers: Dispatcher[] = [];

  /** A closed challenge, with its deliveries as the closing transaction writes them. */
  async function closeChallenge(
    notifications: NotificationConfiguration[],
    event: 'complete' | 'expired' = 'complete',
    ofAccount = accountId,
  ): Promise<{ challengeId: string; deliveryIds: string[] }> {
    const [challenge] = await seedChallenges(db, custody, ofAccount, 1);
    const { id: challengeId } = challenge!;
    const rows = await makeDeliveries(custody, {
      challengeId,
      holder: detailsOf(challenge!),
      event,
      notifications,
    });
    await db.transaction().execute(async (session) => {
      await session
        .updateTable('challenge')
        .set({ status: 'completed', closed_reason: 'completed', closed_at: new Date() })
        .where('id', '=', challengeId)
        .execute();
      await insertDeliveries(session, rows);
      await insertDeliveries(session, rows);
    });
    return { challengeId, deliveryIds: rows.map((row) => row.id) };
  }

  /** Claims as a process with many places does. */
  const claimAll = (): Promise<StoredDelivery[]> => store.claim(1_000);

  return {
    url: database.connectionString,
    db,
    store,
    custody,
    secrets,
    parts,
    sendWithin: (timeoutMs: number) => servicesWithin(timeoutMs).deliverParts.send,
    gone,
    accountId,
    webhookSecret,

    claimAll,

    /** Creates another account; returns its id. */
    async otherAccount(): Promise<string> {
      const other = await accounts.create({ name: `other ${newId('account')}` }, 'test');
      if (other.status !== 'created') throw new Error('no account');
      return other.accountId;
    },

    /**
     * Claims everything that is due, as a process does that then dies, and attempts this delivery if it was claimed.
     */
    async deliver(deliveryId: string): Promise<DeliverOutcome | { kind: 'notDue' }> {
      const claimed = (await claimAll()).filter((delivery) => delivery.id === deliveryId);
      return claimed.length === 0 ? { kind: 'notDue' } : createDeliver(parts)(claimed)[0]!;
    },

    deliveries,

    closeChallenge,

    /** A closed challenge with one delivery to this address. */
    async closeOne(url: string): Promise<{ challengeId: string; deliveryId: string }> {
      const { challengeId, deliveryIds } = await closeChallenge([notification(url)]);
      return { challengeId, deliveryId: deliveryIds[0]! };
    },

    /** A challenge's first delivery, as the API shows it. */
    async stored(challengeId: string) {
      return (await deliveries.list(accountId, challengeId))[0]!;
    },

    /** Dispatches as a worker process does, until `clear`. Call it twice for two processes. */
    dispatch(changes: Partial<DeliverParts> = {}): Dispatcher {
      const dispatcher = services.dispatchDeliveries({ ...parts, ...changes });
      dispatchers.push(dispatcher);
      return dispatcher;
    },

    /** Stops the dispatchers and deletes what a test left waiting. */
    async clear(): Promise<void> {
      await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop()));
      await db.deleteFrom('challenge').execute();
      await db.deleteFrom('webhook_receiver').execute();
    },

    /** Marks every receiver that the tests know as having answered just now. */
    async proveAll(): Promise<void> {
      await sql`
        insert into webhook_receiver (endpoint_hash, account_id, answered_at)
        select distinct endpoint_hash, account_id, now() from delivery
        on conflict (endpoint_hash) do update set answered_at = now(), failures = 0, probe_at = null
      `.execute(db);
    },

    /** Makes the next attempt due now, and the next probe of its receiver. */
    async makeDue(deliveryId: string): Promise<void> {
      const past = new Date(Date.now() - 1_000);
      await db
        .updateTable('webhook_receiver')
        .set({ probe_at: past })
        .where('probe_at', 'is not', null)
        .execute();
      await db
        .updateTable('delivery')
        .set({ next_attempt_at: past, lease_until: null })
        .where('id', '=', deliveryId)
        .execute();
    },

    /** Expires the lease, as if its process had died longer ago than the lease lasts. */
    async endLease(deliveryId: string): Promise<void> {
      const ended = new Date(Date.now() - 1_000);
      await db.updateTable('delivery').set({ lease_until: ended }).where('id', '=', deliveryId).execute();
    },

    async close(): Promise<void> {
      await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop()));
      await Promise.all(composed.map((each) => each.close()));
      await foundation.close();
    },
  };
}

export type DeliveryRig = Awaited<ReturnType<typeof createDeliveryRig>>;

/** A notification configuration, with OAuth where a token endpoint is given. */
export function notification(
  endpointUrl: string,
  tokenUrl?: string,
  clientSecret = 's3cr3t+/="',
): NotificationConfiguration {
  const properties = {
    oauth_endpoint_url: tokenUrl ?? '',
    grant: 'client_credentials' as const,
    client_id: 'the client',
    client_secret: clientSecret,
    scope: 'webhooks',
    audience: 'receiver',
  };
  return {
    type: 'http',
    properties: {
      endpoint_url: endpointUrl,
      ...(tokenUrl ? { authentication: { type: 'oauth', properties } } : {}),
    },
  };
}

/** A rig and a receiver for the tests of a file, handed over before the first; the receiver is fresh for each test. */
export function useDeliveryRig(take: (rig: DeliveryRig, receiver: Receiver) => void): void {
  let rig: DeliveryRig;
  let receiver: Receiver;
  beforeAll(async () => {
    rig = await createDeliveryRig();
    receiver = await startReceiver();
    take(rig, receiver);
  });
  beforeEach(() => {
    receiver.requests.length = 0;
    receiver.script([]);
  });
  afterEach(() => rig.clear());
  afterAll(async () => {
    await rig?.close();
    await receiver?.close();
  });
}
