import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord, NextStep } from '../../src/webhook/ports.ts';
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

const closeOne = async () => {
  const { challengeId, deliveryIds } = await rig.closeChallenge([notification('http://127.0.0.1:9/')]);
  return { challengeId, id: deliveryIds[0]! };
};
const row = (id: string) =>
  rig.db.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const jobRuns = async (id: string) =>
  (await sql<{ run_at: Date }>`select run_at from graphile_worker.jobs where key = ${id}`.execute(rig.db))
    .rows;

describe('recording attempts', () => {
  it('moves the schedule once when two attempts at the same step end at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await closeOne();
      await Promise.all(
        Array.from({ length: 6 }, () => rig.store.recordAttempt(id, 0, failedAttempt, later)),
      );
      expect(await row(id)).toMatchObject({ status: 'pending', schedule_step: 1, attempts: 6 });
      const found = await rig.store.find(rig.accountId, id);
      expect(found!.attempts).toHaveLength(6);
      expect((await jobRuns(id)).map((job) => job.run_at)).toEqual([found!.delivery.nextAttemptAt]);
    }
  });

  it('lets success win over failures, in whichever order they end', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await closeOne();
      await Promise.all([
        rig.store.recordAttempt(id, 0, failedAttempt, later),
        rig.store.recordAttempt(id, 0, delivered, { status: 'delivered' }),
        rig.store.recordAttempt(id, 0, failedAttempt, { status: 'failed' }),
      ]);
      expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 3, next_attempt_at: null });
      expect((await row(id)).finished_at).not.toBeNull();
    }
  });

  it('leaves a cancelled delivery cancelled, and does nothing for an erased one', async () => {
    const { challengeId, id } = await closeOne();
    await rig.store.cancel(id);
    await rig.store.recordAttempt(id, 0, delivered, { status: 'delivered' });
    expect(await row(id)).toMatchObject({ status: 'cancelled', attempts: 1 });
    await rig.db.deleteFrom('challenge').where('id', '=', challengeId).execute();
    await rig.store.recordAttempt(id, 0, failedAttempt, later);
    expect(await rig.store.load(id)).toBeNull();
    const left = await sql`select from delivery_attempt where delivery_id = ${id}`.execute(rig.db);
    expect(left.rows).toEqual([]);
  });
});

describe('putting off', () => {
  it('moves row and job together and counts no attempt', async () => {
    const { id } = await closeOne();
    expect(await rig.store.load(id)).toMatchObject({ due: true });
    await rig.store.defer(id, 60_000);
    const loaded = await rig.store.load(id);
    expect(loaded).toMatchObject({ due: false, delivery: { status: 'pending', scheduleStep: 0 } });
    expect((await jobRuns(id)).map((job) => job.run_at)).toEqual([loaded!.delivery.nextAttemptAt]);
  });
});

describe('listing', () => {
  it('shows the latest 50 attempts, oldest first, in the order of the configuration', async () => {
    const { challengeId, deliveryIds } = await rig.closeChallenge([
      notification('http://127.0.0.1:9/a'),
      notification('http://127.0.0.1:9/b'),
    ]);
    for (let index = 0; index < 52; index += 1) {
      await rig.store.recordAttempt(deliveryIds[0]!, index, { ...failedAttempt, durationMs: index }, later);
    }
    const listed = await rig.store.listByChallenge(rig.accountId, challengeId);
    expect(listed.map(({ delivery }) => delivery.id)).toEqual(deliveryIds);
    expect(listed[0]!.attempts.map((attempt) => attempt.durationMs)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 2),
    );
    expect(listed[1]!.attempts).toEqual([]);
  });
});
