// `private_key_jwt` (RFC 7523, OpenID Connect Core 9): a client without a secret authenticates by a signed assertion,
// for this provider, once.
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, tokensOf } from '../../../oidc/support/log-in.ts';
import { createOidcRig, type OidcRig } from '../../../oidc/support/oidc-rig.ts';
import {
  CHALLENGE,
  type Credentials,
  grant,
  type Params,
  requestsOf,
} from '../../../oidc/support/requests.ts';

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ofCurve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

let rig: OidcRig;
let signer: Credentials;
let other: Credentials;
let shared: Credentials;
let by: ReturnType<typeof requestsOf>;
let config: client.Configuration;

const jwkOf = async (key: KeyObject, alg: string, kid: string) => ({
  ...(await exportJWK(key)),
  kid,
  alg,
  use: 'sig',
});
const cryptoKey = (key: KeyObject, algorithm: RsaHashedImportParams | EcKeyImportParams) =>
  crypto.subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), algorithm, false, ['sign']);

beforeAll(async () => {
  rig = await createOidcRig();
  const jwks = {
    keys: [await jwkOf(own.publicKey, 'RS256', 'own'), await jwkOf(ofCurve.publicKey, 'ES256', 'curve')],
  };
  signer = await rig.addClient({ authMethod: 'private_key_jwt', jwks });
  const others = { keys: [await jwkOf(foreign.publicKey, 'RS256', 'own')] };
  other = await rig.addClient({ authMethod: 'private_key_jwt', jwks: others });
  shared = await rig.addClient({ jwks });
  by = requestsOf(rig, signer);
  const key = await cryptoKey(own.privateKey, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' });
  config = await rig.relyingParty(signer.id, null, client.PrivateKeyJwt({ key, kid: 'own' }));
});
afterAll(() => rig?.close());

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
interface Claims {
  iss?: string;
  sub?: string;
  aud?: string;
  exp?: string;
  nbf?: string;
  jti?: string | null;
}
const claimsOf = (changes: Claims) => ({
  iss: signer.id,
  sub: signer.id,
  aud: rig.issuer,
  exp: '1m',
  nbf: '-1s',
  jti: randomUUID(),
  ...changes,
});
function assertion(changes: Claims = {}, key: KeyObject | Uint8Array = own.privateKey, header: object = {}) {
  const { iss, sub, aud, exp, nbf, jti } = claimsOf(changes);
  const jwt = new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid: 'own', ...header })
    .setIssuer(iss)
    .setSubject(sub)
    .setAudience(aud)
    .setIssuedAt()
    .setNotBefore(nbf)
    .setExpirationTime(exp);
  return (jti === null ? jwt : jwt.setJti(jti)).sign(key);
}
const proof = (client_assertion: string): Params => ({ client_assertion, client_assertion_type: TYPE });
const codeOf = async (login_hint: string) => {
  const login = await logIn(rig, config, { params: { login_hint, code_challenge: CHALLENGE } });
  return new URL(login.url).searchParams.get('code')!;
};

describe('private_key_jwt', () => {
  it('pushes, enrols and redeems: a complete login of a client without a secret', async () => {
    expect(signer.secret).toBeNull();
    const first = await tokensOf(config, await logIn(rig, config));
    expect(first.claims()).toMatchObject({ acr: 'urn:likeness:enrolment', aud: signer.id });
    const again = await tokensOf(config, await logIn(rig, config));
    expect(again.claims()).toMatchObject({ acr: 'urn:likeness:face', sub: first.claims()!.sub });
  });

  it('accepts any key of the client, with its own algorithm', async () => {
    const key = await cryptoKey(ofCurve.privateKey, { name: 'ECDSA', namedCurve: 'P-256' });
    const curve = await rig.relyingParty(signer.id, null, client.PrivateKeyJwt({ key, kid: 'curve' }));
    const tokens = await tokensOf(curve, await logIn(rig, curve, { params: { login_hint: 'curve' } }));
    expect(tokens.claims()!.aud).toBe(signer.id);
  });

  it('accepts an assertion that expires within ten minutes', async () => {
    const pushed = await by.post('/request', by.request({ ...proof(await assertion({ exp: '9m' })) }), {});
    expect(pushed.status).toBe(201);
  });

  const WRONG: readonly (readonly [string, () => Promise<Params> | Params])[] = [
    ['signed by a foreign key', async () => proof(await assertion({}, foreign.privateKey))],
    [
      'signed by a key that it brings along',
      async () => {
        const jwk = await exportJWK(foreign.publicKey);
        return proof(await assertion({}, foreign.privateKey, { kid: undefined, jwk }));
      },
    ],
    [
      'signed with the public key as a secret',
      async () => {
        const secret = own.publicKey.export({ type: 'spki', format: 'pem' }) as string;
        return proof(await assertion({}, new TextEncoder().encode(secret), { alg: 'HS256' }));
      },
    ],
    [
      'unsigned',
      () => {
        const { iss, sub, aud, exp } = claimsOf({});
        const jwt = new UnsecuredJWT({ jti: randomUUID() }).setIssuer(iss).setSubject(sub).setAudience(aud);
        return proof(jwt.setExpirationTime(exp).encode());
      },
    ],
    ['for another provider', async () => proof(await assertion({ aud: 'https://other.example' }))],
    ['expired', async () => proof(await assertion({ exp: '-1h' }))],
    ['not yet valid', async () => proof(await assertion({ nbf: '5m', exp: '9m' }))],
    ['valid for more than ten minutes', async () => proof(await assertion({ exp: '11m' }))],
    ['without an id of its own', async () => proof(await assertion({ jti: null }))],
    ['of another issuer', async () => proof(await assertion({ iss: other.id }))],
    ['of another subject', async () => proof(await assertion({ sub: other.id }))],
    ['cut off', async () => proof((await assertion()).slice(0, -10))],
    [
      'of another type',
      async () => ({ client_assertion: await assertion(), client_assertion_type: 'urn:x:saml2-bearer' }),
    ],
    ['beside a secret', async () => ({ ...proof(await assertion()), client_secret: 'x' })],
    ['in the name of another client', async () => ({ ...proof(await assertion()), client_id: other.id })],
    [
      'of a client that authenticates with a secret',
      async () => proof(await assertion({ iss: shared.id, sub: shared.id })),
    ],
    ['absent: an id alone', () => ({ client_id: signer.id })],
  ];

  it.each(WRONG)('is refused, %s: neither tokens nor a pushed request', async (name, wrong) => {
    const code = await codeOf(name);
    await by.expectNoTokens(grant(code, await wrong()), {});
    const pushed = await by.post('/request', {
      ...Object.fromEntries(by.request()),
      client_id: undefined,
      ...(await wrong()),
    });
    expect(pushed.status).toBeGreaterThanOrEqual(400);
    expect(await pushed.text()).not.toContain('request_uri:');
  });

  it('is valid once: a second use is refused, at any endpoint and process', async () => {
    const used = await assertion();
    const push = () => by.post('/request', { ...Object.fromEntries(by.request()), ...proof(used) });
    expect((await push()).status).toBe(201);
    expect((await push()).status).toBe(401);
    await rig.restart();
    await by.expectNoTokens(grant(await codeOf('once'), proof(used)), {});
    // Concurrent, and several times, because a race might let two through only now and then.
    for (let i = 0; i < 5; i++) {
      const atOnce = await assertion();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          by.post('/request', { ...Object.fromEntries(by.request()), ...proof(atOnce) }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401]);
    }
  });
});
