// Every answer of every documented call, successful or not, checked against the OpenAPI document: status, media type,
// headers, and every field of the body.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpRig, type HttpRig } from '../http-rig.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read as it comes
type Json = any;
type Method = 'GET' | 'POST' | 'DELETE';

let rig: HttpRig;
let sandboxKey: string;
let document: Json;
let ajv: Ajv2020;
const covered = new Set<string>();

beforeAll(async () => {
  rig = await createHttpRig({ limits: { maxPictureBytes: 20_000 } });
  const account = (await rig.accounts.find(rig.accountId))!;
  sandboxKey = (await rig.accounts.createKey(account, { sandbox: true }, 'test')).key;
  document = (await rig.app.inject({ url: '/openapi.json' })).json();
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...closed(structuredClone(document)) });
});
afterAll(() => rig?.close());

/** The interface allows additional fields later; here they would be undocumented ones. */
function closed(node: Json): Json {
  if (typeof node !== 'object' || node === null) return node;
  for (const child of Object.values(node)) closed(child);
  if (node.type === 'object' && node.properties) node.additionalProperties ??= false;
  return node;
}

/** The documented path of a URL. */
function patternOf(path: string): string {
  const known = Object.keys(document.paths).find((pattern) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return known ?? expect.fail(`${path} is not in the document`);
}

/** Checks an answer against the document. */
function hold(method: Method, url: string, answer: LightMyRequestResponse): void {
  const pattern = patternOf(url.split('?', 1)[0]!);
  const operation = document.paths[pattern][method.toLowerCase()];
  const status = String(answer.statusCode);
  const what = `${method} ${pattern} ${status}`;
  const said = operation.responses[status];
  expect(said, `${what} ${answer.body} is not documented`).toBeDefined();
  covered.add(what);
  expect(answer.headers['x-request-id']).toBeTruthy();
  for (const name of ['retry-after', 'www-authenticate', 'location'])
    if (answer.headers[name] !== undefined)
      expect(
        Object.keys(said.headers ?? {}).map((each) => each.toLowerCase()),
        what,
      ).toContain(name);
  if (!said.content) {
    expect(answer.body, what).toBe('');
    return;
  }
  const type = String(answer.headers['content-type']).split(';', 1)[0]!;
  expect(Object.keys(said.content), what).toContain(type);
  if (type === 'application/problem+json')
    expect(said.description, what).toContain(answer.json().type.split('/').at(-1));
  const place = ['paths', pattern, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
  const pointer = place.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const check = ajv.compile({ $ref: `api#/${encodeURI(pointer)}` });
  const body = type.endsWith('json') ? answer.json() : answer.body;
  expect(check(body), `${what}: ${ajv.errorsText(check.errors)} ${answer.body}`).toBe(true);
}

interface Asked {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Makes the call, checks the answer against the document, and returns it. */
async function ask(method: Method, url: string, status: number, asked: Asked = {}) {
  const { key = rig.key, body, headers = {} } = asked;
  const answer = await rig.app.inject({
    method,
    url,
    headers: { ...(key === '' ? {} : { authorization: `Basic ${key}` }), ...headers },
    ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
  });
  expect(answer.statusCode, `${method} ${url} ${answer.body}`).toBe(status);
  hold(method, url, answer);
  return answer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const UNKNOWN = 'ch_01kb2m7x9ee6rbb4hd5v1kq0zt';
const sandboxed = (outcome: string, more = {}) => ({
  key: sandboxKey,
  body: { liveness_only: true, customer_reference: `sandbox:${outcome}`, ...more },
});

async function end(outcome: string, more = {}): Promise<string> {
  return (await ask('POST', '/v1/create-challenge', 201, sandboxed(outcome, more))).json().challenge_id;
}

/**
 * Faults that are common to all POST calls, whether they read their body or not.
 *
 * @param takesKey whether the call takes an idempotency key: one that only reads ignores it
 */
async function askBadly(url: string, takesKey = true): Promise<void> {
  await ask('POST', url, 401, { key: '', body: {} });
  await ask('POST', url, 400, { body: '{"a":', headers: JSON_TYPE });
  if (takesKey)
    await ask('POST', url, 400, { body: '{}', headers: { ...JSON_TYPE, 'idempotency-key': 'two words' } });
  await ask('POST', url, 415, { body: 'a=b', headers: { 'content-type': 'text/plain' } });
  await ask('POST', url, 413, { body: `"${'x'.repeat(300_000)}"`, headers: JSON_TYPE });
}

it('POST /v1/create-challenge', async () => {
  const url = '/v1/create-challenge';
  await askBadly(url);
  await ask('POST', url, 201, { body: { liveness_only: true } });
  await ask('POST', url, 422, { body: {} });
  const headers = { 'idempotency-key': 'one' };
  const first = await ask('POST', url, 201, { body: { liveness_only: true }, headers });
  const replay = await ask('POST', url, 201, { body: { liveness_only: true }, headers });
  expect(replay.json()).toEqual(first.json());
  await ask('POST', url, 422, { body: { liveness_only: true, expires_in_seconds: 7 }, headers });
  const passed = await ask('GET', `/v1/challenges/${await end('pass')}`, 200, { key: sandboxKey });
  const compare = {
    liveness_only: false,
    compare_to_featids: [passed.json().liveness_result.liveness_featid],
  };
  for (let i = 0; i < 5; i++) await end('no_match', compare);
  const paused = await ask('POST', url, 429, { key: sandboxKey, body: compare });
  expect(paused.headers['retry-after']).toBeTruthy();
});

it('GET /v1/challenges', async () => {
  await rig.create({ liveness_only: true, customer_reference: 'listed' });
  await ask('GET', '/v1/challenges?limit=1', 200);
  await ask('GET', '/v1/challenges?status=completed', 200, { key: sandboxKey });
  await ask('GET', '/v1/challenges?created_after=2026-01-01T00:00:00Z&customer_reference=listed', 200);
  for (const query of ['limit=0', 'limit=x', 'status=done', 'cursor=x', 'created_after=today', 'page=2'])
    await ask('GET', `/v1/challenges?${query}`, 422);
  await ask('GET', '/v1/challenges', 401, { key: 'lk_live_wrong' });
});

it('GET, cancel and DELETE of a challenge', async () => {
  const { challenge_id } = await rig.create({ liveness_only: true });
  const path = `/v1/challenges/${challenge_id}`;
  await ask('GET', path, 200);
  await askBadly(`${path}/cancel`);
  await ask('POST', `${path}/cancel`, 200);
  await ask('POST', `${path}/cancel`, 200);
  await ask('GET', path, 200);
  for (const outcome of ['pass', 'spoof', 'no_face']) {
    const ended = await end(outcome);
    await ask('GET', `/v1/challenges/${ended}`, 200, { key: sandboxKey });
    await ask('POST', `/v1/challenges/${ended}/cancel`, 409, { key: sandboxKey });
  }
  for (const id of [UNKNOWN, 'x', 'ch_%00']) {
    await ask('GET', `/v1/challenges/${id}`, 404);
    await ask('POST', `/v1/challenges/${id}/cancel`, 404);
    await ask('DELETE', `/v1/challenges/${id}`, 404);
  }
  await ask('DELETE', path, 401, { key: '' });
  await ask('DELETE', path, 415, { body: 'a=b', headers: { 'content-type': 'text/plain' } });
  await ask('DELETE', path, 204);
});

it('comparisons', async () => {
  const passed = await ask('GET', `/v1/challenges/${await end('pass')}`, 200, { key: sandboxKey });
  const compare_to_featids = [passed.json().liveness_result.liveness_featid];
  for (const outcome of ['pass', 'no_match', 'spoof', 'no_face']) {
    const id = await end(outcome, { liveness_only: false, compare_to_featids });
    await ask('GET', `/v1/challenges/${id}`, 200, { key: sandboxKey });
  }
});

it('a result with assets and their links', async () => {
  const { challenge_id } = await rig.create({ liveness_only: true });
  const assetId = await rig.makeAsset(challenge_id, Buffer.from('video'));
  const result = (await ask('GET', `/v1/challenges/${challenge_id}`, 200)).json();
  const link = new URL(result.assets_links[0].presigned_url);
  const answer = await rig.app.inject({ url: link.pathname + link.search });
  expect(answer.statusCode).toBe(200);
  const address = `/assets/links/${assetId}`;
  await ask('GET', address, 422, { key: '' });
  await ask('GET', `${address}?expires=1&signature=x`, 404, { key: '' });
  await ask('GET', `/assets/links/x${link.search}`, 404, { key: '' });
  rig.skewClock(120_000);
  await ask('GET', link.pathname + link.search, 410, { key: '' });
  rig.skewClock(0);
});

it('deliveries', async () => {
  const endpoint = { type: 'http', properties: { endpoint_url: 'http://127.0.0.1:40404/' } };
  const id = await end('pass', { notifications: { complete: [endpoint] } });
  const deliveries = `/v1/challenges/${id}/deliveries`;
  const [delivery] = (await ask('GET', deliveries, 200, { key: sandboxKey })).json().data;
  await ask('GET', deliveries, 404);
  const again = `/v1/deliveries/${delivery.delivery_id}/redeliver`;
  await ask('POST', again, 202, { key: sandboxKey });
  await ask('POST', again, 404);
  await ask('POST', '/v1/deliveries/x/redeliver', 404);
  await askBadly(again);
  await ask('DELETE', `/v1/challenges/${id}`, 204, { key: sandboxKey });
  await ask('POST', again, 404, { key: sandboxKey });
});

it('POST /v1/webhooks/test', async () => {
  await askBadly('/v1/webhooks/test');
  const to = (endpoint_url: string) => ({ body: { type: 'http', properties: { endpoint_url } } });
  await ask('POST', '/v1/webhooks/test', 200, to('http://127.0.0.1:40404/'));
  await ask('POST', '/v1/webhooks/test', 422, to('http://10.0.0.1/'));
});

it('FeatureIDs', async () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
  const picture = (body: Buffer | string, type = 'image/png') => ({
    key: sandboxKey,
    body,
    headers: { 'content-type': type },
  });
  const made = await ask('POST', '/v1/featids', 201, picture(png));
  await ask('POST', '/v1/featids', 422, picture(''));
  await ask('POST', '/v1/featids', 415, picture('{}', 'application/json'));
  await ask('POST', '/v1/featids', 413, picture(Buffer.alloc(30_000, 1)));
  await ask('POST', '/v1/featids', 401, { key: '', body: png });
  const { featid } = made.json();
  for (const call of ['unlock', 'revoke']) {
    const url = `/v1/featids/${call}`;
    await askBadly(url);
    await ask('POST', url, 422, { body: { featid } });
    await ask('POST', url, 422, { body: { featid: 7, more: true } });
    await ask('POST', url, 204, { key: sandboxKey, body: { featid } });
  }
});

it('devices of a FeatureID', async () => {
  const url = '/v1/featids/devices';
  const featid = await rig.makeFeatid();
  const device_id = await rig.addDevice(featid);
  await askBadly(url, false);
  const listed = await ask('POST', url, 200, { body: { featid } });
  expect(listed.json().data).toHaveLength(1);
  await ask('POST', url, 422, { body: { featid }, key: sandboxKey });
  await ask('POST', url, 422, { body: {} });
  const device = `${url}/${device_id}`;
  await ask('DELETE', device, 401, { key: '' });
  await ask('DELETE', device, 404, { key: sandboxKey });
  await ask('DELETE', device, 204);
  for (const id of [device_id, 'x', UNKNOWN]) await ask('DELETE', `${url}/${id}`, 404);
});

it('receipts, keys and health', async () => {
  const { challenge_id } = await rig.create();
  await ask('GET', `/v1/challenges/${challenge_id}/receipt`, 409);
  await ask('GET', `/v1/challenges/${UNKNOWN}/receipt`, 404);
  await ask('GET', `/v1/challenges/${await end('pass')}/receipt`, 404, { key: sandboxKey });
  await ask('GET', '/.well-known/jwks.json', 200, { key: '' });
  await ask('GET', '/livez', 200, { key: '' });
  await ask('GET', '/readyz', 200, { key: '' });
});

it('has made every documented call', () => {
  const calls = new Set([...covered].map((what) => what.split(' ', 2).join(' ')));
  const all = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...calls].sort()).toEqual(all.sort());
});
