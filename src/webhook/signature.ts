// Standard Webhooks: the headers by which a receiver knows that a delivery is ours, whole and recent.
import { Webhook } from 'standardwebhooks';
import { Fault } from '../base/errors.ts';

/**
 * Headers `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature` for one attempt. While a secret is being
 * rotated there is one signature per secret, separated by spaces, newest first.
 * @param secrets `whsec_…` (base64 after the prefix); at least one
 */
export function signatureHeaders(
  deliveryId: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  if (secrets.length === 0) throw new Fault('INVARIANT', 'an account without a webhook secret');
  const signatures = secrets.map((secret) => new Webhook(secret).sign(deliveryId, at, body));
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
