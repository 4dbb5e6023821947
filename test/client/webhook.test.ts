// verifyWebhook with whatever receivers pass to it: the request is verified or refused, and nothing crashes.
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../src/client/index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = JSON.stringify({ challenge_id: 'ch_1', customer_reference: 'Zoë \u2028 \u{1F600}' });
const bytes = new TextEncoder().encode(BODY);

function signed(body: string, at = new Date(), secret = SECRET) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
}

it('reads the body as text or bytes, and the headers of any fetch and any server', () => {
  const headers = signed(BODY);
  const ofAnotherFetch = { get: (name: string) => new Headers(headers).get(name) };
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  const ofAnotherLength = new Uint8Array([0, ...bytes]).subarray(1);
  for (const body of [BODY, bytes, Buffer.from(bytes), bytes.buffer, ofAnotherLength])
    for (const given of [headers, new Headers(headers), ofAnotherFetch, shouted]) {
      const { deliveryId, result } = verifyWebhook(body, given, SECRET);
      expect(deliveryId).toBe('msg_1');
      expect(result).toEqual(JSON.parse(BODY));
    }
  expect(verifyWebhook(BODY, headers, `${SECRET}\n`).deliveryId).toBe('msg_1');
});

it('accepts a signature by the old or the new secret during a rotation', () => {
  const now = new Date();
  const headers = signed(BODY, now);
  const second = signed(BODY, now, OTHER)['webhook-signature'];
  const both = { ...headers, 'webhook-signature': `${headers['webhook-signature']} ${second}` };
  for (const secret of [SECRET, OTHER]) expect(verifyWebhook(BODY, both, secret).deliveryId).toBe('msg_1');
});

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

it.each([
  ['another body', BODY.replace('ch_1', 'ch_2'), signed(BODY)],
  ['a byte order mark before it', new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]), signed(BODY)],
  ['bytes that are not UTF-8', new Uint8Array([0xff, ...bytes]), signed(`\ufffd${BODY}`)],
  ['no bytes', new Uint8Array(), signed(BODY)],
  ['no JSON', 'not json', signed('not json')],
  ['nothing, signed', '', signed('')],
  ['another secret', BODY, signed(BODY, new Date(), OTHER)],
  ['six minutes ago', BODY, signed(BODY, minutes(-6))],
  ['in six minutes', BODY, signed(BODY, minutes(6))],
  ['another id', BODY, { ...signed(BODY), 'webhook-id': 'msg_2' }],
  ['no header', BODY, {}],
  ['empty headers', BODY, { 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '' }],
  ['a version alone', BODY, { ...signed(BODY), 'webhook-signature': 'v1 v1, v1,é , ,' }],
  ['unknown versions only', BODY, { ...signed(BODY), 'webhook-signature': 'v1a,x v2,y' }],
  ['an unparsable timestamp', BODY, { ...signed(BODY), 'webhook-timestamp': 'now' }],
  ['a huge timestamp', BODY, { ...signed(BODY), 'webhook-timestamp': '9'.repeat(400) }],
])('refuses %s', (_what, body, headers) => {
  expect(() => verifyWebhook(body, headers, SECRET)).toThrow(WebhookVerificationError);
});

it.each([
  {},
  JSON.parse(BODY),
  null,
  undefined,
  7,
])('says that a parsed body is not a raw one: %j', (body) => {
  expect(() => verifyWebhook(body as never, signed(BODY), SECRET)).toThrow(
    /^the body must be the raw string or bytes/,
  );
});

it.each([
  undefined,
  '',
  'whsec_',
  'lk_test_not_that_one',
  `${SECRET}!`,
])('refuses the secret %j, and does not repeat it', (secret) => {
  expect(() => verifyWebhook(BODY, signed(BODY), secret as never)).toThrow(
    /^the secret must be whsec_ followed by base64$/,
  );
});
