import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/contract/problem.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
let receiver: Receiver;
beforeAll(async () => {
  rig = await createHttpRig();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await rig.close();
});

describe('challenges', () => {
  it('lists newest first, with pages and filters', async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index++) {
      made.unshift((await rig.create({ liveness_only: true, customer_reference: 'listed' })).challenge_id);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const page = (await rig.call('GET', `/v1/challenges?customer_reference=listed&limit=2${query}`)).json();
      seen.push(...page.data.map((row: { challenge_id: string }) => row.challenge_id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(made);
    await rig.call('POST', `/v1/challenges/${made[0]}/cancel`);
    const cancelled = (await rig.call('GET', '/v1/challenges?status=cancelled')).json();
    expect(cancelled.data.map((row: { challenge_id: string }) => row.challenge_id)).toEqual([made[0]]);
    const none = await rig.call('GET', '/v1/challenges?created_before=2020-01-01T00:00:00Z');
    expect(none.json()).toEqual({ data: [], next_cursor: null });
  });

  it('lists from a time on, and up to a time', async () => {
    const { challenge_id } = await rig.create();
    const createdAt = '2020-01-01T00:00:00.123Z';
    const db = rig.db.updateTable('challenge').set({ created_at: new Date(createdAt) });
    await db.where('id', '=', challenge_id).execute();
    const listed = async (from: string, to: string) =>
      (await rig.call('GET', `/v1/challenges?created_after=${from}&created_before=${to}`))
        .json()
        .data.map((row: { challenge_id: string }) => row.challenge_id);
    const [before, after] = ['2020-01-01T00:00:00.122Z', '2020-01-01T00:00:00.124Z'];
    expect(await listed(createdAt, after)).toEqual([challenge_id]);
    expect(await listed(before, createdAt)).toEqual([]);
    expect(await listed(after, '2020-01-02T00:00:00Z')).toEqual([]);
  });

  it('pages through challenges created at the same moment, of any status, even while some are erased', async () => {
    const made = await Promise.all(Array.from({ length: 7 }, () => rig.create()));
    const ids = made.map(({ challenge_id }) => challenge_id).sort();
    await rig.db
      .updateTable('challenge')
      .set({ created_at: sql<Date>`'2019-05-05T05:05:05.123456Z'` })
      .where('id', 'in', ids)
      .execute();
    await rig.call('POST', `/v1/challenges/${ids[2]}/cancel`);
    await rig.call('POST', `/v1/challenges/${ids[5]}/cancel`);
    const within = 'created_after=2019-05-05T00:00:00Z&created_before=2019-05-06T00:00:00Z&limit=1';
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const page = (await rig.call('GET', `/v1/challenges?${within}${query}`)).json();
      seen.push(...page.data.map((row: { challenge_id: string }) => row.challenge_id));
      cursor = page.next_cursor;
      // The position in the list does not depend on the row that it came from.
      if (seen.length === 3) await rig.call('DELETE', `/v1/challenges/${seen[2]}`);
    } while (cursor);
    expect(seen).toEqual(ids.reverse());
  });

  it.each([
    'ch_01k',
    '2019-02-30T00:00:00.000000Z ch_01m7xwff3ffagard667w6t1g6g',
    '2019-02-03 x',
  ])('refuses a cursor of %s', async (text) => {
    const cursor = Buffer.from(text).toString('base64url');
    const refused = await rig.call('GET', `/v1/challenges?cursor=${cursor}`);
    expect(refused.statusCode, refused.body).toBe(422);
  });

  it.each([
    '2016-12-31T23:59:60Z',
    '2020-01-01T00:00:00%2B00',
  ])('refuses %s, which is no readable time', async (time) => {
    for (const bound of ['created_after', 'created_before']) {
      const refused = await rig.call('GET', `/v1/challenges?${bound}=${time}`);
      expect(refused.statusCode, refused.body).toBe(422);
      expect(refused.json<Problem>().errors).toMatchObject([
        { pointer: `/${bound}`, code: 'invalid_format' },
      ]);
    }
  });

  it('cancels, repeatedly too, and erases permanently', async () => {
    const { challenge_id } = await rig.create();
    const url = `/v1/challenges/${challenge_id}`;
    for (let time = 0; time < 2; time++) {
      const cancelled = await rig.call('POST', `${url}/cancel`);
      expect(cancelled.statusCode, cancelled.body).toBe(200);
      expect(cancelled.json()).toMatchObject({ status: 'cancelled', closed_reason: 'cancelled' });
    }
    const erased = await rig.call('DELETE', url);
    expect(erased.statusCode).toBe(204);
    expect(erased.body).toBe('');
    expect((await rig.call('GET', url)).statusCode).toBe(404);
    expect((await rig.call('DELETE', url)).statusCode).toBe(404);
    // Each log line contains its request and its challenge.
    const lines = rig.logLines.filter((line) => line.includes(challenge_id)).map((line) => JSON.parse(line));
    expect(lines.map(({ route, challenge }) => [route, challenge])).toEqual([
      ['/v1/create-challenge', challenge_id],
      ...Array.from({ length: 2 }, () => ['/v1/challenges/:challenge_id/cancel', challenge_id]),
      ['/v1/challenges/:challenge_id', challenge_id],
    ]);
    for (const line of lines) expect(line.request_id).toMatch(/^req_/);
  });
});

