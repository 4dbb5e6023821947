// Authentication requests (OpenID Connect Core 3.1.2.1) from somebody who wants to log in as another person, or to be
// enrolled under another's name: each is refused.
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRigWithPerson, type Requests } from '../support/known-person.ts';
import type { OidcRig } from '../support/oidc-rig.ts';
import type { Case, Credentials } from '../support/requests.ts';

const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
let rig: OidcRig;
let rp: Credentials;
/** An ID token that claims to be issued here. */
let forged = '';
let by: Requests;
beforeAll(async () => {
  ({ rig, rp, by } = await createRigWithPerson());
  forged = await hint().setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(foreign.privateKey);
});
afterAll(() => rig?.close());

const hint = () => claimsOf(new SignJWT({}));
const unsigned = () => claimsOf(new UnsecuredJWT({})).encode();
const claimsOf = <Token extends SignJWT | UnsecuredJWT>(token: Token) =>
  token.setIssuer(rig.issuer).setAudience(rp.id).setSubject('x').setExpirationTime('1h') as Token;

const CASES: readonly Case[] = [
  ['an implicit access token', () => ({ response_type: 'token', nonce: 'n' })],
  ['an implicit ID token for a client that uses codes', () => ({ response_type: 'id_token', nonce: 'n' })],
  ['a hybrid response', () => ({ response_type: 'code id_token', nonce: 'n' })],
  ['a response of nothing', () => ({ response_type: 'none' })],
  ['a response by window message', () => ({ response_mode: 'web_message' })],
  ['an unknown client', () => ({ client_id: 'oc_00000000000000000000000000' })],
  ['a client id that we never issue', () => ({ client_id: "' or 1=1 --" })],
  ['no client', () => ({ client_id: undefined })],
  ['nobody named', () => ({ login_hint: undefined })],
  ['an empty name', () => ({ login_hint: '' })],
  ['an overlong name', () => ({ login_hint: 'x'.repeat(600) })],
  ['an unauthenticated name that nobody knows', () => ({ login_hint: 'victim@example.com' })],
  ['a check without a person', () => ({ prompt: 'none' })],
  ['prompts that exclude each other', () => ({ prompt: 'none login' })],
  ['an unknown prompt', () => ({ prompt: 'skip' })],
  ['a negative age', () => ({ max_age: '-1' })],
  ['an age that is not a number', () => ({ max_age: 'soon' })],
  ['claims that are not JSON', () => ({ claims: '{' })],
  ['claims that are a list', () => ({ claims: '[]' })],
  [
    'an essential acr of another shape',
    () => ({ claims: JSON.stringify({ id_token: { acr: { essential: true, values: 'x' } } }) }),
  ],
  ['an ID token of ours, unsigned', () => ({ id_token_hint: unsigned(), login_hint: undefined })],
  ['an ID token of ours, signed by another', () => ({ id_token_hint: forged, login_hint: undefined })],
  [
    'an ID token of an issuer that is not configured for the client',
    () => ({ issuer_hint: forged, login_hint: undefined }),
  ],
];

describe('authentication requests', () => {
  it('lead a known person to the camera', async () => {
    expect((await by.authorize(by.request())).url).toContain('/c/');
  });
  it.each(CASES)('%s', async (_name, changes) => {
    await by.expectRefusal(await by.authorize(by.request(changes())));
  });
  it.each([
    'redirect_uri',
    'client_id',
    'login_hint',
    'state',
    'code_challenge',
  ])('%s twice', async (name) => {
    const params = by.request();
    params.append(name, name === 'redirect_uri' ? 'https://evil.example/' : 'another');
    await by.expectRefusal(await by.authorize(params));
  });

  it('with too many parameters are not passed to the library, whose time grows with their square', async () => {
    const known = by.request();
    const filled = (count: number) => {
      const params = new URLSearchParams(known);
      for (let at = 0; params.size < count; at++) params.append(`x${at}`, '1');
      return params.toString();
    };
    const form = (body: string) =>
      fetch(`${rig.issuer}/auth`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
        redirect: 'manual',
      });
    for (const refused of [
      await form(filled(101)),
      await form(filled(4_000)),
      await fetch(`${rig.issuer}/auth?${filled(101)}`, { redirect: 'manual' }),
      // Paths that the library treats as the same.
      await fetch(`${rig.issuer}/AUTH?${filled(101)}`, { redirect: 'manual' }),
      await fetch(`${rig.issuer}/auth/?${filled(101)}`, { redirect: 'manual' }),
    ]) {
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ detail: 'At most 100 parameters.' });
    }
    const taken = await form(filled(100));
    expect([taken.status, taken.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/interaction/'),
    ]);
  });
});
