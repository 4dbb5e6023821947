import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../../src/base/errors.ts';
import { PROBLEMS, type Problem } from '../../src/contract/problem.ts';
import { refuseWhenBehind } from '../../src/http/guards/saturation.ts';
import { performedScript } from '../support/page-client.ts';
import { createHttpRig, type HttpRig, sha256 } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

type Answer = { statusCode: number; headers: Record<string, unknown>; body: string; json: <T>() => T };

function expectProblem(answer: Answer, kind: keyof typeof PROBLEMS): Problem {
  expect(answer.statusCode, answer.body).toBe(PROBLEMS[kind].status);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  const problem = answer.json<Problem>();
  expect(problem.type).toBe(`http://likeness.test/docs/errors/${kind}`);
  expect(problem.title).toBe(PROBLEMS[kind].title);
  expect(problem.status).toBe(answer.statusCode);
  expect(problem.detail).toEqual(expect.any(String));
  expect(problem.instance).toBe(answer.headers['x-request-id']);
  expect(answer.body).not.toMatch(/\bat .*\.ts:|node_modules|stack/);
  return problem;
}

const create = (payload: string | Buffer, contentType = 'application/json') =>
  rig.call('POST', '/v1/create-challenge', payload, { 'content-type': contentType });

describe('errors', () => {
  it('malformed JSON, invalid UTF-8, poisoned prototypes and an empty body are 400', async () => {
    const bodies = [
      '{',
      '{"liveness_only":true,}',
      'liveness',
      '{"liveness_only":true}{}',
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
      '{"liveness_only":true,"__proto__":{"x":1}}',
      '{"liveness_only":true,"flow_style":{"__proto__":{"x":1}}}',
      '{"liveness_only":true,"constructor":{"prototype":{"x":1}}}',
    ];
    for (const body of bodies) expectProblem(await create(body), 'malformed-json');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('a missing body is reported as required', async () => {
    const problem = expectProblem(await create(''), 'validation-failed');
    expect(problem.errors).toHaveLength(1);
  });

  it('another content type is 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
    ]) {
      expectProblem(await create('{"liveness_only":true}', type), 'unsupported-media-type');
    }
    const answer = await create('{"liveness_only":true}', 'application/json; charset=utf-8');
    expect(answer.statusCode).toBe(201);
  });

  it('a body over 256 kB is 413', async () => {
    expectProblem(await create(`{"customer_reference":"${'x'.repeat(256_000)}"}`), 'too-large');
  });

  it('handles deep, wide and repetitive JSON', async () => {
    expectProblem(await create(`{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}`), 'validation-failed');
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
    const problem = expectProblem(await create(JSON.stringify(wide)), 'validation-failed');
    expect(problem.errors!.length).toBeLessThanOrEqual(200);
    const longName = expectProblem(
      await create(`{"liveness_only":true,"${'n'.repeat(200_000)}":1}`),
      'validation-failed',
    );
    expect(JSON.stringify(longName).length).toBeLessThan(1_000);
    expect((await create('{"liveness_only":false,"liveness_only":true}')).statusCode).toBe(201);
  });

  it('unknown paths are 404, known paths with another method 405 with Allow', async () => {
    expectProblem(await rig.call('GET', '/v1/nothing'), 'not-found');
    expectProblem(await rig.call('POST', '/nothing', { a: 1 }), 'not-found');
    expectProblem(await rig.call('GET', '/v1/challenges/ch_nonsense'), 'not-found');
    expectProblem(await rig.call('GET', '/v1/challenges/ch_00000000000000000000000000'), 'not-found');
    expectProblem(await rig.call('GET', '/v1/challenges/%00'), 'not-found');
    expectProblem(await rig.call('GET', `/v1/challenges/${'x'.repeat(500)}`), 'not-found');
    const wrong = await rig.call('PUT', '/v1/create-challenge', '{', { 'content-type': 'application/json' });
    expectProblem(wrong, 'method-not-allowed');
    expect(wrong.headers.allow).toBe('POST');
    expectProblem(await rig.call('POST', '/', { a: 1 }), 'method-not-allowed');
    const other = await rig.call('POST', '/v1/challenges/ch_00000000000000000000000000');
    expectProblem(other, 'method-not-allowed');
    expect(other.headers.allow).toBe('DELETE, GET, HEAD');
    expectProblem(await rig.call('OPTIONS', '/v1/challenges'), 'method-not-allowed');
  });

  it('a broken URL is 400', async () => {
    expectProblem(await rig.call('GET', '/v1/challenges/%zz'), 'bad-request');
  });

  it('query parameters are checked like bodies', async () => {
    const named = async (query: string) =>
      expectProblem(await rig.call('GET', `/v1/challenges?${query}`), 'validation-failed').errors!.map(
        ({ pointer, code }) => `${pointer} ${code}`,
      );
    expect(await named('limit=0')).toEqual(['/limit too_small']);
    expect(await named('limit=101')).toEqual(['/limit too_large']);
    expect(await named('limit=many')).toEqual(['/limit wrong_type']);
    expect(await named('status=open')).toEqual(['/status not_allowed_value']);
    expect(await named('created_after=yesterday')).toEqual(['/created_after invalid_format']);
    expect(await named('custmer_reference=x')).toEqual(['/custmer_reference unknown_field']);
    expect(await named('customer_reference=%00')).toEqual(['/customer_reference invalid_format']);
    expect(await named('cursor=nonsense')).toEqual(['/cursor invalid_format']);
    // Times that a cursor can encode and the database cannot represent.
    for (const moment of ['0000-01-01T00:00:00', '2026-02-30T00:00:00', '2026-01-01T24:00:00']) {
      const cursor = Buffer.from(`${moment}.000000Z ch_${'0'.repeat(26)}`).toString('base64url');
      expect(await named(`cursor=${cursor}`), moment).toEqual(['/cursor invalid_format']);
    }
    expect(await named('limit=1&limit=2')).toEqual(['/limit wrong_type']);
  });

  it('a state that does not allow the call is 409', async () => {
    const { challenge_id } = await rig.create();
    await rig.db
      .updateTable('challenge')
      .set({ status: 'expired', closed_reason: 'expired', closed_at: new Date() })
      .where('id', '=', challenge_id)
      .execute();
    expectProblem(await rig.call('POST', `/v1/challenges/${challenge_id}/cancel`), 'state-conflict');
  });

  it('keeps a valid X-Request-Id and replaces any other', async () => {
    const id = async (given: string) =>
      (await rig.call('GET', '/v1/nothing', undefined, { 'x-request-id': given })).json<Problem>().instance;
    expect(await id('My_id-1.2')).toBe('My_id-1.2');
    expect(await id('x'.repeat(128))).toBe('x'.repeat(128));
    for (const bad of ['', 'a b', 'x'.repeat(129), 'a/b', '"quoted"']) expect(await id(bad)).toMatch(/^req_/);
    const fine = await rig.call('GET', '/v1/challenges', undefined, { 'x-request-id': 'mine' });
    expect(fine.headers['x-request-id']).toBe('mine');
  });
});

