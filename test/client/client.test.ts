// The typed client against the real HTTP surface on a real database, and a real receiver for its webhooks.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Likeness, LikenessProblem, LikenessUnreachable, verifyWebhook } from '../../src/client/index.ts';
import { createHttpRig, type HttpRig } from '../http/http-rig.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';

describe('the client and the service', () => {
  let rig: HttpRig;
  let likeness: Likeness;
  let receiver: Receiver;
  let baseUrl = '';

  beforeAll(async () => {
    [rig, receiver] = await Promise.all([createHttpRig(), startReceiver()]);
    baseUrl = await rig.app.listen({ port: 0, host: '127.0.0.1' });
    likeness = new Likeness({ baseUrl: `${baseUrl}/`, apiKey: rig.key });
  });
  afterAll(async () => {
    await Promise.all([rig?.close(), receiver?.close()]);
  });

  it('creates, reads, cancels and erases a challenge', async () => {
    const created = await likeness.createChallenge({ liveness_only: true, customer_reference: 'order 1' });
    expect(created.challenge_url).toContain('/c/');
    const open = await likeness.getChallenge(created.challenge_id);
    expect(open).toMatchObject({ status: 'created', customer_reference: 'order 1', overall_result: null });
    const cancelled = await likeness.cancelChallenge(created.challenge_id);
    expect(cancelled).toMatchObject({ status: 'cancelled', closed_reason: 'cancelled' });
    expect(await likeness.listDeliveries(created.challenge_id)).toEqual([]);
    await likeness.eraseChallenge(created.challenge_id);
    const gone = await likeness.getChallenge(created.challenge_id).catch((error) => error);
    expect(gone).toBeInstanceOf(LikenessProblem);
    expect(gone).toMatchObject({ kind: 'not-found', status: 404, requestId: expect.any(String) });
  });

  it('makes a FeatureID of a picture, and says why it could not', async () => {
    const live = (await rig.accounts.find(rig.accountId))!;
    const { key: apiKey } = await rig.accounts.createKey(live, { sandbox: true }, 'operator');
    const sandbox = new Likeness({ baseUrl, apiKey });
    const made = await sandbox.createFeatid(Uint8Array.of(0x89, 0x50, 0x4e, 0x47));
    expect(made).toMatchObject({ featid: expect.stringMatching(/^lfid1_/), source: 'image', sandbox: true });
    await sandbox.revokeFeatid(made.featid);
    const problem = await sandbox.createFeatid(new Uint8Array()).catch((error) => error);
    expect(problem).toMatchObject({ kind: 'picture-unusable', status: 422 });
    expect(problem.faults).toMatchObject([{ code: 'picture_empty' }]);
  });

  it('walks through every page of a list', async () => {
    const wanted = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const body = { liveness_only: true, customer_reference: 'paged' };
      wanted.add((await likeness.createChallenge(body)).challenge_id);
    }
    const page = await likeness.listChallenges({ customer_reference: 'paged', limit: 2 });
    expect(page.data).toHaveLength(2);
    const seen = new Set<string>();
    for await (const one of likeness.eachChallenge({ customer_reference: 'paged', limit: 2 }))
      seen.add(one.challenge_id);
    expect(seen).toEqual(wanted);
  });

  it('reports every fault of a body', async () => {
    const wrong = { liveness_only: 'yes', expires_in_seconds: 0, reqire_consent: true } as never;
    const problem = await likeness.createChallenge(wrong).catch((error) => error);
    expect(problem).toBeInstanceOf(LikenessProblem);
    expect(problem).toMatchObject({ kind: 'validation-failed', status: 422 });
    expect(problem.faults.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      '/expires_in_seconds',
      '/liveness_only',
      '/reqire_consent',
    ]);
    expect(problem.message).toContain('/reqire_consent');
  });

  it('creates one challenge for one Idempotency-Key', async () => {
    const options = { idempotencyKey: 'order-77' };
    const first = await likeness.createChallenge({ liveness_only: true }, options);
    expect(await likeness.createChallenge({ liveness_only: true }, options)).toEqual(first);
  });

  it('revokes a FeatureID, which then cannot be compared', async () => {
    const featid = await rig.makeFeatid();
    await likeness.revokeFeatid(featid);
    const comparing = { liveness_only: false, compare_to_featids: [featid] };
    const problem = await likeness.createChallenge(comparing).catch((error) => error);
    expect(problem.faults).toEqual([
      { pointer: '/compare_to_featids/0', code: 'featid_revoked', detail: expect.any(String) },
    ]);
  });

  it('lists the devices of a FeatureID, and revokes one', async () => {
    const featid = await rig.makeFeatid();
    expect(await likeness.listDevices(featid)).toEqual([]);
    const device_id = await rig.addDevice(featid);
    expect(await likeness.listDevices(featid)).toMatchObject([{ device_id, backed_up: true }]);
    await likeness.revokeDevice(device_id);
    expect(await likeness.listDevices(featid)).toEqual([]);
    const gone = await likeness.revokeDevice(device_id).catch((error) => error);
    expect(gone).toMatchObject({ kind: 'not-found', status: 404 });
  });

  it('unlocks a FeatureID that is paused after failed attempts', async () => {
    const sandbox = await sandboxClient();
    const { challenge_id } = await sandbox.createChallenge(endingAs('pass'));
    const featid = (await sandbox.getChallenge(challenge_id)).liveness_result!.liveness_featid!;
    const compare = { liveness_only: false, compare_to_featids: [featid] };
    for (let failure = 0; failure < 5; failure++) {
      await sandbox.createChallenge({ ...compare, ...endingAs('no_match'), liveness_only: false });
    }
    const impatient = await sandboxClient({ maxRetries: 0 });
    const paused = await impatient.createChallenge(compare).catch((error) => error);
    expect(paused).toMatchObject({ kind: 'featid-paused', status: 429 });
    await sandbox.unlockFeatid(featid);
    expect((await sandbox.createChallenge(compare)).challenge_id).toMatch(/^ch_/);
  });

  it('lists the deliveries of a completed challenge, and sends one again', async () => {
    const sandbox = await sandboxClient();
    const endpoint = { type: 'http', properties: { endpoint_url: `${receiver.url}/hook` } } as const;
    const notifications = { complete: [endpoint] };
    const { challenge_id } = await sandbox.createChallenge({ ...endingAs('spoof'), notifications });
    expect(await sandbox.getChallenge(challenge_id)).toMatchObject({ sandbox: true, overall_result: 'fail' });
    const [delivery] = await sandbox.listDeliveries(challenge_id);
    expect(delivery).toMatchObject({ event: 'complete', status: 'pending' });
    const again = await sandbox.redeliver(delivery!.delivery_id);
    expect(again).toMatchObject({ delivery_id: delivery!.delivery_id, status: 'pending' });
  });

  const endingAs = (outcome: string) => ({
    liveness_only: true,
    customer_reference: `sandbox:${outcome}`,
  });

  async function sandboxClient(options: { maxRetries?: number } = {}): Promise<Likeness> {
    const account = (await rig.accounts.find(rig.accountId))!;
    const { key } = await rig.accounts.createKey(account, { sandbox: true }, 'test');
    return new Likeness({ baseUrl, apiKey: key, ...options });
  }

  it('verifies webhooks of the service, and nothing else', async () => {
    receiver.script([answer(204)]);
    const endpoint = { type: 'http', properties: { endpoint_url: `${receiver.url}/hook` } } as const;
    const test = await likeness.testWebhook(endpoint);
    expect(test.delivered).toBe(true);
    const sent = receiver.requests.at(-1)!;
    const secret = rig.webhookSecret;
    const { deliveryId, result } = verifyWebhook(sent.body, sent.headers, secret);
    expect(deliveryId).toBe(test.delivery_id);
    expect(result.status).toBe('completed');
    expect(verifyWebhook(Buffer.from(sent.body), sent.headers, secret).result).toEqual(result);
    const headers = new Headers(sent.headers as Record<string, string>);
    expect(verifyWebhook(sent.body, headers, secret).deliveryId).toBe(deliveryId);
    expect(() => verifyWebhook(sent.body.replace('completed', 'cancelled'), sent.headers, secret)).toThrow(
      /signature/i,
    );
    expect(() => verifyWebhook(sent.body, {}, secret)).toThrow(/headers/i);
    const old = { ...sent.headers, 'webhook-timestamp': '1700000000' };
    expect(() => verifyWebhook(sent.body, old, secret)).toThrow(/too old/i);
  });

  it('is refused with a wrong key', async () => {
    const stranger = new Likeness({ baseUrl, apiKey: 'lk_live_wrong' });
    await expect(stranger.listChallenges()).rejects.toMatchObject({ kind: 'unauthorized', status: 401 });
  });
});

