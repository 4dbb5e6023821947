import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import type { AttemptRecord, ClaimRequest, NextStep } from '../../../../src/webhook/ports.ts';
import { forgetReceivers, purgeTestDeliveries } from '../../../../src/webhook/retention.ts';
import { createDeliveryRig, type DeliveryRig, notification } from '../../../webhook/delivery-rig.ts';

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
const claim = (free = 100, change: Partial<ClaimRequest> = {}) =>
  rig.store.claim({
    ...{ free, freeForUnproven: 4 * free, noticed: [], walks: true, busy: [], after: null },
    ...change,
  });
const claimedIds = async (free?: number, change?: Partial<ClaimRequest>) =>
  (await claim(free, change)).deliveries.map((delivery) => delivery.id);
const hashOf = async (id: string) => (await row(id)).endpoint_hash;

test('keeps its prepared plans when a migration adds columns', async () => {
  // PostgreSQL keeps a plan after the fifth execution, per connection.
  const ids = await Promise.all(Array.from({ length: 30 }, async () => (await closeOne()).id));
  const taken: string[] = [];
  const takeSome = async () => {
    for (const id of await claimedIds(4)) {
      taken.push(id);
      await record(id, 0, delivered, { status: 'delivered' });
    }
  };
  for (let turn = 0; turn < 8; turn += 1) await takeSome();
  expect(taken.length).toBeLessThan(ids.length);
  await sql`alter table delivery add column added_later text not null default 'x'`.execute(rig.db);
  await sql`alter table delivery_attempt add column added_later text not null default 'x'`.execute(rig.db);
  while (taken.length < ids.length) await takeSome();
  expect(new Set(taken)).toEqual(new Set(ids));
});

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
      await claim();
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

  it('takes receivers in turn, the oldest delivery of each first, and leaves the next receiver its share', async () => {
    const flood: string[] = [];
    for (let index = 0; index < 40; index += 1) flood.push((await closeOne('http://127.0.0.1:9/')).id);
    const { id: single } = await closeOne('http://127.0.0.1:10/');
    await rig.proveAll();
    const first = await claimedIds(16);
    expect(first).toContain(single);
    const ofFlood = first.filter((id) => id !== single);
    expect(ofFlood.sort()).toEqual(flood.slice(0, 4));
    // A fifth call would exceed the share of six places, but not of seven, whichever process asks.
    expect(await claimedIds(6)).toEqual([]);
    expect(await claimedIds(7)).toEqual([flood[4]]);
    expect(await claimedIds(7)).toEqual([]);
    const { id: late } = await closeOne('http://127.0.0.1:11/');
    expect(await claimedIds(1)).toEqual([]);
    expect(await claimedIds(2)).toEqual([late]);
  });

  it('gives one receiver 64 calls at most, however many places are free', async () => {
    await rig.closeChallenge(Array(70).fill(notification('http://127.0.0.1:9/')));
    await rig.proveAll();
    expect(await claimedIds(1_000)).toHaveLength(64);
    expect(await claimedIds(1_000)).toEqual([]);
  });

  it('makes one call at a time to an unknown receiver', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await closeOne()).id);
    expect(await claimedIds()).toEqual([ids[0]]);
    expect(await claimedIds()).toEqual([]);
    await record(ids[0]!, 0, delivered, { status: 'delivered' });
    expect((await claimedIds()).sort()).toEqual(ids.slice(1));
  });

  it('considers only noticed receivers unless it walks through all', async () => {
    const { id: heard } = await closeOne('http://127.0.0.1:1/');
    const { id: other } = await closeOne('http://127.0.0.1:2/');
    expect(await claimedIds(100, { walks: false })).toEqual([]);
    expect(await claimedIds(100, { walks: false, noticed: [await hashOf(heard)] })).toEqual([heard]);
    expect(await claimedIds()).toEqual([other]);
  });

  it('continues after the receivers already considered, beyond a hundred of them', async () => {
    const notifications = Array.from({ length: 130 }, (_, port) =>
      notification(`http://127.0.0.1:${20_000 + port}/`),
    );
    const { deliveryIds } = await rig.closeChallenge(notifications);
    const claimed: string[] = [];
    let after: Buffer | null = null;
    do {
      const next = await claim(400, { after });
      claimed.push(...next.deliveries.map(({ id }) => id));
      after = next.after;
    } while (after !== null);
    expect(claimed.sort()).toEqual([...deliveryIds].sort());
  });

  it('is not blocked by an account that already has its share', async () => {
    // More receivers than one claim considers, all of one account that already has its share of the places.
    const notifications = Array.from({ length: 210 }, (_, port) =>
      notification(`http://127.0.0.1:${20_000 + port}/`),
    );
    await rig.closeChallenge(notifications);
    const other = await rig.otherAccount();
    const { deliveryIds } = await rig.closeChallenge(
      [notification('http://127.0.0.1:9/')],
      'complete',
      other,
    );
    await rig.proveAll();
    const busy = [{ accountId: rig.accountId, calls: 11, unproven: 0 }];
    const claimed: string[] = [];
    let after: Buffer | null = null;
    let turns = 0;
    do {
      const next = await claim(12, { after, busy });
      claimed.push(...next.deliveries.map(({ id }) => id));
      after = next.after;
      turns += 1;
    } while (after !== null && turns < 9);
    expect(claimed).toEqual(deliveryIds);
    expect(turns).toBe(3);
  });

  it('serves no receiver twice while another waits for its turn', async () => {
    const perReceiver = 4;
    const ports = Array.from({ length: 9 }, (_, index) => index + 1);
    const hooks = ports.map((port) => notification(`http://127.0.0.1:${port}/`));
    for (let n = 0; n < perReceiver; n += 1) await rig.closeChallenge(hooks);
    await rig.proveAll();
    const served = new Map<string, number>();
    let after: Buffer | null = null;
    while (served.size < 9 || Math.max(...served.values()) < perReceiver) {
      // Two at a time, each delivered before the next claim.
      const next = await claim(4, { after });
      for (const { id, endpointHash } of next.deliveries) {
        const receiver = endpointHash.toString('hex');
        served.set(receiver, (served.get(receiver) ?? 0) + 1);
        await record(id, 0, delivered, { status: 'delivered' });
      }
      const counts = [...served.values(), ...Array(9 - served.size).fill(0)];
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      after = next.after;
    }
  });

  it('makes no more calls to receivers that have not answered than there are places for them', async () => {
    const ids: string[] = [];
    for (let port = 1; port <= 6; port += 1) ids.push((await closeOne(`http://127.0.0.1:${port}/`)).id);
    await rig.proveAll();
    const unknown: string[] = [];
    for (let port = 11; port <= 16; port += 1) {
      unknown.push((await closeOne(`http://127.0.0.1:${port}/`)).id);
    }
    const claimed = await claimedIds(100, { freeForUnproven: 6 });
    expect(claimed.filter((id) => unknown.includes(id))).toHaveLength(2);
    expect(claimed).toEqual(expect.arrayContaining(ids));
    // Noticed receivers have more places than those found by walking through all.
    const noticed = await Promise.all(unknown.map(hashOf));
    const more = await claim(100, { freeForUnproven: 6, noticed });
    expect(more.deliveries).toHaveLength(3);
    expect(more.unserved).toHaveLength(1);
  });

  it('leaves half of the places to other accounts, however many receivers one account names', async () => {
    const ports = Array.from({ length: 30 }, (_, index) => index + 1);
    await rig.closeChallenge(ports.map((port) => notification(`http://127.0.0.1:${port}/`)));
    await rig.proveAll();
    const busy = [{ accountId: rig.accountId, calls: 5, unproven: 0 }];
    // That is eight of seventeen.
    expect(await claimedIds(12, { busy })).toHaveLength(3);
    expect(await claimedIds(6, { busy })).toEqual([]);
  });
});

describe('purging tests', () => {
  it('deletes expired ones with their attempts, in batches, and nothing else', async () => {
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
