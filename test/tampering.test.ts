// Nothing that is sealed or signed is accepted once one byte of it differs, or in a place other than its own.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectBytes, sizedBytes } from '../src/base/sized-bytes.ts';
import { decryptFrames, encryptFrames } from '../src/challenge/assets/framed-cipher.ts';
import type { ChallengePlace } from '../src/challenge/challenge.ts';
import * as seals from '../src/challenge/seals.ts';
import { receiptOpener } from '../src/cli/open-receipt.ts';
import { verifyWebhook } from '../src/client/webhook.ts';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE } from '../src/contract/receipt.ts';
import { generateFeatid, parseFeatid } from '../src/featid/featid-text.ts';
import { openTemplate, sealTemplate } from '../src/featid/sealed-template.ts';
import { generateApiKey, parseApiKey } from '../src/keys/api-key.ts';
import { newErasureKey } from '../src/keys/erasure-key.ts';
import { createMasterKeyRing } from '../src/keys/master-key-ring.ts';
import { signatureHeaders } from '../src/webhook/signature.ts';
import {
  createRig,
  createStarted,
  judgementOf,
  type Rig,
  resultOf,
  settle,
  submit,
} from './challenge/challenge-rig.ts';
import { SOME_RECEIPT } from './cli/receipts.ts';
import { accepted, everyByteFlipped, everyByteFlippedIn, everyCharacterChanged } from './support/tamper.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

/** Whether opening it fails as a broken seal does. */
async function isBroken(open: () => Promise<unknown>): Promise<boolean> {
  try {
    await open();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'SEAL_BROKEN' });
    return true;
  }
}

describe('a sealed part of a challenge', () => {
  const place = (): ChallengePlace => ({
    id: 'chal_one',
    accountId: rig.caller.accountId,
    detailsKey: newErasureKey(),
    videoKey: newErasureKey(),
  });
  const bytes = Buffer.from('{"some":"json"}');
  // Any value that survives JSON: the types of what is sealed do not matter here.
  const json = { some: 'json' } as never;
  type Sealed = Uint8Array;
  const KINDS: Record<
    string,
    {
      seal(at: ChallengePlace): Promise<Sealed>;
      open(at: ChallengePlace, sealed: Sealed): Promise<unknown>;
      /** The same seal, opened as another one of its kind. */
      elsewhere?(at: ChallengePlace, sealed: Sealed): Promise<unknown>;
    }
  > = {
    request: {
      seal: (at) => seals.sealRequest(rig.parts.custody, at, json),
      open: (at, sealed) => seals.openRequest(rig.parts.custody, { ...at, sealedRequest: sealed }),
    },
    result: {
      seal: (at) => seals.sealResult(rig.parts.custody, at, json),
      open: (at, sealed) => seals.openResult(rig.parts.custody, at, sealed),
    },
    consent: {
      seal: (at) => seals.sealConsent(rig.parts.custody, at, json),
      open: (at, sealed) => seals.openConsent(rig.parts.custody, at, sealed),
    },
    hints: {
      seal: (at) => seals.sealHints(rig.parts.custody, at, 'cap_one', json),
      open: (at, sealed) => seals.openHints(rig.parts.custody, at, { id: 'cap_one', sealedHints: sealed }),
      elsewhere: (at, sealed) =>
        seals.openHints(rig.parts.custody, at, { id: 'cap_two', sealedHints: sealed }),
    },
    try: {
      seal: (at) => seals.sealTry(rig.parts.custody, at, 'cap_one', json),
      open: (at, sealed) => seals.openTry(rig.parts.custody, at, { id: 'cap_one', sealedTry: sealed }),
      elsewhere: (at, sealed) => seals.openTry(rig.parts.custody, at, { id: 'cap_two', sealedTry: sealed }),
    },
    'chunk of another capture': {
      seal: (at) => seals.sealChunk(rig.parts.custody, at, 'cap_one', 4096, bytes),
      open: (at, sealed) => seals.openChunk(rig.parts.custody, at, 'cap_one', 4096, sealed),
      elsewhere: (at, sealed) => seals.openChunk(rig.parts.custody, at, 'cap_two', 4096, sealed),
    },
    'chunk of another offset': {
      seal: (at) => seals.sealChunk(rig.parts.custody, at, 'cap_one', 4096, bytes),
      open: (at, sealed) => seals.openChunk(rig.parts.custody, at, 'cap_one', 4096, sealed),
      elsewhere: (at, sealed) => seals.openChunk(rig.parts.custody, at, 'cap_one', 0, sealed),
    },
  };

  it.each(Object.entries(KINDS))('%s', async (_, { seal, open, elsewhere }) => {
    const own = place();
    const sealed = await seal(own);
    await open(own, sealed);
    const open_ = (at: ChallengePlace, altered: Sealed) => isBroken(() => open(at, altered));
    expect(await accepted(everyByteFlipped(sealed), (altered) => open_(own, altered))).toEqual([]);
    const others = [
      { ...own, accountId: rig.stranger.accountId },
      { ...own, detailsKey: newErasureKey(), videoKey: newErasureKey() },
    ];
    expect(await accepted(others, (at) => open_(at, sealed))).toEqual([]);
    expect(
      await isBroken(() => (elsewhere ?? open)({ ...own, id: elsewhere ? own.id : 'chal_two' }, sealed)),
    ).toBe(true);
  });

  it('a slice is announced by a MAC that covers every byte, and all slices before it', async () => {
    const own = place();
    const mac = (before: Uint8Array | null, sha256: Uint8Array) =>
      seals.macOfSlice(rig.parts.custody, own, before, sha256);
    const [first, sha256] = [await mac(null, randomBytes(32)), randomBytes(32)];
    const second = await mac(first, sha256);
    const differs = async (made: Promise<Buffer>) => !(await made).equals(second);
    expect(await accepted(everyByteFlipped(sha256), (altered) => differs(mac(first, altered)))).toEqual([]);
    expect(await accepted(everyByteFlipped(first), (altered) => differs(mac(altered, sha256)))).toEqual([]);
  });
});

