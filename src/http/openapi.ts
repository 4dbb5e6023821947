// The OpenAPI 3.1 document: generated from the schemas that validate requests, with webhooks, examples and every
// problem.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  CreateChallengeRequest,
  CreateChallengeResponse,
  NotificationConfiguration,
} from '../contract/challenge-request.ts';
import { Delivery, DeliveryList, TestDelivery } from '../contract/delivery.ts';
import { PictureFeatid } from '../contract/picture.ts';
import { PROBLEMS, Problem, type ProblemKind } from '../contract/problem.ts';
import { ChallengeResult, ChallengeSummary } from '../contract/result.ts';
import type { NotificationEvent } from '../contract/states.ts';
import { IDEMPOTENCY_KEY_PATTERN } from './idempotency.ts';
import { EXAMPLES } from './openapi-examples.ts';
import type { HttpSettings } from './services.ts';

/** Schemas with an `$id` that routes refer to; they become `components.schemas`. */
export const SHARED_SCHEMAS: readonly object[] = [
  Problem,
  NotificationConfiguration,
  CreateChallengeRequest,
  CreateChallengeResponse,
  ChallengeResult,
  ChallengeSummary,
  Delivery,
  DeliveryList,
  TestDelivery,
  PictureFeatid,
].map(withReferences);

/** Replaces every nested schema that has an `$id` by a reference: validators accept each id only once. */
function withReferences(schema: TSchema): object {
  const text = JSON.stringify(schema, (_key, value) =>
    value !== schema && typeof value?.$id === 'string' ? { $ref: `${value.$id}#` } : value,
  );
  return JSON.parse(text);
}

/** A reference to one of the shared schemas, with its type. */
export function refTo<T>(id: string) {
  return Type.Unsafe<T>({ $ref: `${id}#` });
}

/** Responses of a route for these problem kinds, for its `schema.response`. */
export function problemResponses(...kinds: ProblemKind[]): Record<number, object> {
  const byStatus = new Map<number, ProblemKind[]>();
  for (const kind of kinds) {
    const { status } = PROBLEMS[kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  const content = { 'application/problem+json': { schema: refTo('Problem') } };
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => {
      const description = same.map((kind) => `\`${kind}\`: ${PROBLEMS[kind].title}.`).join(' ');
      return [status, { description, content, headers: headersOf(same) }];
    }),
  );
}

/** Headers of answers with these kinds, in addition to those of every answer. */
function headersOf(kinds: readonly ProblemKind[]): Record<string, object> {
  const said = kinds.map((kind) => HEADERS_OF_PROBLEM[kind] ?? {});
  return Object.assign({}, ...said);
}

const RETRY_AFTER = { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } };
const HEADERS_OF_PROBLEM: Partial<Record<ProblemKind, Record<string, object>>> = {
  unauthorized: { 'WWW-Authenticate': { type: 'string', description: '`Basic`, and the realm.' } },
  'idempotency-in-flight': RETRY_AFTER,
  'rate-limited': {
    ...RETRY_AFTER,
    'RateLimit-Limit': { type: 'integer', description: 'How many requests a minute has.' },
    'RateLimit-Remaining': { type: 'integer', description: 'How many are left of them.' },
    'RateLimit-Reset': { type: 'integer', description: 'Seconds until they are counted anew.' },
  },
  'featid-paused': RETRY_AFTER,
  'storage-quota': RETRY_AFTER,
  saturated: RETRY_AFTER,
  'storage-unavailable': RETRY_AFTER,
};

/** Problems that any authenticated route may answer with. */
export const COMMON_PROBLEMS = [
  'bad-request',
  'unauthorized',
  'rate-limited',
  'internal',
  'saturated',
] as const;

/** Problems of routes that need no body: if one is sent, it is read all the same. */
export const READING_PROBLEMS = [
  'malformed-json',
  'request-timeout',
  'too-large',
  'unsupported-media-type',
] as const;

/** Problems of routes that take a JSON body, in addition to the common ones. */
export const BODY_PROBLEMS = [...READING_PROBLEMS, 'validation-failed'] as const;

