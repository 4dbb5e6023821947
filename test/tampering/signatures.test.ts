// Nothing that is wrapped or signed, and nothing that is sealed under another key than custody's, is accepted once one
// byte of it differs, or in a place other than its own; and no code signs that has no test here.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectBytes, sizedBytes } from '../../src/base/sized-bytes.ts';
import { decryptFrames, encryptFrames } from '../../src/challenge/assets/framed-cipher.ts';
import { macOfSlice } from '../../src/challenge/seals.ts';
import { receiptOpener } from '../../src/cli/open-receipt.ts';
import { signedOpener } from '../../src/cli/open-signed.ts';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { composeOpenid } from '../../src/composition/console.ts';
import { CONSOLE_HOLDER } from '../../src/console/holder.ts';
import { createTickets } from '../../src/console/openid/ticket.ts';
import { createSessions, csrfTokenOf, isCsrfToken } from '../../src/console/sessions.ts';
import { createConsoleSessionStore } from '../../src/console/tables/session-store.ts';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE } from '../../src/contract/receipt.ts';
import { generateFeatid, parseFeatid } from '../../src/featid/featid-text.ts';
import { isKeyOf, openTemplate, sealTemplate } from '../../src/featid/sealed-template.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { generateApiKey, parseApiKey } from '../../src/keys/api-key.ts';
import { newErasureKey } from '../../src/keys/erasure-key.ts';
import { createReceiptKeys } from '../../src/keys/receipt-keys.ts';
import { createAccountStore } from '../../src/keys/tables/account-store.ts';
import { createReceiptKeyStore } from '../../src/keys/tables/receipt-key-store.ts';
import { ASSURANCE_TYPE } from '../../src/lab/assurance/contents.ts';
import { signatureHeaders } from '../../src/webhook/signature.ts';
import {
  createRig,
  createStarted,
  judgementOf,
  type Rig,
  resultOf,
  settle,
  submit,
} from '../challenge/challenge-rig.ts';
import { SOME_RECEIPT } from '../cli/receipts.ts';
import {
  accepted,
  everyByteFlipped,
  everyByteFlippedIn,
  everyByteFlippedInParts,
  everyCharacterChanged,
  isRefused,
} from '../support/tamper.ts';
import { filesCalling, purposesOf } from './seal-calls.ts';
import { inColumn } from './sealed.ts';

const SIGNED = { alg: RECEIPT_ALGORITHM, typ: RECEIPT_TYPE };

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

describe('a recording', () => {
  it('a slice is announced by a MAC that covers every byte, and all slices before it', async () => {
    const { caller, parts } = rig;
    const [detailsKey, videoKey] = [newErasureKey(), newErasureKey()];
    const own = { id: 'chal_one', accountId: caller.accountId, detailsKey, videoKey };
    const mac = (before: Uint8Array | null, sha256: Uint8Array) =>
      macOfSlice(parts.custody, own, before, sha256);
    const [first, sha256] = [await mac(null, randomBytes(32)), randomBytes(32)];
    const second = await mac(first, sha256);
    const differs = async (made: Promise<Buffer>) => !(await made).equals(second);
    expect(await accepted(everyByteFlipped(sha256), (altered) => differs(mac(first, altered)))).toEqual([]);
    expect(await accepted(everyByteFlipped(first), (altered) => differs(mac(altered, sha256)))).toEqual([]);
  });
});

describe('keys', () => {
  const ofAccounts = (holder: string) => {
    const { masterKeys, database } = rig.foundation;
    return createAccountKeys({ masterKeys, store: createAccountStore(database.db) }).deriveKey(holder, 'p');
  };
  const ofReceipts = () => {
    const { masterKeys, database } = rig.foundation;
    return createReceiptKeys({ masterKeys, store: createReceiptKeyStore(database.db) });
  };
  const wrapped = (table: string, id: string, read: (id: string) => Promise<unknown>) =>
    inColumn(rig.database.db, [table, 'wrapped_key'], sql`id = ${id}`, () => read(id));

  it('a wrapped key of an account, of the service and of the receipts', async () => {
    await composeOpenid(rig.foundation);
    await rig.foundation.receiptKeys.sign({}, SIGNED);
    const [receiptKey] = await rig.foundation.receiptKeys.list();
    const all = await Promise.all([
      wrapped('account', rig.caller.accountId, ofAccounts),
      wrapped('account', rig.stranger.accountId, ofAccounts),
      wrapped('service_key', CONSOLE_HOLDER, ofAccounts),
      wrapped('receipt_key', receiptKey!.id, () => ofReceipts().sign({}, SIGNED)),
      // One that was altered, or put there, is not published.
      wrapped('receipt_key', receiptKey!.id, async () => (await ofReceipts().published())[0]),
    ]);
    for (const { bytes, open } of all) {
      const others = all.map((other) => other.bytes).filter((other) => !other.equals(bytes));
      expect(others.length).toBeGreaterThan(2);
      const altered = [...everyByteFlipped(bytes), ...others, bytes.subarray(1)];
      expect(await accepted(altered, (each) => isRefused(() => open(each)))).toEqual([]);
      expect(await isRefused(() => open(bytes))).toBe(false);
    }
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
    // What tells of an erased one whose key it was.
    expect(isKeyOf(recordKey, stored)).toBe(true);
    expect(await accepted(keys, (key) => !isKeyOf(key, stored))).toEqual([]);
    const checks = everyByteFlipped(made.keyCheck);
    expect(await accepted(checks, (keyCheck) => !isKeyOf(recordKey, { ...stored, keyCheck }))).toEqual([]);
    expect(isKeyOf(recordKey, { ...stored, id: 'two' })).toBe(false);
  });
});

