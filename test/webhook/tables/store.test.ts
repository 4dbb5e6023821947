import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forgetReceivers, purgeTestDeliveries } from '../../../src/webhook/retention.ts';
import type { NextStep } from '../../../src/webhook/schedule.ts';
import type { AttemptRecord } from '../../../src/webhook/tables/attempts.ts';
import { createDeliveryRig, type DeliveryRig, notification } from '../delivery-rig.ts';

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
  rig.store.recordAttempts([{ deliveryId, step, attempt, next, answered: attempt.outcome === 'delivered' }]);
const claimedIds = async (limit = 1_000) => (await rig.store.claim(limit)).map((delivery) => delivery.id);
const hashOf = async (id: string) => (await row(id)).endpoint_hash;

describe('recording attempts', () => {
  it('advances the schedule once when two attempts at the same step end at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await closeOne();
      await Promise.all(Array.from({ length: 6 }, () => record(id, 0, failedAttempt, later)));
      expect(await row(id)).toMatchObject({ status: 'pending', schedule_step: 1, attempts: 6 });
      const found = await rig.store.find(rig.accountId, id);
      expect(found!.attempts).toHaveLength(6);
    }
  });

  it('prefers success over failures, in whichever order they end', async () => {
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
        answered: index % 2 === 1,
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
  it('leases a delivery to one process, and to another when the lease has expired', async () => {
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

  it('lengthens the lease of a delivery whose processes keep dying', async () => {
    const { id } = await closeOne();
    const lengths: number[] = [];
    for (let crash = 0; crash < 6; crash += 1) {
      await claimedIds();
      lengths.push(Math.round(((await row(id)).lease_until!.getTime() - Date.now()) / 1_000));
      await rig.endLease(id);
    }
    expect(lengths).toEqual([20, 20, 40, 80, 160, 320]);
  });

  it('does not treat a long lease as a long call', async () => {
    const { id } = await closeOne();
    await rig.db
      .updateTable('delivery')
      .set({ leases: 9, lease_until: new Date(Date.now() + 2_000_000) })
      .where('id', '=', id)
      .execute();
    const { id: next } = await closeOne();
    // The receiver is unknown and gets one call at a time, if the first is still in progress.
    expect(await claimedIds()).toEqual([next]);
  });

  it('takes receivers in turn, the oldest delivery of each first', async () => {
    const flood: string[] = [];
    for (let index = 0; index < 20; index += 1) flood.push((await closeOne('http://127.0.0.1:9/')).id);
    const { id: single } = await closeOne('http://127.0.0.1:10/');
    await rig.proveAll();
    expect((await claimedIds(2)).sort()).toEqual([flood[0], single].sort());
    expect((await claimedIds(3)).sort()).toEqual(flood.slice(1, 4));
    const { id: late } = await closeOne('http://127.0.0.1:10/');
    // It has one call under way, the other four.
    expect(await claimedIds(1)).toEqual([late]);
  });

  it('gives one receiver 64 calls at most in all processes, 32 at a time', async () => {
    await rig.closeChallenge(Array(70).fill(notification('http://127.0.0.1:9/')));
    await rig.proveAll();
    const counts: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) counts.push((await claimedIds()).length);
    expect(counts).toEqual([32, 32, 0]);
  });

  it('stays within the cap of a receiver when many processes claim at once', async () => {
    await rig.closeChallenge(Array(70).fill(notification('http://127.0.0.1:9/')));
    await rig.proveAll();
    const claims = await Promise.all(Array.from({ length: 40 }, () => claimedIds(5)));
    const taken = claims.flat();
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken.length).toBeLessThanOrEqual(64);
  });

  it('makes one call at a time to an unknown receiver', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await closeOne()).id);
    expect(await claimedIds()).toEqual([ids[0]]);
    expect(await claimedIds()).toEqual([]);
    await record(ids[0]!, 0, delivered, { status: 'delivered' });
    expect((await claimedIds()).sort()).toEqual(ids.slice(1));
  });

  it('makes at most 384 calls for one account, and none of its backlog delays another', async () => {
    await rig.closeChallenge(manyReceivers(400));
    await rig.proveAll();
    expect(await claimedIds(100)).toHaveLength(100);
    const other = await rig.otherAccount();
    const { deliveryIds } = await rig.closeChallenge(
      [notification('http://127.0.0.1:9/')],
      'complete',
      other,
    );
    expect(await claimedIds(1)).toEqual(deliveryIds);
    expect(await claimedIds()).toHaveLength(284);
    expect(await claimedIds()).toEqual([]);
  });

  it('makes at most 512 calls to receivers that may not answer, without delaying those that do', async () => {
    const { id: answering } = await closeOne();
    await rig.proveAll();
    for (let account = 0; account < 2; account += 1) {
      await rig.closeChallenge(manyReceivers(300), 'complete', await rig.otherAccount());
    }
    const claimed = await claimedIds();
    expect(claimed).toHaveLength(513);
    expect(claimed).toContain(answering);
    const { id: next } = await closeOne();
    expect(await claimedIds()).toEqual([next]);
  });

  it('prefers receivers that nothing is known of to those that failed the last time', async () => {
    const { id: failed } = await closeOne('http://127.0.0.1:1/');
    await record(failed, 0, failedAttempt, { status: 'pending', delayMs: 0 });
    await rig.makeDue(failed);
    const { id: unknown } = await closeOne('http://127.0.0.1:2/');
    expect(await claimedIds(1)).toEqual([unknown]);
    expect(await claimedIds(1)).toEqual([failed]);
  });
});

const manyReceivers = (count: number) =>
  Array.from({ length: count }, (_, port) => notification(`http://127.0.0.1:${20_000 + port}/`));

describe('purging tests', () => {
  it('deletes expired ones with their attempts, in batches, and nothing else', async () => {
    const { id: ofChallenge } = await closeOne();
    await record(ofChallenge, 0, delivered, { status: 'delivered' });
    const testDelivery = async () =>
      (await rig.deliveries.sendTest(rig.accountId, notification('http://127.0.0.1:9/'), 'key_1'))
        .delivery_id;
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

describe('forgetting receivers', () => {
  it('keeps recently active ones, and those with waiting deliveries', async () => {
    const { id: finished } = await closeOne('http://127.0.0.1:1/');
    const { id: pending } = await closeOne('http://127.0.0.1:2/');
    const { id: lately } = await closeOne('http://127.0.0.1:3/');
    for (const id of [finished, lately]) await record(id, 0, delivered, { status: 'delivered' });
    await record(pending, 0, failedAttempt, later);
    await rig.db
      .updateTable('webhook_receiver')
      .set({ changed_at: new Date(Date.now() - 91 * 86_400_000) })
      .where('endpoint_hash', '<>', await hashOf(lately))
      .execute();
    expect(await forgetReceivers(rig.store, 90)).toBe(1);
    const left = await rig.db.selectFrom('webhook_receiver').select('endpoint_hash').execute();
    const kept = [await hashOf(pending), await hashOf(lately)];
    expect(left.map(({ endpoint_hash }) => endpoint_hash).sort(Buffer.compare)).toEqual(
      kept.sort(Buffer.compare),
    );
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
