import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders } from '../../src/webhook/signature.ts';

const secrets = [0, 1].map(() => `whsec_${randomBytes(32).toString('base64')}`);

test("a signature is accepted by the standard's own library, with either secret during a rotation", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (payload) => {
      const body = JSON.stringify({ payload });
      const headers = signatureHeaders('msg_1', new Date(), body, secrets);
      for (const secret of secrets)
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      const changed = { ...headers, 'webhook-id': 'msg_2' };
      expect(() => new Webhook(secrets[0]!).verify(body, changed)).toThrow('No matching signature');
    }),
  );
});

test("a signature is identical to the library's", () => {
  const at = new Date('2026-11-21T09:30:00.750Z');
  const [secret] = secrets;
  expect(signatureHeaders('msg_1', at, '{"ü":1}', [secret!])).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1795253400',
    'webhook-signature': new Webhook(secret!).sign('msg_1', at, '{"ü":1}'),
  });
});

test.each([[[]], [['secret']]])('throws for the secrets %j', (wrong) => {
  expect(() => signatureHeaders('msg_1', new Date(), '{}', wrong)).toThrow();
});
