import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LOOPBACK_HOSTS, parseAllowList } from '../../src/outbound/address.ts';
import { createGuardedAgent, type GuardedAgent } from '../../src/outbound/guarded-agent.ts';
import { createGuardedFetch } from '../../src/outbound/guarded-fetch.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';

let receiver: Receiver;
let agent: GuardedAgent;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.script([]);
  agent = createGuardedAgent({ allow: parseAllowList([...LOOPBACK_HOSTS]) });
});
afterEach(() => agent.close());
afterAll(() => receiver.close());

const post = (url = receiver.url) =>
  createGuardedFetch(agent, { timeoutMs: 3_000, maxBodyBytes: 10, userAgent: 'Likeness/0.0.0-test' })(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'user-agent': "the library's own" },
    body: new URLSearchParams({ grant_type: 'a b' }),
  });

describe('the guarded fetch', () => {
  it("sends the library's request with our User-Agent, and answers like fetch", async () => {
    receiver.script([answer(400, { 'retry-after': '7', 'content-type': 'text/plain' }, 'not yet')]);
    const response = await post();
    expect([response.status, response.ok, response.headers.get('retry-after')]).toEqual([400, false, '7']);
    expect(await response.text()).toBe('not yet');
    const [request] = receiver.requests;
    expect(request!.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': 'Likeness/0.0.0-test',
    });
    expect(String(request!.body)).toBe('grant_type=a+b');
  });

  it('cuts off a body at its limit', async () => {
    receiver.script([answer(200, {}, 'x'.repeat(1_000))]);
    expect(await (await post()).text()).toBe('x'.repeat(10));
  });

  it.each([204, 205, 304])('answers %d without a body', async (status) => {
    receiver.script([answer(status)]);
    const response = await post();
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('follows no redirect', async () => {
    receiver.script([answer(307, { location: `${receiver.url}/elsewhere` })]);
    expect((await post()).status).toBe(307);
    expect(receiver.requests).toHaveLength(1);
  });

  it('refuses a status that fetch cannot represent', async () => {
    receiver.script([answer(799)]);
    await expect(post()).rejects.toMatchObject({ name: 'CallError', reason: 'malformed_response' });
  });

  it.each([
    ['http://10.0.0.1/', 'refused_address'],
    ['http://127.0.0.1:25/', 'refused_port'],
    ['ftp://a.example/', 'invalid_url'],
  ])('rejects %s with %s', async (url, reason) => {
    await expect(post(url)).rejects.toMatchObject({ name: 'CallError', reason });
  });
});
