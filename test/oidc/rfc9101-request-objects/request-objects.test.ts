// Signed request objects (RFC 9101, OpenID Connect Core 6.1): accepted if the client signed them, for this provider and
// a short time.
import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRigWithPerson, type Requests } from '../support/known-person.ts';
import type { OidcRig } from '../support/oidc-rig.ts';
import type { Credentials, Params } from '../support/requests.ts';

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
let rig: OidcRig;
let rp: Credentials;
let signer: Credentials;
let other: Credentials;
let by: Requests;
beforeAll(async () => {
  ({ rig, rp, by } = await createRigWithPerson());
  other = await rig.addClient({ redirectUris: ['https://other.example/callback'] });
  const key = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  signer = await rig.addClient({ jwks: { keys: [key] } });
});
afterAll(() => rig?.close());

describe('request objects', () => {
  const claims = (changes: Params = {}) => ({
    ...Object.fromEntries(by.request({ client_id: signer.id, login_hint: 'victim@example.com' })),
    ...changes,
  });
  const sign = (key = own.privateKey, header = {}, changes: Params = {}, times = ['-10s', '5m']) =>
    new SignJWT(claims(changes))
      .setProtectedHeader({ alg: 'RS256', kid: 'own', ...header })
      .setIssuer(changes.iss ?? signer.id)
      .setAudience(changes.aud ?? rig.issuer)
      .setIssuedAt()
      .setNotBefore(times[0]!)
      .setExpirationTime(times[1]!)
      .sign(key);
  const ask = async (jwt: string, changes: Params = {}) =>
    by.authorize(
      new URLSearchParams({ client_id: signer.id, request: jwt, ...(changes as Record<string, string>) }),
    );

  it('are accepted if the client signed them, and can then name a person for the first time', async () => {
    expect((await ask(await sign())).url).toContain('/c/');
  });

  it('name nobody for the first time if valid for more than an hour, because whoever finds the URL could be enrolled', async () => {
    const withoutExpiry = new SignJWT(claims({ login_hint: 'somebody@example.com' }))
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .setIssuer(signer.id)
      .setAudience(rig.issuer);
    await by.expectRefusal(await ask(await withoutExpiry.sign(own.privateKey)));
    await by.expectRefusal(await ask(await withoutExpiry.setExpirationTime('2h').sign(own.privateKey)));
    const key = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
    const open = await rig.addClient({ authMethod: 'none', jwks: { keys: [key] } });
    const ofOpen = await new SignJWT(claims({ client_id: open.id }))
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .setIssuer(open.id)
      .setAudience(rig.issuer)
      .sign(own.privateKey);
    const pushed = await by.post('/request', { client_id: open.id, request: ofOpen });
    const { request_uri } = (await pushed.json()) as { request_uri: string };
    await by.expectRefusal(await by.authorize(new URLSearchParams({ client_id: open.id, request_uri })));
    expect((await ask(await withoutExpiry.setExpirationTime('55m').sign(own.privateKey))).url).toContain(
      '/c/',
    );
  });

  const CASES: readonly (readonly [string, () => Promise<{ url: string; answer: Response }>])[] = [
    [
      'unsigned',
      async () => ask(new UnsecuredJWT(claims()).setIssuer(signer.id).setAudience(rig.issuer).encode()),
    ],
    ['signed by a foreign key', async () => ask(await sign(foreign.privateKey))],
    [
      'signed by a key that it brings along',
      async () => {
        const jwk = await exportJWK(foreign.publicKey);
        return ask(await sign(foreign.privateKey, { kid: undefined, jwk }));
      },
    ],
    [
      'signed with the client secret',
      async () => {
        const key = new TextEncoder().encode(signer.secret!);
        const jwt = await new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(signer.id)
          .setAudience(rig.issuer)
          .setExpirationTime('5m')
          .sign(key);
        return ask(jwt);
      },
    ],
    ['of another issuer', async () => ask(await sign(own.privateKey, {}, { iss: other.id }))],
    [
      'for another provider',
      async () => ask(await sign(own.privateKey, {}, { aud: 'https://other.example' })),
    ],
    ['expired', async () => ask(await sign(own.privateKey, {}, {}, ['-2h', '-1h']))],
    ['of another client inside', async () => ask(await sign(own.privateKey, {}, { client_id: rp.id }))],
    [
      'with a foreign redirect',
      async () => ask(await sign(own.privateKey, {}, { redirect_uri: 'https://evil.example/' })),
    ],
    ['with another inside', async () => ask(await sign(own.privateKey, {}, { request: 'x.y.z' }))],
    ['without PKCE', async () => ask(await sign(own.privateKey, {}, { code_challenge: undefined }))],
    [
      'beside a pushed one',
      async () => ask(await sign(), { request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
    ],
    ['cut off', async () => ask((await sign()).slice(0, -10))],
  ];
  it.each(CASES)('%s', async (_name, run) => {
    await by.expectRefusal(await run());
  });

  it('must be in the request: none is fetched from an address', async () => {
    const elsewhere = by.request({ request_uri: 'https://evil.example/request.jwt' });
    await by.expectRefusal(await by.authorize(elsewhere));
  });

  it('are the only source: parameters outside them name nobody', async () => {
    const unnamed = await sign(own.privateKey, {}, { login_hint: undefined });
    await by.expectRefusal(await ask(unnamed, { login_hint: 'victim@example.com' }));
  });
});
