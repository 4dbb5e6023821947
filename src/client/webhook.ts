// The receiver's side of a webhook: verifies that it comes from Likeness and is recent, and reads its result.
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { ChallengeResult } from '../contract/result.ts';

export { WebhookVerificationError };

/** Headers from Node's http (`request.headers`) or from any implementation of fetch (`request.headers`). */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ReceivedWebhook {
  /** The same for every attempt of a delivery: store it, and drop deliveries that you have already seen. */
  readonly deliveryId: string;
  readonly result: ChallengeResult;
}

/**
 * Verifies signature and age (5 minutes) of a webhook according to Standard Webhooks and reads its result.
 * @param body the raw body, byte for byte as received: a body parsed and serialised again has another signature
 * @param secret `whsec_…` of the account
 * @throws WebhookVerificationError if a header is missing, the signature is wrong or the message is too old: answer 4xx
 * @throws TypeError for a parsed body or a malformed secret: fix the receiver
 */
export function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
): ReceivedWebhook {
  const text = typeof body === 'string' ? body : textOf(body);
  const given = Object.fromEntries(
    SIGNED_WITH.map((name) => [name, headerOf(headers, name)]).filter(([, value]) => value !== undefined),
  );
  webhookOf(secret).verify(text, given, { jsonParse: false });
  try {
    return { deliveryId: given['webhook-id']!, result: JSON.parse(text) as ChallengeResult };
  } catch {
    throw new WebhookVerificationError('The body is not JSON');
  }
}

const SIGNED_WITH = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function webhookOf(secret: string): Webhook {
  try {
    return new Webhook(secret.trim());
  } catch {
    // The library's error could quote the secret.
    throw new TypeError('the secret must be whsec_ followed by base64');
  }
}

function textOf(body: Uint8Array | ArrayBuffer): string {
  const kind = Object.prototype.toString.call(body);
  if (!ArrayBuffer.isView(body) && kind !== '[object ArrayBuffer]')
    throw new TypeError('the body must be the raw string or bytes, not a parsed object');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new WebhookVerificationError('The body is not UTF-8');
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  // Not `instanceof`: a library may have its own Headers class.
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return found === undefined ? undefined : String(found);
}
