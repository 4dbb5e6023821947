// Proof Key for Code Exchange (RFC 7636): every code is bound to a verifier by S256, and useless without it.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createRigWithPerson, type Requests } from '../support/known-person.ts';
import { logIn } from '../support/log-in.ts';
import type { OidcRig } from '../support/oidc-rig.ts';
import { type Case, CHALLENGE, type Credentials, grant, VERIFIER } from '../support/requests.ts';

let rig: OidcRig;
let rp: Credentials;
let by: Requests;
beforeAll(async () => {
  ({ rig, rp, by } = await createRigWithPerson());
});
afterAll(() => rig?.close());

const CASES: readonly Case[] = [
  ['no PKCE', () => ({ code_challenge: undefined, code_challenge_method: undefined })],
  ['the plain PKCE method', () => ({ code_challenge: VERIFIER, code_challenge_method: 'plain' })],
  ['PKCE without a method', () => ({ code_challenge_method: undefined })],
  ['a short PKCE challenge', () => ({ code_challenge: 'abc' })],
  ['a PKCE challenge with invalid characters', () => ({ code_challenge: '!'.repeat(43) })],
];

describe('PKCE', () => {
  it.each(CASES)('%s', async (_name, changes) => {
    await by.expectRefusal(await by.authorize(by.request(changes())));
  });

  it('gives no tokens for another verifier, none, or the challenge itself', async () => {
    const params = { code_challenge: CHALLENGE };
    const login = await logIn(rig, await rig.relyingParty(rp.id, rp.secret), { params });
    const code = new URL(login.url).searchParams.get('code')!;
    for (const code_verifier of ['b'.repeat(64), undefined, CHALLENGE, VERIFIER.slice(0, 43), '']) {
      await by.expectNoTokens(grant(code, { code_verifier }));
    }
  });
});
