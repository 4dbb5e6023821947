// Standard Webhooks: the headers with which a receiver verifies that a delivery is authentic, complete and recent.
import { createHmac } from 'node:crypto';
import { Fault } from '../base/errors.ts';

const SECRET_PREFIX = 'whsec_';

/**
 * Headers `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature` for one attempt. While a secret is being
 * rotated there is one signature per secret, separated by spaces, newest first. Uses node's own HMAC: the library that
 * receivers use (src/client/webhook.ts) computes it in JavaScript, which would be a twentieth of the work of a
 * delivery.
 * @param secrets `whsec_…` (base64 after the prefix); at least one
 */
export function signatureHeaders(
  deliveryId: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  if (secrets.length === 0) throw new Fault('INVARIANT', 'an account has no webhook secret');
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${deliveryId}.${timestamp}.${body}`;
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret, signed)}`).join(' '),
  };
}

function signatureOf(secret: string, signed: string): string {
  if (!secret.startsWith(SECRET_PREFIX)) throw new Fault('INVARIANT', 'a webhook secret lacks its prefix');
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}
