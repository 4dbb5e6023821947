// The login's cookies, and the tokens by which a client names a person: none is accepted once one byte of it differs.
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIssuerHints } from '../../src/oidc/issuer-hints.ts';
import { logIn, tokensOf } from '../oidc/support/log-in.ts';
import { createOidcRig, type OidcRig } from '../oidc/support/oidc-rig.ts';
import { accepted, everyByteFlippedInParts, everyCharacterChanged } from '../support/tamper.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

async function relyingParty() {
  const { id, secret } = await rig.addClient();
  return rig.relyingParty(id, secret);
}

it('the cookie of the browser in which a login began, and its signature', async () => {
  const begun = await logIn(rig, await relyingParty(), { faces: [] });
  const { pathname } = new URL(begun.interaction);
  const own = [...begun.browser.cookies].filter(([key]) => key.endsWith(` ${pathname}`));
  expect(own.map(([key]) => key.split(' ')[0])).toEqual(['likeness_login', 'likeness_login.sig']);
  const isKnown = async (changed: readonly [string, string] | null) => {
    const browser = rig.browser();
    for (const [key, cookie] of own)
      browser.cookies.set(key, changed?.[0] === key ? { ...cookie, value: changed[1] } : cookie);
    return (await browser.fetch(begun.interaction)).status !== 404;
  };
  expect(await isKnown(null)).toBe(true);
  const altered = own.flatMap(([key, { value }]) =>
    everyCharacterChanged(value).map((changed) => [key, changed] as const),
  );
  expect(await accepted(altered, async (changed) => !(await isKnown(changed)))).toEqual([]);
});

it('an ID token of its own, as a hint', async () => {
  const rp = await relyingParty();
  const { id_token: token } = await tokensOf(rp, await logIn(rig, rp));
  const endOf = async (id_token_hint: string) => {
    const asked = { params: { id_token_hint, login_hint: '' }, par: false, faces: [] };
    return (await logIn(rig, rp, asked)).url;
  };
  expect(await endOf(token!)).toContain('/c/');
  const altered = everyByteFlippedInParts(token!);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...altered), async (hint) => {
      expect(new URL(await endOf(hint)).searchParams.get('error')).toBe('invalid_request');
    }),
    { numRuns: 30 },
  );
});

it('an ID token of another issuer, as a hint', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [issuer, jwks_uri] = ['https://login.example/tenant', 'https://login.example/keys'];
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'tenant', alg: 'RS256', use: 'sig' }] };
  const { client } = await rig.addClient();
  const hinted = { ...client, settings: { ...client.settings, hint_issuer: { issuer, jwks_uri } } };
  const hints = createIssuerHints(async () => Response.json(jwks));
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', kid: 'tenant' })
    .setSubject('entra-1')
    .setIssuer(issuer)
    .setAudience(client.id)
    .setExpirationTime('5m')
    .sign(privateKey);
  expect(await hints.read(hinted, token)).toBe('entra-1');
  const altered = everyByteFlippedInParts(token);
  expect(await accepted(altered, async (text) => (await hints.read(hinted, text)) === null)).toEqual([]);
});