describe('an asset', () => {
  it('its encrypted bytes', async () => {
    const [key, plaintext] = [randomBytes(32), randomBytes(500)];
    const encrypted = await collectBytes(encryptFrames(key, sizedBytes(plaintext)).chunks);
    const decrypt = (altered: Uint8Array) =>
      isRefused(() => collectBytes(decryptFrames(key, sizedBytes(altered).chunks, plaintext.length)));
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
  it.each([
    ['a receipt', RECEIPT_TYPE, ASSURANCE_TYPE],
    ['an assurance report', ASSURANCE_TYPE, RECEIPT_TYPE],
  ])('%s', async (_, typ, otherTyp) => {
    const { receiptKeys } = rig.foundation;
    const jws = await receiptKeys.sign(SOME_RECEIPT, { alg: RECEIPT_ALGORITHM, typ });
    const keys = { keys: [...(await receiptKeys.published())] };
    const open = typ === RECEIPT_TYPE ? receiptOpener(keys) : signedOpener(keys, typ, () => true);
    expect((await open(jws)).status).toBe('opened');
    // The same contents as what they are not.
    const other = await receiptKeys.sign(SOME_RECEIPT, { alg: RECEIPT_ALGORITHM, typ: otherTyp });
    const altered = [...everyByteFlippedInParts(jws), other];
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

describe('the console', () => {
  const keys = { password: randomBytes(32), openid: randomBytes(32) };
  const operator = { id: 'ops_1', role: 'viewer', name: null } as const;
  const person = { openidId: 'opn_1', subject: 'ana-1', name: 'Ana' };

  it.each([
    ['password', null],
    ['openid', person],
  ] as const)('a session opened by %s: its MAC alone refuses it, whatever is stored', async (by, openid) => {
    const stored = createConsoleSessionStore(rig.database.db);
    const store = { ...stored, insert: async () => true, find: async () => operator };
    const { token } = (await createSessions(store, keys).open({ role: 'viewer', openid }))!;
    const find = (text: string, under = keys) =>
      isRefused(() => createSessions(store, under).find(text, false));
    expect(await find(token)).toBe(false);
    const altered = [...everyByteFlippedIn(token), ...everyCharacterChanged(token), '', token.slice(0, -1)];
    expect(await accepted(altered, (text) => find(text))).toEqual([]);
    const others = everyByteFlipped(keys[by]).map((key) => ({ ...keys, [by]: key }));
    expect(await accepted(others, (under) => find(token, under))).toEqual([]);
  });

  it('the token that its page sends with a change', async () => {
    const session = randomBytes(48).toString('base64url');
    const token = csrfTokenOf(session);
    expect(isCsrfToken(token, session)).toBe(true);
    expect(await accepted(everyCharacterChanged(token), (text) => !isCsrfToken(text, session))).toEqual([]);
    expect(await accepted(everyCharacterChanged(session), (other) => !isCsrfToken(token, other))).toEqual([]);
  });

  it('a sign-in on its way: as a text, all but the bits that base64url leaves unused', async () => {
    await composeOpenid(rig.foundation);
    const tickets = createTickets(rig.parts.custody, rig.foundation.clock);
    const ticket = { openidId: 'opn_1', state: 'state', nonce: 'nonce', verifier: 'verifier' };
    const text = await tickets.issue(ticket);
    const altered = everyCharacterChanged(text);
    const last = altered.pop()!;
    expect(await accepted(altered, (each) => isRefused(() => tickets.open(each)))).toEqual([]);
    // Decoders pass over those bits, so the text is another and the ticket the same.
    expect([null, ticket]).toContainEqual(await tickets.open(last));
    expect(await tickets.open(text)).toEqual(ticket);
  });
});

describe('nothing is left out:', () => {
  it('what encrypts, signs and wraps', () => {
    const signing = ['createCipheriv', 'createHmac', 'createSign', 'CompactSign', 'SignJWT', 'sign', 'wrap'];
    expect(filesCalling(...signing)).toEqual({
      'challenge/assets/framed-cipher.ts': 'createCipheriv',
      'challenge/reading/asset-links.ts': 'sign',
      'challenge/reading/receipt.ts': 'sign',
      'composition/assurance.ts': 'sign',
      'console/sessions.ts': 'createHmac',
      'featid/sealed-template.ts': 'createHmac',
      'featid/template-mask.ts': 'createCipheriv',
      // Every seal and fingerprint of custody: seals.test.ts.
      'keys/account-keys.ts': 'createHmac',
      'keys/seal.ts': 'createCipheriv',
      'keys/issue.ts': 'wrap',
      'keys/master-key-ring.ts': 'createCipheriv',
      'keys/receipt-keys.ts': 'CompactSign sign wrap',
      'keys/rotate-master.ts': 'wrap',
      'keys/service-key.ts': 'wrap',
      'webhook/signature.ts': 'createHmac',
    });
  });

  it('what a key is derived for', () => {
    expect(purposesOf('deriveKey')).toEqual([
      'console-openid-sessions',
      // A FeatureID's template.
      'featid/featids.ts deriveKey',
      'featid/open-featids.ts deriveKey',
      // login.test.ts
      'oidc-cookies',
    ]);
  });
});
