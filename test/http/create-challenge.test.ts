import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSweepStore } from '../../src/challenge/tables/sweep-store.ts';
import type { FieldFault, Problem } from '../../src/contract/problem.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig({ fetchImage: async (url) => (url.endsWith('logo.png') ? LOGO : null) });
});
afterAll(() => rig.close());

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><circle cx="20" cy="15" r="9"/></svg>',
);

const oauth = {
  type: 'oauth',
  properties: {
    oauth_endpoint_url: 'http://127.0.0.1:9000/token',
    grant: 'client_credentials',
    client_id: 'id',
    client_secret: 'TOP-SECRET-VALUE',
  },
};

/** Every field of a creation request, valid. */
const FULL = {
  customer_reference: 'ref-1',
  liveness_only: true,
  expires_in_seconds: 900,
  require_consent: true,
  flow_behaviour: { exit_redirect_url: 'https://example.com/done?x=1#y' },
  flow_style: {
    primary_colour_hex: '#0a66c2',
    header_text_colour_hex: '#FFF',
    body_text_colour_hex: '#000000',
    logo_public_url: 'https://example.com/logo.png',
    terms_of_service_url: 'https://example.com/terms',
    show_consent_checkbox: true,
  },
  notifications: {
    complete: [
      { type: 'https', properties: { endpoint_url: 'https://example.com/hook', authentication: oauth } },
    ],
    expired: [{ type: 'http', properties: { endpoint_url: 'http://example.com/hook' } }],
  },
};

const set = (pointer: string, value: unknown): Record<string, unknown> => {
  const body = structuredClone(FULL) as Record<string, unknown>;
  const steps = pointer.slice(1).split('/');
  let at = body as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) at = at[step] as Record<string, unknown>;
  const last = steps.at(-1)!;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return body;
};

const faultsOf = async (body: unknown): Promise<FieldFault[]> => {
  const answer = await rig.call('POST', '/v1/create-challenge', body);
  expect(answer.statusCode, answer.body).toBe(422);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  const problem = answer.json<Problem>();
  expect(problem.type).toBe('http://likeness.test/docs/errors/validation-failed');
  expect(problem.instance).toBe(answer.headers['x-request-id']);
  expect(answer.body).not.toContain('TOP-SECRET-VALUE');
  return problem.errors!;
};

