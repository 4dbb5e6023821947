// What problems say, so that whoever reads them knows what to do next. Nothing that was sent is repeated.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PictureFeatid } from '../../src/contract/picture.ts';
import type { Problem } from '../../src/contract/problem.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

const post = (payload: string | object, headers: Record<string, string> = {}) =>
  rig.call('POST', '/v1/create-challenge', payload, { 'content-type': 'application/json', ...headers });
const detail = async (answer: ReturnType<typeof post>) => (await answer).json<Problem>().detail;
const faults = async (body: object) => (await post(body)).json<Problem>().errors!;

describe('a body that is no JSON', () => {
  it.each([
    ['{\n  "liveness_only": true\n  "x": 1\n}', 'comma expected at line 3, column 3'],
    ['{"liveness_only": true', 'close brace expected at line 1, column 23'],
    ['{"liveness_only": true,}', 'property name expected at line 1, column 24'],
    ['{"liveness_only": secret}', 'invalid symbol at line 1, column 19'],
    [`["${'['.repeat(300)}" 1]`, 'comma expected at line 1, column 305'],
    ['{} {}', 'end of file expected at line 1, column 4'],
  ])('says where: %j', async (text, said) => {
    const told = await detail(post(text));
    expect(told).toBe(`The body is not JSON: ${said}.`);
    expect(told).not.toContain('secret');
  });

  it.each([
    ['brackets', '['.repeat(200_000)],
    ['objects', '{"a":'.repeat(40_000)],
    ['texts with brackets in them', `[${'"[[[", '.repeat(10)}${'['.repeat(200)}`],
    ['half a list', `${'[1,'.repeat(60_000)}x`],
  ])('is answered however deep it is nested: %s', async (_, text) => {
    const answer = await post(text);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().detail).toContain('nested too deeply');
  });

  it('says so of a key that would poison a prototype', async () => {
    expect(await detail(post('{"__proto__": {"x": 1}}'))).toBe(
      'The body has a key that names an object prototype.',
    );
  });
});

it.each([
  ['/v1/create-challenge', '`application/json`'],
  ['/v1/featids', '`image/jpeg`, `image/png`, `image/webp` or `image/bmp`'],
  ['LINK/captures/trial/bytes', '`application/octet-stream`'],
])('names the content types that are accepted at %s', async (path, types) => {
  const url = path.replace('LINK', (await rig.create()).path);
  const answer = await rig.call('POST', url, '{}', { 'content-type': 'text/plain' });
  expect(answer.statusCode).toBe(415);
  expect(answer.json<Problem>().detail).toBe(`Send the body as ${types}.`);
});

describe('an unknown field', () => {
  it.each([
    [{ liveness_only: true, require_consnt: false }, '/require_consnt', 'require_consent'],
    [{ liveness_only: true, livenessLevel: 'high' }, '/livenessLevel', 'liveness_level'],
    [{ liveness_only: true, flow_style: { logo_url: 'x' } }, '/flow_style/logo_url', null],
    [{ liveness_only: true, 'x/y': 1 }, '/x~1y', null],
  ] as const)('%j', async (body, pointer, meant) => {
    expect(await faults(body)).toContainEqual({
      pointer,
      code: 'unknown_field',
      detail: `is not a field of this object${meant ? `; did you mean \`${meant}\`?` : ''}`,
    });
  });
});

it('shows how a colour looks', async () => {
  expect(await faults({ liveness_only: true, flow_style: { primary_colour_hex: 'blue' } })).toEqual([
    { pointer: '/flow_style/primary_colour_hex', code: 'invalid_format', detail: 'must look like `#0a66c2`' },
  ]);
});

describe('a key', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
  it.each([
    ['Bearer lk_live_x', 'not as Bearer'],
    [`Basic ${secret}`, 'webhook secret'],
    [`Basic ${Buffer.from(`${secret}:`).toString('base64')}`, 'webhook secret'],
    ['Basic lk_live_x', 'unknown, expired or revoked'],
  ])('%s: %s', async (authorization, said) => {
    const told = await detail(post({}, { authorization }));
    expect(told).toContain(said);
    expect(told).not.toContain(secret);
  });
});

it('says of a receipt that is asked for too early when it will be there', async () => {
  const { challenge_id } = await rig.create();
  const read = () => rig.call('GET', `/v1/challenges/${challenge_id}/receipt`);
  expect((await read()).json<Problem>().detail).toContain('Read the receipt once it is completed');
  await rig.call('POST', `/v1/challenges/${challenge_id}/cancel`);
  expect((await read()).json<Problem>().detail).toContain('there will be no receipt');
});

it('says of a sandbox FeatureID with a live key, and the other way round, that they do not know each other', async () => {
  const account = (await rig.accounts.find(rig.accountId))!;
  const { key } = await rig.accounts.createKey(account, { sandbox: true }, 'test');
  const inSandbox = { authorization: `Basic ${key}` };
  const picture = { ...inSandbox, 'content-type': 'image/jpeg' };
  const { featid } = (await rig.call('POST', '/v1/featids', 'a picture', picture)).json<PictureFeatid>();
  const told = 'those of the sandbox are unknown to live keys, and the other way round';
  const compare = (id: string) => ({ liveness_only: false, compare_to_featids: [id] });
  const refused = [
    await post(compare(featid)),
    await rig.call('POST', '/v1/featids/revoke', { featid }),
    await post(compare(await rig.makeFeatid()), inSandbox),
  ];
  for (const answer of refused)
    expect(answer.json<Problem>().errors).toMatchObject([
      { code: 'featid_unknown', detail: expect.stringContaining(told) },
    ]);
});

it('does not call the parameters of a query fields of a body', async () => {
  const answer = await rig.call('GET', '/v1/challenges?limit=0');
  expect(answer.json<Problem>()).toMatchObject({ title: 'Fields are not valid', status: 422 });
  expect(answer.json<Problem>().detail).toBe('Parameters of the query are not valid.');
});

it.each([
  ['foo=1', '/foo', 'is not a parameter of this query'],
  ['limt=1', '/limt', 'is not a parameter of this query; did you mean `limit`?'],
  [`${'a'.repeat(200)}=1`, '', 'contains an unknown parameter'],
])('calls what a query does not have a parameter, no field: %s', async (query, pointer, said) => {
  const answer = await rig.call('GET', `/v1/challenges?${query}`);
  expect(answer.json<Problem>().errors).toEqual([{ pointer, code: 'unknown_field', detail: said }]);
});
