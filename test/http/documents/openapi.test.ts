import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../src/contract/problem.ts';
import { SHARED_SCHEMAS } from '../../../src/http/documents/openapi.ts';
import { FieldChecks } from '../../../src/http/problems/field-faults.ts';
import { createHttpRig, type HttpRig } from '../http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

// biome-ignore lint/suspicious/noExplicitAny: a document is read as it comes
type Json = any;
const read = async (): Promise<Json> => (await rig.app.inject({ url: '/openapi.json' })).json();

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const document = await read();
    const outcome = await new Validator().validate(structuredClone(document));
    expect(outcome.errors ?? []).toEqual([]);
    expect(outcome.valid).toBe(true);
    expect(document.openapi).toBe('3.1.0');
  });

  it('has every endpoint of the contract, and none of the capture page', async () => {
    const { paths } = await read();
    const operations = Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.sort()).toEqual(
      [
        'POST /v1/create-challenge',
        'GET /v1/challenges/{challenge_id}/receipt',
        'GET /.well-known/jwks.json',
        'GET /v1/challenges',
        'GET /v1/challenges/{challenge_id}',
        'POST /v1/challenges/{challenge_id}/cancel',
        'DELETE /v1/challenges/{challenge_id}',
        'GET /v1/challenges/{challenge_id}/deliveries',
        'POST /v1/deliveries/{delivery_id}/redeliver',
        'POST /v1/webhooks/test',
        'POST /v1/featids',
        'POST /v1/featids/revoke',
        'POST /v1/featids/unlock',
        'POST /v1/featids/devices',
        'DELETE /v1/featids/devices/{device_id}',
        'GET /assets/links/{asset_id}',
        'GET /livez',
        'GET /readyz',
      ].sort(),
    );
  });

  it('has no field for a trait or an emotion of a person', async () => {
    const names = new Set<string>();
    JSON.stringify(await read(), (key, value) => {
      if (key === 'properties') for (const name of Object.keys(value)) names.add(name);
      return value;
    });
    expect(names).toContain('overall_result');
    const words = new Set([...names].flatMap((name) => name.split('_')));
    const traits = ['age', 'sex', 'gender', 'race', 'ethnicity', 'nationality', 'religion', 'health'];
    const emotions = ['emotion', 'emotions', 'expression', 'mood', 'happy', 'happiness', 'angry', 'sad'];
    expect([...traits, ...emotions].filter((word) => words.has(word))).toEqual([]);
  });

  it('is generated from the schemas that validate', async () => {
    const { components, webhooks } = await read();
    expect(components.schemas.CreateChallengeRequest).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['liveness_only'],
      properties: { expires_in_seconds: { minimum: 1, maximum: 604_800, default: 900 } },
    });
    expect(Object.keys(components.schemas).sort()).toEqual(
      SHARED_SCHEMAS.map((schema) => (schema as { $id: string }).$id).sort(),
    );
    expect(components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'basic' });
    for (const event of ['complete', 'expired']) {
      const schema = webhooks[event].post.requestBody.content['application/json'].schema;
      expect(schema).toEqual({ $ref: '#/components/schemas/ChallengeResult' });
    }
  });

  it('has examples that are valid for their schemas', async () => {
    const document = await read();
    const checks = new FieldChecks(SHARED_SCHEMAS);
    let seen = 0;
    const walk = (node: Json): void => {
      if (typeof node !== 'object' || node === null) return;
      if (node.examples && node.schema?.$ref) {
        const id = node.schema.$ref.split('/').at(-1);
        for (const example of Object.values<Json>(node.examples)) {
          const outcome = checks.compile({ $ref: `${id}#` }, 'body')(example.value);
          expect('error' in outcome ? outcome.error.faults : []).toEqual([]);
          seen += 1;
        }
      }
      for (const child of Object.values(node)) walk(child);
    };
    walk(document);
    expect(seen).toBe(9);
  });

  it('describes what the service really answers', async () => {
    const checks = new FieldChecks(SHARED_SCHEMAS);
    const { challenge_id } = await rig.create({ liveness_only: true, customer_reference: 'shape' });
    const holds = (id: string, value: unknown) => {
      const outcome = checks.compile({ $ref: `${id}#` }, 'body')(value);
      expect('error' in outcome ? outcome.error.faults : []).toEqual([]);
    };
    holds('ChallengeResult', (await rig.call('GET', `/v1/challenges/${challenge_id}`)).json());
    const list = (await rig.call('GET', '/v1/challenges?customer_reference=shape')).json();
    expect(list.data).toHaveLength(1);
    holds('ChallengeSummary', list.data[0]);
    holds('Problem', (await rig.call('POST', '/v1/create-challenge', {})).json());
  });
});

describe('/docs', () => {
  it('has a page for every kind of error', async () => {
    for (const kind of Object.keys(PROBLEMS)) {
      const page = await rig.app.inject({ url: `/docs/errors/${kind}` });
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain(`<code>${kind}</code>`);
    }
    expect((await rig.app.inject({ url: '/docs/errors' })).statusCode).toBe(200);
    expect((await rig.app.inject({ url: '/docs/errors/toString' })).statusCode).toBe(404);
  });
});

describe('machine endpoints', () => {
  it('livez and readyz', async () => {
    expect((await rig.app.inject({ url: '/livez' })).json()).toEqual({ status: 'ok' });
    expect((await rig.app.inject({ url: '/readyz' })).json()).toEqual({
      status: 'ok',
      parts: { database: true, assets: true, space: true },
    });
    const check = async () => ({ ready: false, parts: { database: false } });
    const unready = await createHttpRig({ services: { readiness: { check } } });
    const answer = await unready.app.inject({ url: '/readyz' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'unavailable', parts: { database: false } });
    await unready.close();
  });

  it('metrics count requests by route pattern, without ids', async () => {
    const { challenge_id } = await rig.create();
    await rig.call('GET', `/v1/challenges/${challenge_id}`);
    const text = await rig.metrics.metrics();
    expect(text).toMatch(
      /likeness_http_requests_total\{method="GET",route="\/v1\/challenges\/:challenge_id",status="200"\} [1-9]/,
    );
    expect(text).toContain('likeness_http_request_duration_seconds_bucket');
    expect(text).not.toContain(challenge_id);
    expect(text).not.toContain(rig.accountId);
    // They show why judgements fail, so this public port does not serve them.
    expect((await rig.app.inject({ url: '/metrics' })).statusCode).toBe(404);
  });
});
