// The receiver's side of a webhook: is it from Likeness, is it fresh, what does it say.
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { ChallengeResult } from '../contract/result.ts';

export { WebhookVerificationError };

/** Headers as Node's http gives them (`request.headers`) or as fetch does (`request.headers`). */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ReceivedWebhook {
  /** The same for every attempt of a delivery: keep it, and drop what you have seen. */
  readonly deliveryId: string;
  readonly result: ChallengeResult;
}

/**
 * Verifies signature and age (5 minutes) of a webhook by Standard Webhooks and reads its result.
 * @param body the raw body, byte for byte as it came: a parsed and re-written one has another signature.
 * @param secret `whsec_…` of the account.
 * @throws WebhookVerificationError when a header is missing, the signature is wrong or the message is too old: answer 4xx.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): ReceivedWebhook {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const flat = flatten(headers);
  const result = new Webhook(secret).verify(text, flat) as ChallengeResult;
  return { deliveryId: flat['webhook-id']!, result };
}

function flatten(headers: WebhookHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), String(value)]])),
  );
}