describe('POST /v1/create-challenge', () => {
  it('creates a challenge from every field of the specification, and from the minimum', async () => {
    for (const body of [FULL, { liveness_only: true }]) {
      const answer = await rig.call('POST', '/v1/create-challenge', body);
      expect(answer.statusCode, answer.body).toBe(201);
      const made = answer.json();
      expect(Object.keys(made).sort()).toEqual(['challenge_id', 'challenge_url', 'expires_at']);
      expect(made.challenge_id).toMatch(/^ch_[0-9a-z]{26}$/);
      expect(made.challenge_url).toMatch(/^http:\/\/likeness\.test\/c\/[A-Za-z0-9_-]{43}$/);
      expect(made.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(answer.headers.location).toBe(`/v1/challenges/${made.challenge_id}`);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(Math.abs(Date.parse(made.expires_at) - Date.now() - 900_000)).toBeLessThan(10_000);
    }
  });

  it('warns of a logo that the person will not see, in a replay too', async () => {
    const body = set('/flow_style/logo_public_url', 'https://example.com/gone');
    for (const _ of ['first', 'replay']) {
      const answer = await rig.call('POST', '/v1/create-challenge', body, { 'idempotency-key': 'logo' });
      expect(answer.statusCode, answer.body).toBe(201);
      expect(answer.json().warnings).toMatchObject([
        { pointer: '/flow_style/logo_public_url', code: 'logo_unreachable' },
      ]);
    }
  });

  it('compares with FeatureIDs of the account, and refuses all others with pointer and code', async () => {
    const own = await rig.makeFeatid();
    const good = { liveness_only: false, compare_to_featids: [own] };
    expect((await rig.call('POST', '/v1/create-challenge', good)).statusCode).toBe(201);
    const other = await rig.makeAccount('featid owner');
    const foreign = await rig.makeFeatid(other.accountId);
    const revoked = await rig.makeFeatid();
    await rig.featids.revoke(rig.accountId, revoked, 'test');
    const tampered = own.slice(0, -10) + (own.at(-10) === 'x' ? 'y' : 'x') + own.slice(-9);
    const faults = await faultsOf({
      liveness_only: false,
      compare_to_featids: [own, foreign, revoked, tampered, 'nonsense'],
    });
    expect(faults.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/compare_to_featids/1', 'featid_unknown'],
      ['/compare_to_featids/2', 'featid_revoked'],
      ['/compare_to_featids/3', 'featid_invalid'],
      ['/compare_to_featids/4', 'featid_invalid'],
    ]);
  });

  const long = (length: number) => 'x'.repeat(length);
  const hook = '/notifications/complete/0';
  const wrong: [string, unknown, string, string?][] = [
    ['/customer_reference', 5, 'wrong_type'],
    ['/customer_reference', '', 'too_short'],
    ['/customer_reference', long(257), 'too_long'],
    ['/customer_reference', 'a\u0000b', 'invalid_format'],
    ['/customer_reference', 'a\ud800b', 'invalid_format'],
    ['/liveness_only', 'true', 'wrong_type'],
    ['/liveness_only', 1, 'wrong_type'],
    ['/liveness_only', undefined, 'required'],
    ['/compare_to_featids', 'x', 'wrong_type'],
    ['/compare_to_featids', ['some'], 'must_be_absent'],
    ['/expires_in_seconds', '900', 'wrong_type'],
    ['/expires_in_seconds', 900.5, 'wrong_type'],
    ['/expires_in_seconds', 0, 'too_small'],
    ['/expires_in_seconds', 604_801, 'too_large'],
    ['/require_consent', 'false', 'wrong_type'],
    ['/require_consnt', true, 'unknown_field'],
    ['/flow_behaviour', [], 'wrong_type'],
    ['/flow_behaviour/exit_redirect_url', 7, 'wrong_type'],
    ['/flow_behaviour/exit_redirect_url', 'not a url', 'invalid_url'],
    ['/flow_behaviour/exit_redirect_url', 'javascript:alert(1)', 'url_scheme_not_allowed'],
    ['/flow_behaviour/exit_redirect_url', ' jAvAsCrIpT:alert(1)', 'url_scheme_not_allowed'],
    ['/flow_behaviour/exit_redirect_url', 'data:text/html,x', 'url_scheme_not_allowed'],
    ['/flow_behaviour/exit_redirect_url', 'intent://x', 'url_scheme_not_allowed'],
    ['/flow_behaviour/exit_redirect_url', `https://e.com/${long(2048)}`, 'too_long'],
    ['/flow_behaviour/alternative_url', 'http://e.com/', 'https_required'],
    ['/flow_behaviour/alternative_url', 'myapp://branch', 'url_scheme_not_allowed'],
    ['/flow_behaviour/alternative_url', 'https://me:secret@e.com/', 'invalid_url'],
    ['/flow_behaviour/alternative_url', `https://e.com/${long(2048)}`, 'too_long'],
    ['/flow_behaviour/else', 1, 'unknown_field'],
    ['/flow_style', 'blue', 'wrong_type'],
    ['/flow_style/primary_colour_hex', 'red', 'invalid_format'],
    ['/flow_style/header_text_colour_hex', '#12345', 'invalid_format'],
    ['/flow_style/body_text_colour_hex', 0, 'wrong_type'],
    ['/flow_style/logo_public_url', 'ftp://example.com/x', 'url_scheme_not_allowed'],
    ['/flow_style/terms_of_service_url', 'example.com', 'invalid_url'],
    ['/flow_style/show_consent_checkbox', 'yes', 'wrong_type'],
    ['/notifications', [], 'wrong_type'],
    ['/notifications/complete', {}, 'wrong_type'],
    ['/notifications/complete', Array(11).fill(FULL.notifications.expired[0]), 'too_many'],
    [`${hook}/type`, 'smtp', 'not_allowed_value'],
    [`${hook}/type`, 5, 'wrong_type'],
    [`${hook}/type`, undefined, 'required'],
    [`${hook}/properties`, undefined, 'required'],
    [`${hook}/properties/endpoint_url`, 'http://example.com/', 'https_required'],
    [`${hook}/properties/endpoint_url`, 'mailto:a@example.com', 'url_scheme_not_allowed'],
    [`${hook}/properties/endpoint_url`, undefined, 'required'],
    [`${hook}/properties/authentication/type`, 'basic', 'not_allowed_value'],
    [`${hook}/properties/authentication/properties`, undefined, 'required'],
    [`${hook}/properties/authentication/properties/oauth_endpoint_url`, 'nowhere', 'invalid_url'],
    [`${hook}/properties/authentication/properties/grant`, 'password', 'not_allowed_value'],
    [`${hook}/properties/authentication/properties/client_id`, '', 'too_short'],
    [`${hook}/properties/authentication/properties/client_secret`, 9, 'wrong_type'],
    [`${hook}/properties/authentication/properties/client_secret`, long(1025), 'too_long'],
    [`${hook}/properties/authentication/properties/client_secrt`, 'TOP-SECRET-VALUE', 'unknown_field'],
  ];
  it.each(wrong)('%s = %j is %s', async (pointer, value, code) => {
    const faults = await faultsOf(set(pointer, value));
    expect(faults.map((fault) => [fault.pointer, fault.code])).toEqual([[pointer, code]]);
    expect(faults[0]!.detail).not.toBe('');
  });

  it('reports every fault at once: of the schema, across fields and of FeatureIDs', async () => {
    const faults = await faultsOf({
      customer_reference: '',
      liveness_only: false,
      compare_to_featids: ['nonsense', 5],
      expires_in_seconds: '900',
      'un/known~field': 1,
      flow_behaviour: { exit_redirect_url: 'javascript:1' },
      flow_style: { primary_colour_hex: 'red', logo_public_url: 'ftp://x/y' },
      notifications: { complete: [{ type: 'https', properties: { endpoint_url: 'http://e.com' } }, {}] },
    });
    const named = faults.map(({ pointer, code }) => `${pointer} ${code}`).sort();
    expect(named).toEqual(
      [
        '/customer_reference too_short',
        '/compare_to_featids/0 featid_invalid',
        '/compare_to_featids/1 wrong_type',
        '/expires_in_seconds wrong_type',
        '/un~1known~0field unknown_field',
        '/flow_behaviour/exit_redirect_url url_scheme_not_allowed',
        '/flow_style/primary_colour_hex invalid_format',
        '/flow_style/logo_public_url url_scheme_not_allowed',
        '/notifications/complete/0/properties/endpoint_url https_required',
        '/notifications/complete/1/type required',
        '/notifications/complete/1/properties required',
      ].sort(),
    );
  });

  it('requires FeatureIDs where liveness_only is false', async () => {
    expect(await faultsOf({ liveness_only: false })).toMatchObject([
      { pointer: '/compare_to_featids', code: 'required' },
    ]);
    expect(await faultsOf({ liveness_only: false, compare_to_featids: [] })).toMatchObject([
      { pointer: '/compare_to_featids', code: 'too_few' },
    ]);
    expect(await faultsOf({ liveness_only: false, compare_to_featids: Array(101).fill('x') })).toMatchObject([
      { pointer: '/compare_to_featids', code: 'too_many' },
    ]);
  });

  it.each([[[]], [[1]], ['text'], [5], [true], [null]])('a body of %j is not an object', async (body) => {
    const answer = await rig.call('POST', '/v1/create-challenge', JSON.stringify(body), {
      'content-type': 'application/json',
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<Problem>().errors).toMatchObject([{ pointer: '', code: 'wrong_type' }]);
  });

  it('stores nothing when it refuses', async () => {
    const count = async () => (await rig.db.selectFrom('challenge').select('id').execute()).length;
    const before = await count();
    await faultsOf({ liveness_only: 'yes' });
    expect(await count()).toBe(before);
  });
});

describe('Idempotency-Key', () => {
  const post = (body: object, key: string) =>
    rig.call('POST', '/v1/create-challenge', body, { 'idempotency-key': key });

  it('replays the first answer for the same body, whatever its key order', async () => {
    const first = await post({ liveness_only: true, customer_reference: 'a' }, 'key-1');
    const again = await post({ customer_reference: 'a', liveness_only: true }, 'key-1');
    expect(first.statusCode).toBe(201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.statusCode).toBe(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.body).toBe(first.body);
  });

  it('takes null for leaving a field out, everywhere', async () => {
    const headers = { 'idempotency-key': 'nulls' };
    const first = await rig.call('POST', '/v1/create-challenge', { liveness_only: true }, headers);
    const optional = Object.keys(FULL).filter((name) => name !== 'liveness_only');
    const nulls = Object.fromEntries([...optional, 'compare_to_featids'].map((name) => [name, null]));
    const all = { ...nulls, liveness_only: true };
    const again = await rig.call('POST', '/v1/create-challenge', all, headers);
    expect(again.statusCode, again.body).toBe(201);
    expect(again.json()).toEqual(first.json());
    const configuration = '/notifications/complete/0/properties';
    for (const pointer of [
      '/flow_behaviour/exit_redirect_url',
      '/flow_behaviour/alternative_url',
      ...Object.keys(FULL.flow_style).map((name) => `/flow_style/${name}`),
      '/notifications/expired',
      `${configuration}/authentication`,
      ...['grant', 'scope', 'audience'].map((name) => `${configuration}/authentication/properties/${name}`),
    ]) {
      const made = await rig.call('POST', '/v1/create-challenge', set(pointer, null));
      expect(made.statusCode, `${pointer}: ${made.body}`).toBe(201);
    }
  });

  it('refuses null for a field that is required or unknown', async () => {
    expect(await faultsOf({ liveness_only: null })).toMatchObject([{ code: 'wrong_type' }]);
    expect(await faultsOf({ liveness_only: true, require_consnt: null })).toMatchObject([
      { code: 'unknown_field' },
    ]);
  });

  it('refuses the same key with another body', async () => {
    await post({ liveness_only: true }, 'key-2');
    const other = await post({ liveness_only: true, expires_in_seconds: 60 }, 'key-2');
    expect(other.statusCode).toBe(422);
    expect(other.json<Problem>().type).toContain('/idempotency-key-reused');
  });

  it('creates one challenge from many concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post({ liveness_only: true, customer_reference: 'burst' }, 'key-3')),
    );
    const ids = answers
      .filter((answer) => answer.statusCode === 201)
      .map((answer) => answer.json().challenge_id);
    expect(new Set(ids).size).toBe(1);
    expect(answers.every((answer) => [201, 409].includes(answer.statusCode))).toBe(true);
    const found = (await rig.call('GET', '/v1/challenges?customer_reference=burst')).json();
    expect(found.data).toHaveLength(1);
  });

  it('replays a refusal, whichever check made it, and needs a new key for the corrected body', async () => {
    const ofSchema = { liveness_only: 'yes' };
    const ofRules = { liveness_only: true, flow_style: { logo_public_url: 'ftp://a.example/x' } };
    for (const [at, wrong] of [ofSchema, ofRules].entries()) {
      const first = await post(wrong, `refused-${at}`);
      expect([first.statusCode, first.headers['idempotency-replayed']]).toEqual([422, undefined]);
      const again = await post(wrong, `refused-${at}`);
      expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([422, 'true']);
      expect(again.json<Problem>().errors).toEqual(first.json<Problem>().errors);
      const mended = await post({ liveness_only: true }, `refused-${at}`);
      expect(mended.json<Problem>().type).toContain('/idempotency-key-reused');
    }
    expect((await post({ liveness_only: true }, 'refused-mended')).statusCode).toBe(201);
  });

  it('records nothing if the body cannot be read or the API key is not allowed', async () => {
    const broken = await rig.app.inject({
      method: 'POST',
      url: '/v1/create-challenge',
      payload: '{',
      headers: {
        authorization: `Basic ${rig.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'broken',
      },
    });
    expect(broken.statusCode).toBe(400);
    expect((await post({ liveness_only: true }, 'broken')).statusCode).toBe(201);
    expect((await post({ liveness_only: 'no' }, 'not allowed')).statusCode).toBe(400);
  });

  it('accepts a body with the maximum nesting', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { challenge_id } = await rig.create();
    for (const url of ['/v1/create-challenge', `/v1/challenges/${challenge_id}/cancel`]) {
      const answer = await rig.app.inject({
        method: 'POST',
        url,
        payload: deep,
        headers: {
          authorization: `Basic ${rig.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'deep',
        },
      });
      expect(answer.statusCode).toBe(url.endsWith('cancel') ? 200 : 422);
    }
  });

  it.each(['', 'with space', 'ü', 'x'.repeat(256)])('refuses the key %j', async (key) => {
    const answer = await post({ liveness_only: true }, key);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().detail).toContain('idempotency-key');
  });

  it('replays a cancellation, which a second call alone would refuse', async () => {
    const { challenge_id } = await rig.create();
    const cancel = () =>
      rig.call('POST', `/v1/challenges/${challenge_id}/cancel`, undefined, { 'idempotency-key': 'c-1' });
    const first = await cancel();
    expect(first.statusCode, first.body).toBe(200);
    expect(first.json().status).toBe('cancelled');
    const again = await cancel();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toBe(first.body);
  });

  it.each(['erased', 'purged'])('replays nothing of a challenge that is %s', async (end) => {
    const live = (await rig.accounts.find(rig.accountId))!;
    const { key } = await rig.accounts.createKey(live, { sandbox: true }, 'operator');
    const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
      rig.app.inject({
        method,
        url,
        ...(payload && { payload }),
        headers: { authorization: `Basic ${key}`, ...(method === 'POST' && { 'idempotency-key': end }) },
      });
    const endpoint = { type: 'https', properties: { endpoint_url: 'https://a.example/hook' } };
    const made = await call('POST', '/v1/create-challenge', {
      liveness_only: true,
      customer_reference: 'sandbox:pass',
      notifications: { complete: [endpoint] },
    });
    const { challenge_id: id } = made.json();
    const [delivery] = (await call('GET', `/v1/challenges/${id}/deliveries`)).json().data;
    const redeliver = `/v1/deliveries/${delivery.delivery_id}/redeliver`;
    // A percent-encoded id is the same path.
    const posts = [redeliver, redeliver.replace('msg_', 'msg%5F'), `/v1/challenges/${id}/cancel`];
    const answers = async () => {
      const statuses: number[] = [];
      for (const url of posts) statuses.push((await call('POST', url)).statusCode);
      return statuses;
    };
    expect(await answers()).toEqual([202, 202, 409]);
    const other = (await rig.create()).challenge_id;
    const cancelOther = () =>
      rig.call('POST', `/v1/challenges/${other}/cancel`, undefined, { 'idempotency-key': end });
    await cancelOther();
    if (end === 'erased') {
      // Another account's request deletes no record.
      await rig.call('DELETE', `/v1/challenges/${id}`);
      expect(await answers()).toEqual([202, 202, 409]);
      expect((await call('DELETE', `/v1/challenges/${id}`)).statusCode).toBe(204);
    } else {
      await rig.db
        .updateTable('delivery')
        .set({ status: 'delivered', next_attempt_at: null })
        .where('challenge_id', '=', id)
        .execute();
      await rig.db
        .updateTable('challenge')
        .set({ closed_at: new Date(0) })
        .where('id', '=', id)
        .execute();
      expect(await createSweepStore(rig.db).purgeResults(90, 100)).toBe(1);
    }
    expect(await answers()).toEqual([404, 404, 404]);
    expect((await cancelOther()).headers['idempotency-replayed']).toBe('true');
  });
});

