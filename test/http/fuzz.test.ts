import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/contract/problem.ts';
import { FAULT_FIELD_CODES } from '../../src/contract/problem.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

const FIELDS = [
  'customer_reference',
  'liveness_only',
  'compare_to_featids',
  'expires_in_seconds',
  'require_consent',
  'flow_behaviour',
  'flow_style',
  'notifications',
  'exit_redirect_url',
  'alternative_url',
  'logo_public_url',
  'primary_colour_hex',
  'complete',
  'type',
  'properties',
  'endpoint_url',
  'authentication',
];
const leaf = fc.oneof(
  fc.boolean(),
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    null,
    'https',
    'oauth',
    'https://e.com/',
    'http://[::1',
    'https://\u0000',
    'x\ud800',
    '#fff',
  ),
);
const body = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 4 })),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), tie('value'), { maxKeys: 8 }),
})).object;
/** Almost valid bodies: the required field is right, the rest is arbitrary. */
const nearly = body.map((value) => ({ ...(value as object), liveness_only: true }));

async function expectOrderly(payload: string | Buffer): Promise<void> {
  const answer = await rig.call('POST', '/v1/create-challenge', payload, {
    'content-type': 'application/json',
  });
  expect([201, 400, 413, 422]).toContain(answer.statusCode);
  if (answer.statusCode !== 422) return;
  const problem = answer.json<Problem>();
  expect(problem.errors!.length).toBeGreaterThan(0);
  for (const { pointer, code } of problem.errors!) {
    expect(FAULT_FIELD_CODES).toContain(code);
    expect(pointer === '' || pointer.startsWith('/')).toBe(true);
  }
}

describe('any body', () => {
  it('of JSON is created or refused with a well-formed answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(body, nearly, fc.jsonValue()), (value) =>
        expectOrderly(JSON.stringify(value)),
      ),
      { numRuns: 400 },
    );
  });

  it('of bytes is created or refused with a well-formed answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) => expectOrderly(Buffer.from(bytes))),
      { numRuns: 150 },
    );
  });
});

describe('any link, id, query or header', () => {
  it('gets a well-formed answer', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 60 })
      .map((raw) => encodeURIComponent(raw.toWellFormed()));
    const paths = [
      '/c/$',
      '/c/$/outcome',
      '/c/$/captures/$',
      '/v1/challenges/$',
      '/v1/challenges?cursor=$',
      '/v1/challenges?customer_reference=$',
      '/assets/links/$?expires=$&signature=$',
      '/assets/capture/$',
      '/docs/errors/$',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), text, text, async (path, part, device) => {
        const url = path.replaceAll('$', () => part);
        const answer = await rig.call('GET', url, undefined, {
          'likeness-device': device,
          'x-request-id': device,
        });
        expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });

  it('gets one also as the token of an asset link and as an API key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (raw) => {
        const credentials = Buffer.from(raw).toString('base64');
        const answer = await rig.app.inject({
          url: '/v1/challenges',
          headers: { authorization: `Basic ${credentials}` },
        });
        expect(answer.statusCode).toBe(401);
      }),
      { numRuns: 100 },
    );
  });
});
