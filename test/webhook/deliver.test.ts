import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { answer, type Receiver } from '../support/receiver.ts';
import { type DeliveryRig, notification, USER_AGENT, useDeliveryRig } from './delivery-rig.ts';

let rig: DeliveryRig;
let receiver: Receiver;
useDeliveryRig((ofFile, its) => {
  rig = ofFile;
  receiver = its;
});

const closeOne = (url = receiver.url) => rig.closeOne(url);
const stored = (challengeId: string) => rig.stored(challengeId);
const secondsAhead = (time: string | null) => (Date.parse(time!) - Date.now()) / 1_000;

describe('a delivery', () => {
  it('is one signed POST of the result, verified by the Standard Webhooks library', async () => {
    const { challengeId, deliveryId } = await closeOne(`${receiver.url}/hook?x=1`);
    expect(await rig.deliver(deliveryId)).toMatchObject({ kind: 'attempted', next: { status: 'delivered' } });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=1' });
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': deliveryId,
    });
    expect(request!.headers.authorization).toBeUndefined();
    const verified = new Webhook(rig.webhookSecret).verify(request!.body, request!.headers as never);
    expect(verified).toMatchObject({ challenge_id: challengeId });
    expect(() =>
      new Webhook(rig.webhookSecret).verify(`${request!.body} `, request!.headers as never),
    ).toThrow();
    expect(await stored(challengeId)).toMatchObject({
      delivery_id: deliveryId,
      event: 'complete',
      endpoint_url: `${receiver.url}/hook?x=1`,
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ outcome: 'delivered', response_status: 204, excerpt: null }],
    });
    expect(await rig.deliver(deliveryId)).toEqual({ kind: 'notDue' });
  });

  it('is inserted once for its challenge, event and position', async () => {
    const { challengeId, deliveryIds } = await rig.closeChallenge([
      notification(receiver.url),
      notification(receiver.url),
    ]);
    const rows = await rig.db
      .selectFrom('delivery')
      .select('id')
      .where('challenge_id', '=', challengeId)
      .execute();
    expect(rows.map((row) => row.id).sort()).toEqual([...deliveryIds].sort());
  });

  it('is built and signed again for every attempt, under the same id, with every secret in force', async () => {
    const { challengeId, deliveryId } = await closeOne();
    receiver.script([answer(500, {}, 'out of order')]);
    await rig.deliver(deliveryId);
    const newer = await rig.secrets.rotate(rig.accountId, 3_600, 'test');
    await rig.makeDue(deliveryId);
    await rig.deliver(deliveryId);
    const [first, second] = receiver.requests;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(JSON.parse(second!.body).built).toBeGreaterThan(JSON.parse(first!.body).built);
    expect(String(second!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const secret of [rig.webhookSecret, newer]) {
      new Webhook(secret).verify(second!.body, second!.headers as never);
    }
    const delivery = await stored(challengeId);
    expect(delivery.attempts.map(({ outcome, excerpt }) => [outcome, excerpt])).toEqual([
      ['http_status', 'out of order'],
      ['delivered', null],
    ]);
  });

  it('follows its schedule, and records each attempt with the time of the next', async () => {
    const { challengeId, deliveryId } = await closeOne();
    receiver.script([], answer(503));
    for (const seconds of [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
      await rig.deliver(deliveryId);
      const delivery = await stored(challengeId);
      expect(delivery.status).toBe('pending');
      expect(Math.abs(secondsAhead(delivery.next_attempt_at) - seconds)).toBeLessThan(4);
      expect(await rig.deliver(deliveryId)).toEqual({ kind: 'notDue' });
      await rig.makeDue(deliveryId);
    }
    await rig.deliver(deliveryId);
    const delivery = await stored(challengeId);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery.attempts).toHaveLength(10);
    expect(receiver.requests).toHaveLength(10);
  });

  it('respects Retry-After', async () => {
    const { challengeId, deliveryId } = await closeOne();
    const date = new Date(Date.now() + 600_000).toUTCString();
    receiver.script([answer(429, { 'retry-after': '90' }), answer(503, { 'retry-after': date })]);
    await rig.deliver(deliveryId);
    expect(Math.abs(secondsAhead((await stored(challengeId)).next_attempt_at) - 90)).toBeLessThan(4);
    await rig.makeDue(deliveryId);
    await rig.deliver(deliveryId);
    expect(Math.abs(secondsAhead((await stored(challengeId)).next_attempt_at) - 600)).toBeLessThan(4);
  });

  it('respects the Retry-After of the token endpoint', async () => {
    const tokenUrl = `${receiver.url}/token`;
    const { challengeId, deliveryIds } = await rig.closeChallenge([notification(receiver.url, tokenUrl)]);
    receiver.script([], answer(503, { 'retry-after': '120' }));
    await rig.deliver(deliveryIds[0]!);
    const delivery = await stored(challengeId);
    expect(delivery.attempts).toMatchObject([{ outcome: 'oauth_rejected', response_status: 503 }]);
    expect(Math.abs(secondsAhead(delivery.next_attempt_at) - 120)).toBeLessThan(4);
    expect(receiver.requests.map((request) => request.path)).toEqual(['/token']);
  });

  it('is not sent if its challenge is erased while it waits for a token', async () => {
    const { challengeId, deliveryIds } = await rig.closeChallenge([
      notification(receiver.url, `${receiver.url}/token`),
    ]);
    receiver.script([
      async (_request, response) => {
        rig.gone.add(challengeId);
        await delay(100);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 }));
      },
    ]);
    expect(await rig.deliver(deliveryIds[0]!)).toEqual({ kind: 'cancelled' });
    expect(receiver.requests.map((request) => request.path)).toEqual(['/token']);
    expect(await stored(challengeId)).toMatchObject({ status: 'cancelled', attempts: [] });
  });

  it.each([
    ['stops at 410', answer(410), { status: 'failed', outcome: 'gone' }],
    [
      'does not follow a redirect',
      answer(307, { location: '/x' }),
      { status: 'pending', outcome: 'redirect_refused' },
    ],
    ['takes any 2xx', answer(299), { status: 'delivered', outcome: 'delivered' }],
    ['repeats after 400', answer(400), { status: 'pending', outcome: 'http_status' }],
    ['cuts a receiver that does not answer', () => {}, { status: 'pending', outcome: 'timeout' }],
  ])('%s', async (_name, script, expected) => {
    const { challengeId, deliveryId } = await closeOne();
    receiver.script([script]);
    await rig.deliver(deliveryId);
    const delivery = await stored(challengeId);
    expect(delivery.status).toBe(expected.status);
    expect(delivery.attempts.map((attempt) => attempt.outcome)).toEqual([expected.outcome]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('stores the beginning of a huge answer, sealed at rest', async () => {
    const { challengeId, deliveryId } = await closeOne();
    receiver.script([answer(500, {}, `echo of ${challengeId} `.repeat(200_000))]);
    await rig.deliver(deliveryId);
    const [attempt] = (await stored(challengeId)).attempts;
    expect(attempt!.excerpt).toHaveLength(1_000);
    expect(attempt!.excerpt).toContain(challengeId);
    const rows = await rig.db
      .selectFrom('delivery_attempt')
      .select('sealed_excerpt')
      .where('delivery_id', '=', deliveryId)
      .execute();
    expect(rows[0]!.sealed_excerpt!.includes(challengeId)).toBe(false);
  });

  it('fails as an attempt if the guard refuses its address', async () => {
    const { challengeId, deliveryId } = await closeOne('http://10.0.0.1/');
    await rig.deliver(deliveryId);
    const [attempt] = (await stored(challengeId)).attempts;
    expect(attempt).toMatchObject({ outcome: 'refused_address', response_status: null });
  });

  it('is cancelled if its challenge has no result to report, and records nothing once erased', async () => {
    const { challengeId, deliveryId } = await closeOne();
    rig.gone.add(challengeId);
    expect(await rig.deliver(deliveryId)).toEqual({ kind: 'cancelled' });
    expect((await stored(challengeId)).status).toBe('cancelled');
    const erased = await closeOne();
    receiver.script([
      async (_request, response) => {
        await rig.db.deleteFrom('challenge').where('id', '=', erased.challengeId).execute();
        response.writeHead(500).end();
      },
    ]);
    await rig.deliver(erased.deliveryId);
    expect(await rig.deliver(erased.deliveryId)).toEqual({ kind: 'notDue' });
    expect(await rig.deliveries.list(rig.accountId, erased.challengeId)).toEqual([]);
  });
});

describe('redelivery', () => {
  it('sends a delivered or failed delivery again, under its old id, with a new run of the schedule', async () => {
    const { challengeId, deliveryId } = await closeOne();
    receiver.script([answer(410), answer(500)]);
    await rig.deliver(deliveryId);
    const requeued = await rig.deliveries.redeliver(rig.accountId, deliveryId);
    expect(requeued).toMatchObject({
      status: 'requeued',
      delivery: { status: 'pending', finished_at: null },
    });
    await rig.deliver(deliveryId);
    expect(Math.abs(secondsAhead((await stored(challengeId)).next_attempt_at) - 5)).toBeLessThan(4);
    await rig.makeDue(deliveryId);
    await rig.deliver(deliveryId);
    await rig.deliveries.redeliver(rig.accountId, deliveryId);
    await rig.deliver(deliveryId);
    expect(receiver.requests.map((request) => request.headers['webhook-id'])).toEqual(
      Array(4).fill(deliveryId),
    );
    expect(await stored(challengeId)).toMatchObject({ status: 'delivered' });
  });

  it('does not find those of another account, and repeats no test or cancelled delivery', async () => {
    const { challengeId, deliveryId } = await closeOne();
    expect(await rig.deliveries.redeliver('acct_other', deliveryId)).toEqual({ status: 'not_found' });
    expect(await rig.deliveries.list('acct_other', challengeId)).toEqual([]);
    rig.gone.add(challengeId);
    await rig.deliver(deliveryId);
    expect(await rig.deliveries.redeliver(rig.accountId, deliveryId)).toEqual({ status: 'not_repeatable' });
    const test = await rig.deliveries.sendTest(rig.accountId, notification(receiver.url), 'key_1');
    const repeated = await rig.deliveries.redeliver(rig.accountId, test.delivery_id);
    expect(repeated).toEqual({ status: 'not_repeatable' });
  });

  it('is not undone by an attempt that was in progress when it was requested', async () => {
    const { challengeId, deliveryId } = await closeOne();
    receiver.script([
      answer(500),
      async (_request, response) => {
        await rig.deliveries.redeliver(rig.accountId, deliveryId);
        response.writeHead(410).end();
      },
    ]);
    await rig.deliver(deliveryId);
    await rig.makeDue(deliveryId);
    await rig.deliver(deliveryId);
    expect(await stored(challengeId)).toMatchObject({ status: 'pending' });
    await rig.deliver(deliveryId);
    expect(await stored(challengeId)).toMatchObject({ status: 'delivered' });
  });
});

describe('the test event', () => {
  it("sends a signed sample at once and returns the receiver's answer", async () => {
    receiver.script([answer(200, {}, 'hello')]);
    const test = await rig.deliveries.sendTest(rig.accountId, notification(receiver.url), 'key_1');
    expect(test).toMatchObject({
      delivered: true,
      attempt: { outcome: 'delivered', response_status: 200, excerpt: 'hello' },
    });
    const [request] = receiver.requests;
    expect(request!.headers['webhook-id']).toBe(test.delivery_id);
    const sample = new Webhook(rig.webhookSecret).verify(request!.body, request!.headers as never);
    expect(sample).toMatchObject({ overall_result: null, diagnostics: { reasons: ['test_event'] } });
    const failed = await rig.deliveries.sendTest(
      rig.accountId,
      notification('http://169.254.169.254/'),
      'key_1',
    );
    expect(failed).toMatchObject({ delivered: false, attempt: { outcome: 'refused_address' } });
    const lines = await rig.db.selectFrom('audit').select(['actor', 'account_id', 'subject']).execute();
    for (const { delivery_id: subject } of [test, failed])
      expect(lines).toContainEqual({ actor: 'key_1', account_id: rig.accountId, subject });
  });
});