describe('API keys', () => {
  const get = (authorization?: string) =>
    rig.app.inject({ method: 'GET', url: '/v1/challenges', headers: authorization ? { authorization } : {} });
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it('accepts the raw key and the base64 of key and password', async () => {
    for (const credentials of [rig.key, base64(`${rig.key}:`), base64(`${rig.key}:ignored`)]) {
      expect((await get(`Basic ${credentials}`)).statusCode).toBe(200);
    }
    expect((await get(`bAsIc ${rig.key}`)).statusCode).toBe(200);
  });

  it('answers 401 to everything else, before reading the body', async () => {
    const wrong = [
      undefined,
      'Basic',
      'Basic x',
      `Bearer ${rig.key}`,
      `Basic ${rig.key}x`,
      'Basic ====',
      `Basic ${base64('a:b')}`,
    ];
    for (const authorization of wrong) {
      const answer = await get(authorization);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="likeness"/);
      expect(answer.json<Problem>().type).toContain('/unauthorized');
    }
    const malformed = await rig.app.inject({
      method: 'POST',
      url: '/v1/create-challenge',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    });
    expect(malformed.statusCode).toBe(401);
  });

  it('refuses a revoked key', async () => {
    const account = await rig.makeAccount('revoked');
    await rig.accounts.revokeKey(account.accountId, account.keyId, 'test');
    expect((await get(`Basic ${account.key}`)).statusCode).toBe(401);
  });

  it('hides the resources of other accounts', async () => {
    const { challenge_id } = await rig.create();
    const other = await rig.makeAccount('other');
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/cancel'],
      ['GET', '/deliveries'],
    ] as const) {
      const answer = await rig.app.inject({
        method,
        url: `/v1/challenges/${challenge_id}${path}`,
        headers: { authorization: `Basic ${other.key}` },
      });
      expect(answer.statusCode).toBe(404);
    }
    expect((await rig.call('GET', `/v1/challenges/${challenge_id}`)).statusCode).toBe(200);
  });
});