describe('webhooks', () => {
  const configuration = () => ({ type: 'http', properties: { endpoint_url: `${receiver.url}/hook` } });

  it("sends a signed sample at once and returns the receiver's answer", async () => {
    receiver.script([answer(503, {}, 'not now')]);
    const first = await rig.call('POST', '/v1/webhooks/test', configuration());
    expect(first.statusCode, first.body).toBe(200);
    expect(first.json()).toMatchObject({
      delivered: false,
      attempt: { outcome: 'http_status', response_status: 503, excerpt: 'not now' },
    });
    const second = (await rig.call('POST', '/v1/webhooks/test', configuration())).json();
    expect(second).toMatchObject({ delivered: true, attempt: { outcome: 'delivered' } });
    const received = receiver.requests.at(-1)!;
    expect(received.headers['webhook-id']).toBe(second.delivery_id);
    const audited = rig.db.selectFrom('audit').select('subject').where('action', '=', 'webhook.tested');
    const subjects = (await audited.execute()).map(({ subject }) => subject);
    expect(subjects).toEqual(expect.arrayContaining([first.json().delivery_id, second.delivery_id]));
    expect(() =>
      new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').verify(received.body, received.headers as never),
    ).toThrow();
  });

  it('is idempotent by key, and replays a refusal as well', async () => {
    receiver.script([]);
    const before = receiver.requests.length;
    const send = (body: object) =>
      rig.call('POST', '/v1/webhooks/test', body, { 'idempotency-key': 'hook-1' });
    const answers = [await send(configuration()), await send(configuration())];
    expect(answers[0]!.body).toBe(answers[1]!.body);
    expect(answers[1]!.headers['idempotency-replayed']).toBe('true');
    expect(receiver.requests.length).toBe(before + 1);
    const other = await send({ type: 'http', properties: { endpoint_url: `${receiver.url}/other` } });
    expect(other.json<Problem>().type).toContain('/idempotency-key-reused');
  });

  it('limits concurrent test calls per account and in total, even if the client does not wait for the answer', async () => {
    const own = await createHttpRig({
      settings: { limits: { webhookTestsOfAccount: 2, webhookTestsAtOnce: 3 } },
    });
    const other = await own.makeAccount('other');
    const silent = await startReceiver();
    const held: (() => void)[] = [];
    silent.script([], (_request, response) => void held.push(() => response.end()));
    try {
      const url = `${await own.app.listen({ port: 0, host: '127.0.0.1' })}/v1/webhooks/test`;
      const body = JSON.stringify({ type: 'http', properties: { endpoint_url: silent.url } });
      const send = (key: string, signal?: AbortSignal) => {
        const headers = { authorization: `Basic ${key}`, 'content-type': 'application/json' };
        return fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) });
      };
      const gone = new AbortController();
      const left = send(own.key, gone.signal).catch(() => 'left');
      await expect.poll(() => held.length).toBe(1);
      gone.abort();
      expect(await left).toBe('left');
      const waiting = [send(own.key)];
      await expect.poll(() => held.length).toBe(2);
      const refused = await send(own.key);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect((await refused.json()) as Problem).toMatchObject({
        detail: 'At most 2 test webhooks at a time.',
      });
      waiting.push(send(other.key));
      await expect.poll(() => held.length).toBe(3);
      expect((await send(other.key)).status).toBe(503);
      for (const answerOne of held.splice(0)) answerOne();
      for (const each of await Promise.all(waiting)) expect(each.status).toBe(200);
      silent.script([]);
      await expect.poll(async () => (await send(own.key)).status).toBe(200);
    } finally {
      for (const answerOne of held) answerOne();
      await silent.close();
      await own.close();
    }
  });

  it('is in flight until the receiver has answered', async () => {
    let answer = () => {};
    const arrived = new Promise<void>((done) => {
      receiver.script([
        (_request, response) => {
          answer = () => response.end();
          done();
        },
      ]);
    });
    const send = () =>
      rig.call('POST', '/v1/webhooks/test', configuration(), { 'idempotency-key': 'hook-slow' });
    const first = send();
    await arrived;
    const second = await send();
    expect([second.statusCode, second.headers['retry-after']]).toEqual([409, '1']);
    expect(second.json<Problem>().type).toContain('/idempotency-in-flight');
    answer();
    expect((await first).statusCode).toBe(200);
    expect((await send()).headers['idempotency-replayed']).toBe('true');
  });

  it('replays a refusal by its schema', async () => {
    const send = (body: object) =>
      rig.call('POST', '/v1/webhooks/test', body, { 'idempotency-key': 'hook-wrong' });
    expect((await send({ type: 'smoke' })).statusCode).toBe(422);
    const again = await send({ type: 'smoke' });
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([422, 'true']);
    expect((await send(configuration())).json<Problem>().type).toContain('/idempotency-key-reused');
  });

  it('checks the configuration as creation does', async () => {
    const refused = async (body: object) =>
      (await rig.call('POST', '/v1/webhooks/test', body)).json<Problem>().errors;
    expect(await refused({ type: 'https', properties: { endpoint_url: 'http://e.com' } })).toMatchObject([
      { pointer: '/properties/endpoint_url', code: 'https_required' },
    ]);
    expect(await refused({ type: 'http' })).toMatchObject([{ pointer: '/properties', code: 'required' }]);
  });

  it('lists deliveries of a challenge, and redelivers only what can be redelivered', async () => {
    const { challenge_id } = await rig.create();
    const list = await rig.call('GET', `/v1/challenges/${challenge_id}/deliveries`);
    expect(list.json()).toEqual({ data: [], next_cursor: null });
    const test = (await rig.call('POST', '/v1/webhooks/test', configuration())).json();
    const again = await rig.call('POST', `/v1/deliveries/${test.delivery_id}/redeliver`);
    expect(again.statusCode).toBe(409);
    const unknown = await rig.call('POST', `/v1/deliveries/msg_${'0'.repeat(26)}/redeliver`);
    expect(unknown.statusCode).toBe(404);
  });
});

