// The OpenAPI 3.1 document: generated from the schemas that validate requests, with webhooks, examples and every
// problem.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  CreateChallengeRequest,
  CreateChallengeResponse,
  NotificationConfiguration,
} from '../../contract/challenge-request.ts';
import { Delivery, DeliveryList, TestDelivery } from '../../contract/delivery.ts';
import { Device } from '../../contract/device.ts';
import { PictureFeatid } from '../../contract/picture.ts';
import { PROBLEMS, Problem, type ProblemKind } from '../../contract/problem.ts';
import { ChallengeResult, ChallengeSummary } from '../../contract/result.ts';
import type { NotificationEvent } from '../../contract/states.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '../guards/idempotency.ts';
import type { HttpSettings } from '../settings.ts';
import { EXAMPLES } from './openapi-examples.ts';

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
  Device,
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
  const said = kinds.map((kind) => ({
    ...(PROBLEMS[kind].retryAfter && RETRY_AFTER),
    ...HEADERS_OF_PROBLEM[kind],
  }));
  return Object.assign({}, ...said);
}

const RETRY_AFTER = {
  'Retry-After': { type: 'integer', description: 'Seconds to wait before the next request.' },
};
const HEADERS_OF_PROBLEM: Partial<Record<ProblemKind, Record<string, object>>> = {
  unauthorized: { 'WWW-Authenticate': { type: 'string', description: 'The scheme `Basic` and the realm.' } },
  'rate-limited': {
    'RateLimit-Limit': { type: 'integer', description: 'Requests allowed per minute.' },
    'RateLimit-Remaining': { type: 'integer', description: 'Requests left in the current minute.' },
    'RateLimit-Reset': { type: 'integer', description: 'Seconds until the count starts again.' },
  },
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
        'A key of your own for this request, preferably random. If you repeat the key with the same body within 24 hours, you get the first response again, success or refusal, with `Idempotency-Replayed: true`; send a corrected request with a new key. 400, 401, 408, 413, 415, 429 `rate-limited` and every 5xx are not replayed, so you can retry them with the same key.',
    }),
  ),
});

const DESCRIPTION = `Biometric authentication challenges: prove that it is a live person, and the same person.

Create a challenge, give its \`challenge_url\` to the person, and receive the result by webhook or read it.
Errors are RFC 9457 problem details; every kind has [its page](/docs/errors). Every response carries \`X-Request-Id\`:
your own if you sent a valid one (\`[A-Za-z0-9._-]{1,128}\`). Fields may be added within v1, never renamed or retyped:
ignore fields that you do not know. Unknown fields in your requests are refused.

Keys that begin with \`lk_test_\` belong to the [sandbox](/docs/guides/sandbox): no camera, no biometric data, results marked
\`sandbox: true\`. The \`customer_reference\` \`sandbox:pass\`, \`sandbox:no_match\`, \`sandbox:spoof\` or \`sandbox:no_face\`
completes such a challenge as soon as it is created.`;

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
          'The challenge was completed',
          'Sent once per entry of `notifications.complete`.',
          'completed',
        ),
        expired: webhook(
          'The challenge expired',
          'Sent once per entry of `notifications.expired`.',
          'expired',
        ),
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
  ['webhook-id', 'Id of the delivery: the same for every attempt. Use it to drop duplicates.'],
  ['webhook-timestamp', 'Time of this attempt, in seconds since 1970.'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. While a secret is rotated, several signatures separated by spaces.',
  ],
] as const;

function webhook(summary: string, description: string, example: 'completed' | 'expired'): object {
  return {
    post: {
      operationId: `webhook_${example}`,
      tags: ['Webhooks'],
      summary,
      description: `${description} Answer 2xx within 15 s. Anything else is retried for about 3 days; 410 stops the retries. With OAuth configured, \`Authorization: Bearer …\` is sent too.`,
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
        '410': { description: 'Stop retrying this delivery' },
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
