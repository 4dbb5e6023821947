// Entra's external authentication method: a token of the tenant names the person, and the answer is posted to Entra.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, decodeJwt, exportJWK, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CookieBrowser, createOidcRig, type Face, type OidcRig } from '../support/oidc-rig.ts';

const ENTRA = 'https://login.example/common/federation/externalauthprovider';
const ISSUER = 'https://login.example/tenant/v2.0';
const tenant = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

let rig: OidcRig;
let keys: Server;
let id: string;

beforeAll(async () => {
  const jwk = { ...(await exportJWK(tenant.publicKey)), kid: 'tenant', alg: 'RS256', use: 'sig' };
  keys = createServer((_request, answer) => {
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  await once(keys, 'listening');
  rig = await createOidcRig();
  const jwks_uri = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`;
  const hintIssuer = { issuer: ISSUER, jwks_uri };
  ({ id } = await rig.addClient({ redirectUris: [ENTRA], authMethod: 'none', hintIssuer }));
});
afterAll(async () => {
  await rig?.close();
  keys?.close();
});

const hint = (sub: string, { key = tenant.privateKey, aud = id, iss = ISSUER, exp = '5m' } = {}) =>
  new SignJWT({ oid: 'object', tid: 'tenant', preferred_username: `${sub}@example.com` })
    .setProtectedHeader({ alg: 'RS256', kid: 'tenant' })
    .setSubject(sub)
    .setIssuer(iss)
    .setAudience(aud)
    .setIssuedAt()
    .setExpirationTime(exp)
    .sign(key);

const form = (id_token_hint: string, more: Record<string, string> = {}) => ({
  client_id: id,
  redirect_uri: ENTRA,
  scope: 'openid',
  response_type: 'id_token',
  response_mode: 'form_post',
  nonce: 'n-1',
  state: 's-1',
  'client-request-id': 'r-1',
  id_token_hint,
  claims: JSON.stringify({
    id_token: {
      acr: { essential: true, values: ['possessionorinherence'] },
      amr: { essential: true, values: ['face', 'fido', 'otp'] },
    },
  }),
  ...more,
});

/** Posts the request as Entra does and continues to the page that posts the answer; returns its fields. */
async function take(browser: CookieBrowser, request: Record<string, string>, faces: readonly Face[]) {
  let at = await browser.follow(`${rig.issuer}/auth`, { method: 'POST', form: request });
  const key = [...browser.cookies.keys()].findLast((each) => each.startsWith('likeness_login '));
  for (const face of faces) {
    if (!at.url.includes('/c/')) break;
    await rig.capture(browser, at.url, face);
    at = await browser.follow(`${rig.baseUrl}${key!.split(' ')[1]}`);
  }
  const page = await at.answer.text();
  const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  return {
    page,
    answer: at.answer,
    url: at.url,
    fields: Object.fromEntries(fields) as Record<string, string>,
  };
}

describe('an external authentication method', () => {
  it('enrols and verifies the person whom the tenant names, and answers with their sub', async () => {
    const first = await take(rig.browser(), form(await hint('entra-1')), ['same', 'same']);
    expect(first.page).toContain(`action="${ENTRA}"`);
    expect(first.fields.state).toBe('s-1');
    const { payload } = await jwtVerify(
      first.fields.id_token!,
      createRemoteJWKSet(new URL(`${rig.issuer}/jwks`)),
      { issuer: rig.issuer, audience: id, algorithms: ['RS256'] },
    );
    expect(payload).toMatchObject({
      sub: 'entra-1',
      nonce: 'n-1',
      acr: 'possessionorinherence',
      amr: ['face'],
    });
    // The page may run its one script and submit its form to the address that the library names.
    expect(first.answer.headers.get('content-security-policy')).toMatch(/script-src [^;]*'sha256-/);
    const again = await take(rig.browser(), form(await hint('entra-1')), ['same']);
    expect(decodeJwt(again.fields.id_token!).sub).toBe('entra-1');
  });

  it('refuses a face that does not match', async () => {
    const refused = await take(rig.browser(), form(await hint('entra-1')), ['other']);
    expect(refused.fields).toMatchObject({ error: 'access_denied', state: 's-1' });
    expect(refused.fields).not.toHaveProperty('id_token');
  });

  it.each([
    ['of a stranger', () => hint('entra-1', { key: stranger.privateKey })],
    ['for another client', () => hint('entra-1', { aud: 'oc_another' })],
    ['of another tenant', () => hint('entra-1', { iss: 'https://login.example/other/v2.0' })],
    ['that has expired', () => hint('entra-1', { exp: '-10m' })],
    [
      'without a signature',
      async () =>
        new UnsecuredJWT({})
          .setSubject('entra-1')
          .setIssuer(ISSUER)
          .setAudience(id)
          .setExpirationTime('5m')
          .encode(),
    ],
    ['that is not a token', async () => 'x.y.z'],
  ])('refuses a token %s', async (_name, token) => {
    const { fields, url } = await take(rig.browser(), form(await token()), []);
    expect(url).not.toContain('/c/');
    expect(fields.error).toBe('invalid_request');
  });

  it('accepts no name from the browser, and refuses two tokens', async () => {
    const { id_token_hint: _none, ...unnamed } = form(await hint('entra-1'));
    const named = await take(rig.browser(), { ...unnamed, login_hint: 'entra-1' }, []);
    expect(named.fields.error).toBe('invalid_request');
    const twice = new URLSearchParams(form(await hint('entra-1')));
    twice.append('id_token_hint', await hint('entra-2'));
    const answer = await rig.browser().follow(`${rig.issuer}/auth`, { method: 'POST', form: twice });
    expect(answer.url).not.toContain('/c/');
  });

  it('issues no codes', async () => {
    const refused = await take(rig.browser(), form(await hint('entra-1'), { response_type: 'code' }), []);
    expect(refused.page).not.toContain('name="code"');
    expect(refused.url).not.toContain('/c/');
  });
});
