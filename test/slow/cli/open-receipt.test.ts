import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { receiptOpener } from '../../../src/cli/open-receipt.ts';
import { createSigner, SOME_RECEIPT, tryAlterations } from '../../cli/receipts.ts';

const signer = await createSigner();
const open = receiptOpener(signer.keys);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it('opens what was signed, and none of 10,000 alterations of it', async () => {
  const text = await signer.sign(SOME_RECEIPT);
  expect(await open(text)).toEqual({ status: 'opened', payload: SOME_RECEIPT });
  expect(await tryAlterations(open, text, 10_000)).toBeGreaterThan(9_500);
});

it('refuses other spellings in base64url of the same bytes', async () => {
  const text = await signer.sign(SOME_RECEIPT);
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const same = [...last].filter((sign) => {
    const other = text.slice(0, -1) + sign;
    const bytes = (jws: string) => Buffer.from(jws.split('.')[2]!, 'base64url').toString('hex');
    return other !== text && bytes(other) === bytes(text);
  });
  expect(same).toHaveLength(15);
  for (const sign of same)
    expect(await open(text.slice(0, -1) + sign)).toEqual({ status: 'refused', because: 'altered' });
  expect(await open(`${text}==`)).toEqual({ status: 'refused', because: 'altered' });
});

it('refuses other keys, other algorithms, and other documents signed by the same key', async () => {
  const stranger = await createSigner('rck_2');
  const impostor = await createSigner('rck_1');
  expect(await open(await stranger.sign(SOME_RECEIPT))).toMatchObject({ because: 'unknown_key' });
  expect(await open(await impostor.sign(SOME_RECEIPT))).toMatchObject({ because: 'altered' });
  const unsigned = `${encode({ alg: 'none', kid: 'rck_1' })}.${encode(SOME_RECEIPT)}.`;
  expect(await open(unsigned)).toMatchObject({ status: 'refused' });
  // The public key used as an HMAC secret.
  const input = `${encode({ alg: 'HS256', kid: 'rck_1' })}.${encode(SOME_RECEIPT)}`;
  const mac = createHmac('sha256', String(signer.keys.keys[0]!.x)).update(input).digest('base64url');
  expect(await open(`${input}.${mac}`)).toMatchObject({ status: 'refused' });
  expect(await open(await signer.sign(SOME_RECEIPT, { typ: 'JWT' }))).toMatchObject({
    because: 'other_form',
  });
  const { video: _, ...incomplete } = SOME_RECEIPT;
  expect(await open(await signer.sign(incomplete))).toMatchObject({ because: 'other_form' });
  expect(await open(await signer.sign({ ...SOME_RECEIPT, format: 2 }))).toMatchObject({
    because: 'other_form',
  });
  for (const nothing of ['', '.', '..', 'a.b.c', '{}']) {
    expect(await open(nothing)).toEqual({ status: 'refused', because: 'altered' });
  }
});