describe('FeatureIDs', () => {
  it('are revoked once, and never compared again', async () => {
    const featid = await rig.makeFeatid();
    const revoke = () => rig.call('POST', '/v1/featids/revoke', { featid });
    expect((await revoke()).statusCode).toBe(204);
    const again = await revoke();
    expect(again.statusCode).toBe(422);
    expect(again.json<Problem>().errors).toMatchObject([{ pointer: '/featid', code: 'featid_revoked' }]);
    const nonsense = await rig.call('POST', '/v1/featids/revoke', { featid: 'x' });
    expect(nonsense.json<Problem>().errors).toMatchObject([{ pointer: '/featid', code: 'featid_invalid' }]);
    const other = await rig.makeAccount('revoker');
    const foreign = await rig.app.inject({
      method: 'POST',
      url: '/v1/featids/revoke',
      headers: { authorization: `Basic ${other.key}` },
      payload: { featid: await rig.makeFeatid() },
    });
    expect(foreign.json<Problem>().errors).toMatchObject([{ pointer: '/featid', code: 'featid_unknown' }]);
  });

  it('are revoked idempotently with a key', async () => {
    const featid = await rig.makeFeatid();
    const revoke = () =>
      rig.call('POST', '/v1/featids/revoke', { featid }, { 'idempotency-key': 'revoke-1' });
    expect((await revoke()).statusCode).toBe(204);
    const again = await revoke();
    expect(again.statusCode).toBe(204);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});