describe('keys', () => {
  it('a wrapped account key', async () => {
    const ring = createMasterKeyRing([randomBytes(32)]);
    const wrapped = await ring.wrap('acct_one', randomBytes(32));
    const unwrap = (altered: Uint8Array) =>
      isBroken(() => ring.unwrap('acct_one', { ...wrapped, wrapped: Buffer.from(altered) }));
    expect(await accepted(everyByteFlipped(wrapped.wrapped), unwrap)).toEqual([]);
  });

  it('an API key, whose checksum a typing error does not pass', async () => {
    const { text } = generateApiKey('live');
    expect(await accepted(everyCharacterChanged(text), (altered) => !parseApiKey(altered))).toEqual([]);
  });
});

describe('a FeatureID', () => {
  it('its text', async () => {
    const { text } = generateFeatid();
    expect(await accepted(everyCharacterChanged(text), (altered) => !parseFeatid(altered))).toEqual([]);
  });

  it('its template, in any other row, account or region, or with another key', async () => {
    const recordKey = randomBytes(64);
    const row = { id: 'one', pack: 'pack', layout: 1, source: 'liveness_video' } as const;
    const context = { accountId: 'acct_one', region: 'au', row };
    const made = sealTemplate(recordKey, context, randomBytes(300));
    const stored = { ...row, ...made } as unknown as Parameters<typeof openTemplate>[1]['row'];
    const open = (change: object, inRow: object = {}, key = recordKey) =>
      openTemplate(key, { ...context, ...change, row: { ...stored, ...inRow } }) === undefined;
    expect(open({})).toBe(false);
    const altered = everyByteFlipped(made.sealedTemplate);
    expect(await accepted(altered, (sealedTemplate) => open({}, { sealedTemplate }))).toEqual([]);
    const keys = everyByteFlipped(recordKey);
    expect(await accepted(keys, (key) => open({}, {}, key))).toEqual([]);
    const erased = everyByteFlipped(made.erasureKey);
    expect(await accepted(erased, (erasureKey) => open({}, { erasureKey }))).toEqual([]);
    const places = [{ accountId: 'acct_two' }, { region: 'uk' }];
    expect(await accepted(places, (place) => open(place))).toEqual([]);
    const rows = [{ id: 'two' }, { pack: 'other' }, { layout: 2 }, { source: 'image' }];
    expect(await accepted(rows, (other) => open({}, other))).toEqual([]);
  });
});

