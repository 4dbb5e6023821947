// Webhook deliveries and their attempts, as the API shows them.
import { type Static, Type } from 'typebox';
import { NullableString, NullableTimestamp, Timestamp } from './field-types.ts';
import { DELIVERY_STATUSES, NOTIFICATION_EVENTS } from './states.ts';

const DELIVERY_EVENTS = [...NOTIFICATION_EVENTS, 'test'] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** Why a guarded call got no response. The codes are stable. */
const CALL_FAILURES = [
  'invalid_url',
  'https_required',
  'refused_address',
  'refused_port',
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'timeout',
  'connection_lost',
  'malformed_response',
] as const;
export type CallFailure = (typeof CALL_FAILURES)[number];

/**
 * Why no access token was obtained: the transport's codes, prefixed with `oauth_`, and a rejection by the OAuth server.
 */
const TOKEN_FAILURES = [
  'oauth_invalid_url',
  'oauth_https_required',
  'oauth_refused_address',
  'oauth_refused_port',
  'oauth_dns_failed',
  'oauth_connect_failed',
  'oauth_tls_failed',
  'oauth_timeout',
  'oauth_connection_lost',
  'oauth_malformed_response',
  'oauth_rejected',
] as const satisfies readonly (`oauth_${CallFailure}` | 'oauth_rejected')[];
export type TokenFailure = (typeof TOKEN_FAILURES)[number];

/** How an attempt ended. `http_status`: the receiver's status was neither 2xx nor 410 nor a redirect. */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'http_status',
  'redirect_refused',
  'gone',
  ...CALL_FAILURES,
  ...TOKEN_FAILURES,
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export const DeliveryAttempt = Type.Object({
  at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
  outcome: Type.Enum([...ATTEMPT_OUTCOMES], {
    description: '`oauth_…`: no access token was obtained, so the receiver was not called.',
  }),
  response_status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'HTTP status of the receiver, or of the OAuth server when `outcome` is `oauth_rejected`.',
  }),
  excerpt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Beginning of the response (at most 1 kB), with secrets redacted.',
  }),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const Delivery = Type.Object(
  {
    delivery_id: Type.String({ description: 'Also the `webhook-id` header: the same for every attempt.' }),
    challenge_id: NullableString,
    event: Type.Enum([...DELIVERY_EVENTS]),
    endpoint_url: Type.String(),
    status: Type.Enum([...DELIVERY_STATUSES]),
    created_at: Timestamp,
    next_attempt_at: NullableTimestamp,
    finished_at: NullableTimestamp,
    attempts: Type.Array(DeliveryAttempt, { description: 'Oldest first; the latest 50.' }),
  },
  { $id: 'Delivery' },
);
export type Delivery = Static<typeof Delivery>;

/** Response of GET /v1/challenges/{id}/deliveries. */
export const DeliveryList = Type.Object(
  { data: Type.Array(Delivery), next_cursor: NullableString },
  { $id: 'DeliveryList' },
);
export type DeliveryList = Static<typeof DeliveryList>;

/** Response of POST /v1/webhooks/test: the outcome of one signed sample, sent immediately and only once. */
export const TestDelivery = Type.Object(
  { delivery_id: Type.String(), delivered: Type.Boolean(), attempt: DeliveryAttempt },
  { $id: 'TestDelivery' },
);
export type TestDelivery = Static<typeof TestDelivery>;
