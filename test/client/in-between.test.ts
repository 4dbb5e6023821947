// The typed client and responses that do not come from the service (proxies, portals, redirects), and mistakes of its
// caller.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ClientOptions,
  Likeness,
  LikenessProblem,
  LikenessUnreachable,
} from '../../src/client/index.ts';

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

let reply: (attempt: number) => Reply;
let asked: { method: string; key: string | undefined }[] = [];
let server: Server;
let baseUrl = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ method: request.method!, key: request.headers['idempotency-key'] as string | undefined });
    const { status, headers = {}, body = '' } = reply(asked.length);
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

function start(answers: typeof reply, options: Partial<ClientOptions> = {}): Likeness {
  [reply, asked] = [answers, []];
  return new Likeness({ baseUrl, apiKey: 'lk_test_x', ...options });
}
const failureOf = (call: Promise<unknown>) =>
  call.then(() => expect.fail('it was answered')).catch((error) => error);

it.each([
  '<html>Sign in to the Wi-Fi</html>',
  '',
  '{"challenge_id":',
])('does not accept %j as a success', async (body) => {
  const client = start(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body }));
  const failure = await failureOf(client.createChallenge({ liveness_only: true }));
  expect(failure).toBeInstanceOf(LikenessUnreachable);
  expect(failure.message).toContain('HTTP 200');
  expect(asked).toHaveLength(1);
});

it.each([301, 302, 307, 308])('does not follow a %i with its key, and says so at once', async (status) => {
  const client = start(() => ({ status, headers: { location: 'https://evil.example/' } }));
  const failure = await failureOf(client.listChallenges());
  expect(failure).toBeInstanceOf(LikenessUnreachable);
  expect(failure.message).toContain('baseUrl');
  expect(asked).toHaveLength(1);
});

it.each([
  '"no"',
  'null',
  '[1]',
  '{"errors":"no"}',
  '{"errors":{"a":1}}',
  '{"errors":[null,"x",{"pointer":1}],"type":7,"title":{}}',
])('reports an error with the body %s', async (body) => {
  const client = start(() => ({ status: 403, headers: { 'x-request-id': 'req_proxy' }, body }));
  const failure = await failureOf(client.listChallenges());
  expect(failure).toBeInstanceOf(LikenessProblem);
  expect(failure).toMatchObject({ status: 403, kind: 'unknown', faults: [], requestId: 'req_proxy' });
  expect(failure.message).toBe('HTTP 403');
});

it.each([408, 502, 504])('retries after %i, with one Idempotency-Key', async (status) => {
  const client = start((attempt) =>
    attempt === 1 ? { status } : { status: 201, body: '{"challenge_id":"ch_1"}' },
  );
  expect(await client.createChallenge({ liveness_only: true })).toEqual({ challenge_id: 'ch_1' });
  expect(asked).toHaveLength(2);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
});

it('treats 404 as erased after a proxy error', async () => {
  const client = start((attempt) => ({ status: attempt === 1 ? 504 : 404 }));
  expect(await client.eraseChallenge('ch_1')).toBeUndefined();
});

it('waits until the date that a proxy names', async () => {
  const at = new Date(Date.now() + 3_600_000).toUTCString();
  const client = start(() => ({ status: 503, headers: { 'retry-after': at } }));
  const failure = await failureOf(client.listChallenges());
  expect(failure.retryAfterSeconds).toBeGreaterThan(3500);
  const past = start((attempt) =>
    attempt === 1
      ? { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } }
      : { status: 200, body: '{"data":[],"next_cursor":null}' },
  );
  expect((await past.listChallenges()).data).toEqual([]);
  const odd = start(() => ({ status: 503, headers: { 'retry-after': 'soon' } }), { maxRetries: 0 });
  expect((await failureOf(odd.listChallenges())).retryAfterSeconds).toBeUndefined();
});

it('does not retry when maxRetries is not a number', async () => {
  const client = start(() => ({ status: 503, headers: { 'retry-after': '0' } }), { maxRetries: Number.NaN });
  expect(await failureOf(client.listChallenges())).toMatchObject({ status: 503 });
  expect(asked).toHaveLength(1);
});

it.each([
  undefined,
  '',
  'likeness.example',
  'ftp://likeness.example',
  'https://user:word@likeness.example',
])('refuses the address %j', (wrong) => {
  expect(() => new Likeness({ baseUrl: wrong as string, apiKey: 'lk_test_x' })).toThrow(/^baseUrl/);
});

it.each([
  undefined,
  '',
  ' ',
  'lk_test_a\nb',
  'lk_test_é',
])('refuses the key %j, and does not repeat it', (wrong) => {
  let failure: unknown;
  try {
    new Likeness({ baseUrl, apiKey: wrong as string });
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(TypeError);
  expect((failure as Error).message).toMatch(/^apiKey/);
  if (wrong?.trim()) expect(inspect(failure)).not.toContain(wrong.slice(0, 9));
});

it('trims white space of address and key, as read from files', async () => {
  const client = new Likeness({ baseUrl: `${baseUrl}//\n`, apiKey: 'lk_test_x\n' });
  start(() => ({ status: 200, body: '{"data":[],"next_cursor":null}' }));
  expect((await client.listChallenges()).data).toEqual([]);
});

it('reports mistakes of its caller without sending a request', async () => {
  const client = start(() => ({ status: 201, body: '{}' }));
  const body: Record<string, unknown> = { liveness_only: true };
  body.notifications = body;
  expect(await failureOf(client.createChallenge(body as never))).toBeInstanceOf(TypeError);
  for (const idempotencyKey of ['', 'two words', 'é', 'x'.repeat(256)]) {
    const failure = await failureOf(client.createChallenge({ liveness_only: true }, { idempotencyKey }));
    expect(failure.message).toMatch(/^idempotencyKey/);
  }
  expect(asked).toEqual([]);
});

it('says why the service cannot be reached, without the key', async () => {
  const client = new Likeness({ baseUrl: 'http://127.0.0.1:1', apiKey: 'lk_test_secret', maxRetries: 0 });
  const failure = await failureOf(client.listChallenges());
  expect(failure.message).toContain('http://127.0.0.1:1');
  expect(failure.message).toMatch(/ECONNREFUSED|bad port/);
  expect(inspect(failure, { depth: 9 })).not.toContain('lk_test_secret');
  const slow = new Likeness({ baseUrl, apiKey: 'lk_test_x', timeoutMs: 1, maxRetries: 0, fetch: never });
  expect((await failureOf(slow.listChallenges())).cause).toMatchObject({ name: 'TimeoutError' });
});

/** A fetch that never gets an answer. */
const never: typeof fetch = (_address, init) =>
  new Promise((_, reject) => {
    init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
  });

it('sends nothing when it is already aborted', async () => {
  const client = start(() => ({ status: 200, body: '{"data":[],"next_cursor":null}' }));
  const failure = await failureOf(
    client.listChallenges({}, { signal: AbortSignal.abort(new Error('enough')) }),
  );
  expect(failure.message).toBe('enough');
  expect(asked).toEqual([]);
});