describe('errors of the service', () => {
  const failing = async (error: Error) => {
    const accounts = {
      recall: () => 'trusted' as const,
      authenticate: async () => Promise.reject(error),
    };
    const failed = await createHttpRig({ services: { accounts } });
    try {
      return await failed.call('GET', '/v1/challenges');
    } finally {
      expect(failed.logLines.join('')).not.toContain('row-content');
      await failed.close();
    }
  };

  it('an unexpected fault is 500 without details', async () => {
    const error = Object.assign(new TypeError('it broke'), { detail: 'row-content' });
    const answer = await failing(error);
    expectProblem(answer, 'internal');
    expect(answer.body).not.toContain('it broke');
  });

  it('an unreachable database is 503 with Retry-After', async () => {
    const answer = await failing(new Fault('DATABASE_UNAVAILABLE'));
    expectProblem(answer, 'saturated');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('a failing asset store and a full disk under the database are 503 with Retry-After', async () => {
    const store = await failing(new Fault('ASSET_STORE_FAILED', 'ENOSPC'));
    expectProblem(store, 'storage-unavailable');
    expect(store.body).not.toContain('ENOSPC');
    const database = await failing(Object.assign(new Error('could not extend file'), { code: '53100' }));
    expectProblem(database, 'saturated');
    for (const answer of [store, database]) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('a delayed event loop is 503 with Retry-After, except for probes', async () => {
    const slow = await createHttpRig({ settings: { limits: { maxEventLoopDelayMs: 1 } } });
    try {
      const until = Date.now() + 4_000;
      let answer = await slow.call('GET', '/v1/challenges');
      while (answer.statusCode !== 503 && Date.now() < until) {
        const busyUntil = Date.now() + 60;
        while (Date.now() < busyUntil);
        await new Promise((done) => setTimeout(done, 1));
        answer = await slow.call('GET', '/v1/challenges');
      }
      expectProblem(answer, 'saturated');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect((await slow.call('GET', '/livez')).statusCode).toBe(200);
    } finally {
      await slow.close();
    }
  });
});

describe('a second in which the event loop made no turn', () => {
  const request = { log: { warn: () => {} } } as unknown as FastifyRequest;
  const told = (delayMs: number) => refuseWhenBehind(request, {} as FastifyReply, 'eventLoopDelay', delayMs);

  it('refuses nobody, because a start has one; the next such second does', async () => {
    await expect(told(Number.POSITIVE_INFINITY)).resolves.toBeUndefined();
    await expect(told(1_500)).rejects.toMatchObject({ kind: 'saturated' });
  });
});

describe('rate limits', () => {
  it('a key over its rate gets 429 with Retry-After and RateLimit headers, another key does not', async () => {
    const limited = await createHttpRig({
      limits: { keyRatePerMinute: 3, pageRatePerMinute: 2 },
    });
    try {
      const first = await limited.call('GET', '/v1/challenges');
      expect(first.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
      await limited.call('GET', '/v1/challenges');
      await limited.call('GET', '/v1/challenges');
      const over = await limited.call('POST', '/v1/create-challenge', { liveness_only: true });
      expectProblem(over, 'rate-limited');
      expect(over.headers['ratelimit-remaining']).toBe('0');
      expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
      const other = await limited.makeAccount('other');
      const headers = { authorization: `Basic ${other.key}` };
      expect((await limited.app.inject({ url: '/v1/challenges', headers })).statusCode).toBe(200);

      const page = () => limited.app.inject({ url: '/c/unknown' });
      expect((await page()).statusCode).toBe(404);
      expect((await page()).statusCode).toBe(404);
      const busy = await page();
      expect(busy.statusCode).toBe(429);
      expect(busy.headers['content-type']).toContain('text/html');
      expect(Number(busy.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});

describe('on the wire', () => {
  let wire: HttpRig;
  let port: number;
  beforeAll(async () => {
    wire = await createHttpRig({
      settings: {
        limits: { headersTimeoutMs: 400, requestTimeoutMs: 600, timeoutCheckIntervalMs: 100 },
      },
    });
    await wire.app.listen({ port: 0, host: '127.0.0.1' });
    port = (wire.app.server.address() as AddressInfo).port;
  });
  afterAll(() => wire.close());

  /** Sends bytes; returns what came back until the server closed the connection. */
  const exchange = (...parts: (string | number)[]) =>
    new Promise<string>((done) => {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => done(received));
      socket.on('connect', async () => {
        for (const part of parts) {
          if (typeof part === 'string') socket.write(part);
          else await new Promise((resolve) => setTimeout(resolve, part));
        }
      });
    });
  const head = (line: string, ...headers: string[]) => [line, 'Host: x', ...headers, '', ''].join('\r\n');
  const problemIn = (raw: string) => JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4)) as Problem;

  it('refuses broken HTTP', async () => {
    const raw = await exchange('NONSENSE\r\n\r\n');
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(problemIn(raw)).toMatchObject({ status: 400, instance: expect.stringMatching(/^req_/) });
  });

  it('refuses a request without a host, and ignores an unknown expectation', async () => {
    const raw = await exchange('GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(raw).toMatch(/x-request-id: req_/i);
    expect(problemIn(raw)).toMatchObject({ detail: 'Send a Host header.', instance: expect.any(String) });
    const expected = await exchange(head('GET /livez HTTP/1.1', 'Expect: the-best', 'Connection: close'));
    expect(expected).toMatch(/^HTTP\/1\.1 200 /);
    expect(expected).toMatch(/x-request-id: req_/i);
    expect(await exchange('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('refuses endless headers', async () => {
    const raw = await exchange(`GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 431 /);
    expect(problemIn(raw).type).toContain('/headers-too-large');
  });

  it('times out headers that do not arrive', async () => {
    const raw = await exchange('GET /livez HTTP/1.1\r\nHost: x\r\n');
    expect(raw).toMatch(/^HTTP\/1\.1 408 /);
    expect(problemIn(raw).type).toContain('/request-timeout');
  });

  it('times out a body that does not arrive', async () => {
    const start = head(
      'POST /v1/create-challenge HTTP/1.1',
      `Authorization: Basic ${wire.key}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    );
    const raw = await exchange(start, '{"live');
    expect(raw).toMatch(/^HTTP\/1\.1 408 /);
  });

  /** One byte every 50 ms, for longer than a whole request may take. */
  const trickle = (text: string) => [...text.repeat(40).slice(0, 40)].flatMap((byte) => [byte, 50]);

  it('closes the connection when headers arrive byte by byte', async () => {
    const raw = await exchange('GET /livez HTTP/1.1\r\nHost: x\r\nX: ', ...trickle('y'));
    expect(raw).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('closes the connection when an upload stalls or arrives byte by byte; it resumes at the true offset', async () => {
    const { path } = await wire.create({ liveness_only: true, require_consent: false });
    const device = { 'likeness-device': randomBytes(32).toString('base64url') };
    const ask = async (method: 'GET' | 'POST', below: string, payload?: object) =>
      (
        await wire.app.inject({ method, url: path + below, headers: device, ...(payload && { payload }) })
      ).json();
    await ask('POST', '/start', {});
    const issued = await ask('POST', '/captures', {});
    const below = `/captures/${issued.capture_id}`;
    const bytes = randomBytes(1_000);
    const video = { size_bytes: bytes.length, mime_type: 'video/webm', duration_ms: 3_000 };
    const slices = [{ index: 0, sha256: sha256(bytes), size_bytes: 1_000, to_ms: 1 }];
    const { steps } = await ask('POST', `${below}/slices`, { slices, steps: issued.step_count });
    const script = performedScript({ ...issued.script, steps }, 1_500);
    await ask('POST', `${below}/commit`, { ...video, script, slices: 1 });
    const start = head(
      `POST ${path}${below}/bytes?offset=0 HTTP/1.1`,
      `Likeness-Device: ${device['likeness-device']}`,
      'Content-Type: application/octet-stream',
      'Content-Length: 1000',
    );
    const [stalled, slow] = await Promise.all([exchange(start, 'abc'), exchange(start, ...trickle('abc'))]);
    expect(stalled).toMatch(/^HTTP\/1\.1 408 /);
    expect(slow).toMatch(/^HTTP\/1\.1 408 /);
    expect(await ask('GET', below)).toMatchObject({ state: 'committed', received_bytes: 0 });
    const whole = await wire.app.inject({
      method: 'POST',
      url: `${path}${below}/bytes?offset=0`,
      headers: { ...device, 'content-type': 'application/octet-stream' },
      payload: bytes,
    });
    expect(whole.json()).toMatchObject({ state: 'submitted', received_bytes: 1_000 });
  });

  it('refuses a caller without a key before the body has arrived', async () => {
    const start = head(
      'POST /v1/create-challenge HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 200000',
      'Connection: close',
    );
    const raw = await exchange(start);
    expect(raw).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('still serves requests after all of this', async () => {
    const raw = await exchange(head('GET /livez HTTP/1.1', 'Connection: close'));
    expect(raw).toMatch(/^HTTP\/1\.1 200 /);
  });
});