/** Problems of the Idempotency-Key. */
export const IDEMPOTENCY_PROBLEMS = ['idempotency-in-flight', 'idempotency-key-reused'] as const;

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: IDEMPOTENCY_KEY_PATTERN,
      description:
        'Your own key for this request, best a random one. The same key and body within 24 hours answer as the first time, with `Idempotency-Replayed: true`, be it a success or a refusal: send a mended request with a new key. Not replayed, so that the key can be sent again: 400, 401, 408, 413, 415, 429 `rate-limited`, and every 5xx.',
    }),
  ),
});

const DESCRIPTION = `Biometric authentication challenges: prove that it is a live person, and the same person.

Create a challenge, hand its \`challenge_url\` to the person, and receive the result by webhook or read it.
Errors are RFC 9457 problem details; every kind has [its page](/docs/errors). Every answer carries \`X-Request-Id\`;
a valid one of yours (\`[A-Za-z0-9._-]{1,128}\`) is kept. Fields may be added within v1, never renamed or retyped:
ignore what you do not know. Unknown fields in your requests are refused.

Keys that begin with \`lk_test_\` are of the [sandbox](/docs/guides/sandbox): no camera, no biometric data, results marked
\`sandbox: true\`; \`customer_reference\` \`sandbox:pass\`, \`sandbox:no_match\`, \`sandbox:spoof\` or \`sandbox:no_face\` ends
such a challenge as it is created.`;

/** Starts collecting routes; call it before any route is added. */
export async function describeApi(app: FastifyInstance, settings: HttpSettings): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Likeness',
        version: settings.version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: settings.baseUrl, description: `Region ${settings.region}` }],
      tags: [
        { name: 'Challenges' },
        { name: 'Webhooks', description: 'Deliveries of results and their attempts.' },
        { name: 'FeatureIDs' },
        { name: 'Assets' },
        { name: 'Operation' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'basic',
            description:
              'The API key as `Basic API_KEY`, or as the user name with an empty password (`curl -u API_KEY:`).',
          },
        },
      },
      security: [{ apiKey: [] }],
      webhooks: {
        complete: webhook(
          'The challenge is completed',
          'One per entry of `notifications.complete`.',
          'completed',
        ),
        expired: webhook('The challenge expired', 'One per entry of `notifications.expired`.', 'expired'),
      } satisfies Record<NotificationEvent, object>,
    } as never,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
    transformObject: (document) =>
      withExamples((document as { openapiObject: object }).openapiObject) as never,
  });
}

const WEBHOOK_HEADERS = [
  ['webhook-id', 'Id of the delivery: the same for every attempt. Use it to drop repetitions.'],
  ['webhook-timestamp', 'Seconds since 1970 of this attempt.'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and base64 HMAC-SHA256 of `id.timestamp.body`; several by space while a secret is rotated.',
  ],
] as const;

function webhook(summary: string, description: string, example: 'completed' | 'expired'): object {
  return {
    post: {
      operationId: `webhook_${example}`,
      tags: ['Webhooks'],
      summary,
      description: `${description} Answer 2xx within 15 s; anything else is tried again for about 3 days, 410 ends it. With OAuth configured, \`Authorization: Bearer …\` is sent too.`,
      security: [],
      parameters: WEBHOOK_HEADERS.map(([name, text]) => ({
        in: 'header',
        name,
        required: true,
        description: text,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ChallengeResult' },
            examples: { [example]: { value: EXAMPLES.result[example] } },
          },
        },
      },
      responses: {
        '2XX': { description: 'Delivered' },
        '410': { description: 'Send no more of this delivery' },
      },
    },
  };
}

interface MediaHolder {
  content?: Record<string, { examples?: object }>;
}

type Operation = { requestBody?: MediaHolder; responses?: Record<string, MediaHolder> };

/** Puts the examples next to the schemas: those are references, which allow no siblings. */
function withExamples(document: object): object {
  const paths = (document as { paths: Record<string, Record<string, Operation>> }).paths;
  for (const example of EXAMPLES.operations) {
    const operation = paths[example.path]?.[example.method];
    const holder = example.status === null ? operation?.requestBody : operation?.responses?.[example.status];
    const media = holder?.content?.[example.mediaType];
    if (media) media.examples = example.examples;
  }
  return document;
}
