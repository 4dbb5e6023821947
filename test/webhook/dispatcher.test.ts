import { describe, expect, it } from 'vitest';
import { createAttemptRecorder } from '../../src/webhook/attempt-recorder.ts';
import { createDeliver, type DeliverParts } from '../../src/webhook/deliver.ts';
import { createRetrySchedule } from '../../src/webhook/schedule.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { type DeliveryRig, notification, useDeliveryRig } from './delivery-rig.ts';

let rig: DeliveryRig;
let receiver: Receiver;
useDeliveryRig((ofFile, its) => {
  rig = ofFile;
  receiver = its;
});

const closeOne = () => rig.closeOne(receiver.url);

describe('dispatching', () => {
  it('delivers without a request, at once', async () => {
    rig.dispatch();
    const { challengeId, deliveryId } = await closeOne();
    await receiver.received(1);
    expect(receiver.requests[0]!.headers['webhook-id']).toBe(deliveryId);
    await expect.poll(async () => (await rig.stored(challengeId)).status).toBe('delivered');
  });

  it('sends again, with the same id, what was sent but not recorded before a crash', async () => {
    const { challengeId, deliveryId } = await closeOne();
    let crashes = 1;
    const recordAttempts: DeliveryRig['store']['recordAttempts'] = async (finished) => {
      if (crashes-- > 0) throw new Error('killed between sending and recording');
      return rig.store.recordAttempts(finished);
    };
    rig.dispatch({ record: createAttemptRecorder({ recordAttempts }) });
    await receiver.received(1);
    await expect.poll(() => crashes).toBe(0);
    expect(await rig.stored(challengeId)).toMatchObject({ status: 'pending', attempts: [] });
    await rig.endLease(deliveryId);
    await receiver.received(2, 20_000);
    await expect.poll(async () => (await rig.stored(challengeId)).status).toBe('delivered');
    expect(receiver.requests.map((request) => request.headers['webhook-id'])).toEqual([
      deliveryId,
      deliveryId,
    ]);
    expect((await rig.stored(challengeId)).attempts).toHaveLength(1);
  });

  it('retries according to the schedule', async () => {
    const { challengeId } = await closeOne();
    receiver.script([answer(500)]);
    rig.dispatch({ schedule: createRetrySchedule([1_000], () => 0) });
    await receiver.received(2, 20_000);
    const [first, second] = receiver.requests;
    expect(second!.receivedAt.getTime() - first!.receivedAt.getTime()).toBeGreaterThanOrEqual(1_000);
    await expect.poll(async () => (await rig.stored(challengeId)).status).toBe('delivered');
  });

  it.each([
    'payload',
    'secrets',
  ] as const)('fails a delivery whose %s cannot be opened without affecting others', async (broken) => {
    const hooks = [0, 1, 2].map((at) => notification(`${receiver.url}/${at}`));
    const { deliveryIds } = await rig.closeChallenge(hooks);
    await rig.proveAll();
    const deliveries = await rig.claimAll();
    const claimed = deliveryIds.map((id) => deliveries.find((delivery) => delivery.id === id)!);
    // As if claimed for another account and challenge, whose key is gone.
    claimed[1] = { ...claimed[1]!, accountId: 'acct_broken', challengeId: 'ch_broken' };
    const fault = new Error('SEAL_BROKEN');
    const payloads: DeliverParts['payloads'] = {
      payloads: async (asked) => {
        if (broken === 'payload' && asked.some((each) => each.challengeId === 'ch_broken')) throw fault;
        return rig.parts.payloads.payloads(asked);
      },
    };
    const secrets: DeliverParts['secrets'] = {
      inForce: async (accountId) => {
        if (broken === 'secrets' && accountId === 'acct_broken') throw fault;
        return rig.secrets.inForce(accountId);
      },
    };
    const outcomes = await Promise.allSettled(createDeliver({ ...rig.parts, payloads, secrets })(claimed));
    expect(outcomes).toMatchObject([
      { value: { kind: 'attempted', next: { status: 'delivered' } } },
      { status: 'rejected', reason: fault },
      { value: { kind: 'attempted', next: { status: 'delivered' } } },
    ]);
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/0', '/2']);
  });

  it('sends each of many deliveries once, with two processes', async () => {
    const sent = new Set<string>();
    for (let index = 0; index < 20; index += 1) {
      const { deliveryIds } = await rig.closeChallenge(
        Array.from({ length: 10 }, (_, at) => notification(`${receiver.url}/${at}`)),
      );
      for (const id of deliveryIds) sent.add(id);
    }
    rig.dispatch();
    rig.dispatch();
    await receiver.received(200, 20_000);
    const received = receiver.requests.map((request) => request.headers['webhook-id']);
    expect(new Set(received)).toEqual(sent);
    expect(received).toHaveLength(200);
  });

  it('does not let one hanging receiver delay fifty others', async () => {
    const hanging = await startReceiver();
    hanging.script([], () => {});
    const others = await Promise.all(Array.from({ length: 50 }, () => startReceiver()));
    try {
      const flood = Array.from({ length: 10 }, () => notification(hanging.url));
      for (let index = 0; index < 10; index += 1) await rig.closeChallenge(flood);
      // It has always answered until now: a hundred calls that outlast this test.
      await rig.proveAll();
      const slow = { send: rig.sendWithin(60_000) };
      rig.dispatch(slow);
      rig.dispatch(slow);
      await hanging.received(64);
      for (const other of others) await rig.closeChallenge([notification(other.url)]);
      // `received` waits far less than the calls to the hanging receiver last: they are all still in progress.
      await Promise.all(others.map((other) => other.received(1)));
      expect(hanging.requests).toHaveLength(64);
    } finally {
      await Promise.all([hanging, ...others].map((each) => each.close()));
    }
  });
});