describe('an asset', () => {
  it('its encrypted bytes', async () => {
    const [key, plaintext] = [randomBytes(32), randomBytes(500)];
    const encrypted = await collectBytes(encryptFrames(key, sizedBytes(plaintext)).chunks);
    const decrypt = (altered: Uint8Array) =>
      isBroken(() => collectBytes(decryptFrames(key, sizedBytes(altered).chunks, plaintext.length)));
    expect(await accepted(everyByteFlipped(encrypted), decrypt)).toEqual([]);
  });

  it('its link: the signature, the asset and the time are what was signed', async () => {
    const opened = await createStarted(rig);
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const links = (await resultOf(rig, opened)).assets_links.map(
      ({ presigned_url }) => new URL(presigned_url),
    );
    const [own, other] = links.map(({ pathname, searchParams }) => ({
      id: pathname.split('/').at(-1)!,
      expires: searchParams.get('expires')!,
      signature: searchParams.get('signature')!,
    }));
    const read = ({ id, ...query }: NonNullable<typeof own>) => rig.services.readAsset(id, query);
    expect((await read(own!)).status).toBe('ok');
    const altered = [
      ...everyByteFlippedIn(own!.signature).map((signature) => ({ ...own!, signature })),
      ...everyCharacterChanged(own!.expires).map((expires) => ({ ...own!, expires })),
      { ...own!, expires: String(Number(own!.expires) + 1) },
      { ...own!, id: other!.id },
      ...['', own!.signature.slice(0, 11)].map((signature) => ({ ...own!, signature })),
    ];
    const isRefused = async (link: typeof own) => (await read(link!)).status === 'not_found';
    expect(await accepted(altered, isRefused)).toEqual([]);
  });
});

describe('what others verify', () => {
  it('a receipt', async () => {
    const { receiptKeys } = rig.foundation;
    const jws = await receiptKeys.sign(SOME_RECEIPT, { alg: RECEIPT_ALGORITHM, typ: RECEIPT_TYPE });
    const open = receiptOpener({ keys: [...(await receiptKeys.published())] });
    expect((await open(jws)).status).toBe('opened');
    const parts = jws.split('.');
    const altered = parts.flatMap((part, at) =>
      everyByteFlippedIn(part).map((flipped) => parts.with(at, flipped).join('.')),
    );
    expect(await accepted(altered, async (text) => (await open(text)).status === 'refused')).toEqual([]);
  });

  it('a webhook', async () => {
    const [body, secret] = ['{"challenge_id":"chal_one"}', `whsec_${randomBytes(32).toString('base64')}`];
    const headers = signatureHeaders('dlv_one', new Date(), body, [secret]);
    const verify = (altered: Record<string, string>, text: string | Buffer = body) => {
      try {
        verifyWebhook(text, altered, secret);
        return false;
      } catch {
        return true;
      }
    };
    expect(verify(headers)).toBe(false);
    const bodies = everyByteFlipped(Buffer.from(body));
    expect(await accepted(bodies, (text) => verify(headers, text))).toEqual([]);
    const given = Object.entries(headers).flatMap(([name, value]) =>
      everyCharacterChanged(value).map((changed) => ({ ...headers, [name]: changed })),
    );
    expect(await accepted(given, (altered) => verify(altered))).toEqual([]);
  });
});
