// Receivers that never answer, beside live ones.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRetrySchedule } from '../../../src/webhook/schedule.ts';
import { type Answer, answer, type Receiver, startReceiver } from '../../support/receiver.ts';
import { type DeliveryRig, notification, useDeliveryRig } from '../../webhook/delivery-rig.ts';

let rig: DeliveryRig;
useDeliveryRig((ofFile) => {
  rig = ofFile;
});

/** Starts receivers, by default ones that never answer; stops them after the work. */
async function withDead(
  count: number,
  work: (dead: readonly Receiver[]) => Promise<void>,
  behave: Answer = () => {},
): Promise<void> {
  const dead = await Promise.all(Array.from({ length: count }, () => startReceiver()));
  for (const each of dead) each.script([], behave);
  try {
    await work(dead);
  } finally {
    await Promise.all(dead.map((each) => each.close()));
  }
}

const countAttempts = async () => (await rig.db.selectFrom('delivery_attempt').select('id').execute()).length;

const openBreakers = () =>
  rig.db.selectFrom('webhook_receiver').select('failures').where('probe_at', 'is not', null).execute();

describe('dead receivers', () => {
  it('do not delay live ones, which get everything while every call to a dead one still hangs', () =>
    withDead(30, async (dead) => {
      const hooks = dead.map((each) => notification(each.url));
      for (let n = 0; n < 5; n += 1) await rig.closeChallenge(hooks);
      rig.dispatch({ send: rig.sendWithin(15_000) });
      await expect.poll(() => dead.filter((each) => each.requests.length > 0).length).toBeGreaterThan(0);
      // New to the dispatcher, like the dead ones.
      const live = await Promise.all(Array.from({ length: 5 }, () => startReceiver()));
      try {
        for (let n = 0; n < 2; n += 1) {
          await rig.closeChallenge(live.map((each) => notification(each.url)));
        }
        await Promise.all(live.map((each) => each.received(2, 15_000)));
        const delivered = await rig.db
          .selectFrom('delivery_attempt')
          .select('outcome')
          .where('outcome', '<>', 'delivered')
          .execute();
        expect(delivered).toEqual([]);
        expect(dead.filter((each) => each.requests.length > 1)).toEqual([]);
      } finally {
        await Promise.all(live.map((each) => each.close()));
      }
    }));

  it('recover with their first answer: waiting deliveries are sent, and nothing is lost', () =>
    withDead(1, async ([back]) => {
      const { challengeId } = await rig.closeChallenge(Array(10).fill(notification(back!.url)));
      // It refuses the first call and then works. Its pause is shortened.
      back!.script([answer(503)]);
      rig.dispatch();
      await expect.poll(countAttempts).toBe(1);
      const past = new Date(Date.now() - 1_000);
      await expect.poll(async () => (await openBreakers()).length).toBe(1);
      await rig.db.updateTable('webhook_receiver').set({ probe_at: past }).execute();
      await back!.received(11, 20_000);
      const statuses = async () =>
        (await rig.deliveries.list(rig.accountId, challengeId)).map((delivery) => delivery.status);
      await expect.poll(statuses).toEqual(Array(10).fill('delivered'));
    }));

  it('that are only slow get everything, even if they failed before', () =>
    withDead(
      1,
      async ([slow]) => {
        slow!.script([answer(500)], async (_request, response) => {
          await delay(700);
          response.writeHead(200).end();
        });
        const { challengeId } = await rig.closeChallenge(Array(6).fill(notification(slow!.url)));
        rig.dispatch({ schedule: createRetrySchedule([100, 100, 100], () => 0) });
        await expect.poll(async () => (await openBreakers()).length).toBe(1);
        await rig.db.updateTable('webhook_receiver').set({ probe_at: new Date() }).execute();
        const statuses = async () =>
          (await rig.deliveries.list(rig.accountId, challengeId)).map((delivery) => delivery.status);
        await expect.poll(statuses, { timeout: 20_000 }).toEqual(Array(6).fill('delivered'));
      },
      () => {},
    ));

  it('that send an answer slowly are disconnected once the status is known', () =>
    withDead(
      1,
      async ([dripping]) => {
        const { challengeId } = await rig.closeOne(dripping!.url);
        rig.dispatch({ send: rig.sendWithin(15_000) });
        await expect.poll(async () => (await rig.stored(challengeId)).status).toBe('delivered');
        const [attempt] = (await rig.stored(challengeId)).attempts;
        expect(attempt).toMatchObject({ outcome: 'delivered', excerpt: 'x' });
        expect(attempt!.duration_ms).toBeLessThan(10_000);
      },
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('x');
      },
    ));
});
