import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord, NextStep } from '../../src/webhook/ports.ts';
import { purgeTestDeliveries } from '../../src/webhook/retention.ts';
import { createDeliveryRig, type DeliveryRig, notification } from '../webhook/delivery-rig.ts';

let rig: DeliveryRig;
beforeAll(async () => {
  rig = await createDeliveryRig();
});
afterEach(() => rig.clear());
afterAll(() => rig?.close());

const failedAttempt: AttemptRecord = {
  at: new Date(),
  durationMs: 12,
  responseStatus: 500,
  outcome: 'http_status',
  sealedExcerpt: null,
};
const delivered: AttemptRecord = { ...failedAttempt, outcome: 'delivered', responseStatus: 200 };
const later: NextStep = { status: 'pending', delayMs: 5_000 };

const closeOne = async (url = 'http://127.0.0.1:9/') => {
  const { challengeId, deliveryId: id } = await rig.closeOne(url);
  return { challengeId, id };
};
const row = (id: string) =>
  rig.db.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const record = (deliveryId: string, step: number, attempt: AttemptRecord, next: NextStep) =>
  rig.store.recordAttempts([{ deliveryId, step, attempt, next }]);
const claim = (free = 100, freeForRetries = free, after: Buffer | null = null) =>
  rig.store.claim({ free, freeForRetries, after });
const claimedIds = async (free?: number, freeForRetries?: number) =>
  (await claim(free, freeForRetries)).deliveries.map((delivery) => delivery.id);

describe('recording attempts', () => {
  it('moves the schedule once when two attempts at the same step end at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await closeOne();
      await Promise.all(Array.from({ length: 6 }, () => record(id, 0, failedAttempt, later)));
      expect(await row(id)).toMatchObject({ status: 'pending', schedule_step: 1, attempts: 6 });
      const found = await rig.store.find(rig.accountId, id);
      expect(found!.attempts).toHaveLength(6);
    }
  });

  it('lets success win over failures, in whichever order they end', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await closeOne();
      await Promise.all([
        record(id, 0, failedAttempt, later),
        record(id, 0, delivered, { status: 'delivered' }),
        record(id, 0, failedAttempt, { status: 'failed' }),
      ]);
      expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 3, next_attempt_at: null });
      expect((await row(id)).finished_at).not.toBeNull();
    }
  });

  it('leaves a cancelled delivery cancelled, and does nothing for an erased one', async () => {
    const { challengeId, id } = await closeOne();
    await rig.store.cancel(id);
    await record(id, 0, delivered, { status: 'delivered' });
    expect(await row(id)).toMatchObject({ status: 'cancelled', attempts: 1 });
    await rig.db.deleteFrom('challenge').where('id', '=', challengeId).execute();
    await record(id, 0, failedAttempt, later);
    expect(await rig.store.find(rig.accountId, id)).toBeNull();
    const left = rig.db.selectFrom('delivery_attempt').select('id').where('delivery_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });

  it('writes many at once, each with its own outcome', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, async () => (await closeOne()).id));
    const sealedExcerpt = Buffer.from([0, 255, 92, 34, 44]);
    await rig.store.recordAttempts(
      ids.map((deliveryId, index) => ({
        deliveryId,
        step: 0,
        attempt: {
          ...(index % 2 ? delivered : failedAttempt),
          sealedExcerpt: index % 3 ? sealedExcerpt : null,
        },
        next: index % 2 ? { status: 'delivered' } : later,
      })),
    );
    for (const [index, id] of ids.entries()) {
      const found = await rig.store.find(rig.accountId, id);
      expect(found!.delivery.status).toBe(index % 2 ? 'delivered' : 'pending');
      expect(found!.attempts[0]!.sealedExcerpt).toEqual(index % 3 ? sealedExcerpt : null);
      expect(found!.attempts[0]!.at).toEqual(failedAttempt.at);
    }
  });
});