describe('the client and a failing service', () => {
  const replies: ((attempt: number) => {
    status: number;
    headers?: Record<string, string>;
    body?: string;
  })[] = [];
  const keys: (string | undefined)[] = [];
  let server: Server;
  let baseUrl = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key'] as string | undefined);
      const { status, headers = {}, body = '' } = replies[0]!(keys.length);
      request.resume().on('end', () => {
        // 0: the connection breaks.
        if (status === 0) request.socket.destroy();
        else response.writeHead(status, headers).end(body);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const start = (reply: (typeof replies)[number]) => {
    replies[0] = reply;
    keys.length = 0;
    return new Likeness({ baseUrl, apiKey: 'lk_test_x' });
  };

  it('retries when the service is saturated, with one Idempotency-Key', async () => {
    const client = start((attempt) =>
      attempt < 3
        ? { status: 503, headers: { 'retry-after': '0' } }
        : { status: 201, body: '{"challenge_id":"ch_1"}' },
    );
    expect(await client.createChallenge({ liveness_only: true })).toEqual({ challenge_id: 'ch_1' });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('does not retry a refusal that is replayed for its Idempotency-Key', async () => {
    const paused = '{"type":"https://a.example/docs/errors/featid-paused"}';
    const client = start(() => ({ status: 429, headers: { 'retry-after': '0' }, body: paused }));
    const refused = client.createChallenge({ liveness_only: true });
    await expect(refused).rejects.toMatchObject({ kind: 'featid-paused', retryAfterSeconds: 0 });
    expect(keys).toHaveLength(1);
  });

  const inFlight = '{"type":"https://a.example/docs/errors/idempotency-in-flight"}';

  it('waits for its own first attempt, whose answer was lost', async () => {
    const client = start((attempt) => {
      if (attempt === 1) return { status: 0 };
      if (attempt === 2) return { status: 409, headers: { 'retry-after': '0' }, body: inFlight };
      return { status: 201, body: '{"challenge_id":"ch_1"}' };
    });
    expect(await client.createChallenge({ liveness_only: true })).toEqual({ challenge_id: 'ch_1' });
    expect(new Set(keys).size).toBe(1);
  });

  it('treats 404 as erased after an attempt without an answer, and as an error otherwise', async () => {
    const lost = start((attempt) => ({ status: attempt === 1 ? 0 : 404 }));
    expect(await lost.eraseChallenge('ch_1')).toBeUndefined();
    expect(keys).toHaveLength(2);
    const unknown = start((attempt) =>
      attempt === 1 ? { status: 503, headers: { 'retry-after': '0' } } : { status: 404 },
    );
    await expect(unknown.eraseChallenge('ch_1')).rejects.toMatchObject({ status: 404 });
  });

  it('throws the problem after its retries, and at once if a retry cannot help', async () => {
    const saturated = start(() => ({ status: 503, headers: { 'retry-after': '0' }, body: 'no json' }));
    const last = await saturated.listChallenges().catch((error) => error);
    expect(last).toMatchObject({ status: 503, kind: 'unknown', retryAfterSeconds: 0 });
    expect(keys).toHaveLength(3);
    const failing = start(() => ({ status: 500 }));
    await expect(failing.listChallenges()).rejects.toMatchObject({ status: 500 });
    expect(keys).toHaveLength(1);
    const patient = start(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    await expect(patient.listChallenges()).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    expect(keys).toHaveLength(1);
  });

  it('says when the service cannot be reached, and stops when aborted', async () => {
    const nobody = new Likeness({ baseUrl: 'http://127.0.0.1:1', apiKey: 'lk_test_x', maxRetries: 0 });
    await expect(nobody.listChallenges()).rejects.toBeInstanceOf(LikenessUnreachable);
    const client = start(() => ({ status: 503, headers: { 'retry-after': '20' } }));
    const controller = new AbortController();
    const waiting = client.listChallenges({}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(waiting).rejects.toThrow('enough');
  });
});