describe('claiming', () => {
  it('leases a delivery to one process, and gives it out again when the lease has run out', async () => {
    const { id } = await closeOne();
    const [first, second] = await Promise.all([claimedIds(), claimedIds()]);
    expect([...first, ...second]).toEqual([id]);
    expect(await claimedIds()).toEqual([]);
    await rig.endLease(id);
    expect(await claimedIds()).toEqual([id]);
    await record(id, 0, failedAttempt, later);
    expect(await row(id)).toMatchObject({ lease_until: null, leases: 0 });
    expect(await claimedIds()).toEqual([]);
  });

  it('lengthens the lease of a delivery that nobody lives to record', async () => {
    const { id } = await closeOne();
    const lengths: number[] = [];
    for (let crash = 0; crash < 6; crash += 1) {
      await claim();
      lengths.push(Math.round(((await row(id)).lease_until!.getTime() - Date.now()) / 1_000));
      await rig.endLease(id);
    }
    expect(lengths).toEqual([20, 20, 40, 80, 160, 320]);
  });

  it('takes receivers in turn, the oldest of each first, and leaves the next receiver its share', async () => {
    const flood: string[] = [];
    for (let index = 0; index < 40; index += 1) flood.push((await closeOne('http://127.0.0.1:9/')).id);
    const { id: single } = await closeOne('http://127.0.0.1:10/');
    const first = await claimedIds(16);
    expect(first).toHaveLength(8);
    expect(first).toContain(single);
    expect(first.filter((id) => id !== single).sort()).toEqual(flood.slice(0, 7));
    // 8 free, 7 under way: one more for the flood, then none, whoever asks.
    expect(await claimedIds(8)).toEqual([flood[7]]);
    expect(await claimedIds(7)).toEqual([]);
    const { id: late } = await closeOne('http://127.0.0.1:11/');
    expect(await claimedIds(1)).toEqual([late]);
  });

  it('goes on behind the receivers that it looked at, past a hundred of them', async () => {
    const notifications = Array.from({ length: 130 }, (_, port) =>
      notification(`http://127.0.0.1:${20_000 + port}/`),
    );
    const { deliveryIds } = await rig.closeChallenge(notifications);
    const first = await claim(400);
    expect(first.deliveries).toHaveLength(100);
    const second = await rig.store.claim({ free: 400, freeForRetries: 0, after: first.after });
    expect(second.after).toBeNull();
    const claimed = [...first.deliveries, ...second.deliveries].map((delivery) => delivery.id);
    expect(claimed.sort()).toEqual([...deliveryIds].sort());
  });

  it('takes no more retries than there is room for', async () => {
    const ids: string[] = [];
    for (let port = 1; port <= 6; port += 1) ids.push((await closeOne(`http://127.0.0.1:${port}/`)).id);
    await rig.db
      .updateTable('delivery')
      .set({ schedule_step: 1 })
      .where('id', 'in', ids.slice(0, 5))
      .execute();
    const claimed = await claimedIds(100, 2);
    expect(claimed).toHaveLength(3);
    expect(claimed).toContain(ids[5]);
  });
});

describe('purging tests', () => {
  it('deletes those past their time with their attempts, a batch at a time, and nothing else', async () => {
    const { id: ofChallenge } = await closeOne();
    await record(ofChallenge, 0, delivered, { status: 'delivered' });
    const testDelivery = async () =>
      (await rig.deliveries.sendTest(rig.accountId, notification('http://127.0.0.1:9/'))).delivery_id;
    const old = [await testDelivery(), await testDelivery(), await testDelivery()];
    const fresh = await testDelivery();
    const finishedAt = new Date(Date.now() - 91 * 86_400_000);
    await rig.db
      .updateTable('delivery')
      .set({ finished_at: finishedAt })
      .where('id', 'in', [...old, ofChallenge])
      .execute();
    expect(await rig.store.purgeTests(90, 2)).toBe(2);
    expect(await purgeTestDeliveries(rig.store, 90)).toBe(1);
    expect(await purgeTestDeliveries(rig.store, 90)).toBe(0);
    const left = await rig.db.selectFrom('delivery').select('id').execute();
    expect(left.map(({ id }) => id).sort()).toEqual([ofChallenge, fresh].sort());
    const attempts = await rig.db.selectFrom('delivery_attempt').select('delivery_id').execute();
    expect(attempts.map((attempt) => attempt.delivery_id).sort()).toEqual([ofChallenge, fresh].sort());
    await rig.db.deleteFrom('delivery').where('id', '=', fresh).execute();
  });
});

describe('listing', () => {
  it('shows the latest 50 attempts, oldest first, in the order of the configuration', async () => {
    const { challengeId, deliveryIds } = await rig.closeChallenge([
      notification('http://127.0.0.1:9/a'),
      notification('http://127.0.0.1:9/b'),
    ]);
    for (let index = 0; index < 52; index += 1) {
      await record(deliveryIds[0]!, index, { ...failedAttempt, durationMs: index }, later);
    }
    const listed = await rig.store.listByChallenge(rig.accountId, challengeId);
    expect(listed.map(({ delivery }) => delivery.id)).toEqual(deliveryIds);
    expect(listed[0]!.attempts.map((attempt) => attempt.durationMs)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 2),
    );
    expect(listed[1]!.attempts).toEqual([]);
  });
});
