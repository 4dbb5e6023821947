// Codes at the token endpoint (RFC 6749 4.1.3, OpenID Connect Core 3.1.3): redeemed once, by the client they were
// issued to, with its own parameters.
import type * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRigWithPerson, type Requests } from '../support/known-person.ts';
import { logIn } from '../support/log-in.ts';
import { type OidcRig, PERSON } from '../support/oidc-rig.ts';
import { basic, CHALLENGE, type Credentials, grant, type Params } from '../support/requests.ts';

let rig: OidcRig;
let rp: Credentials;
let other: Credentials;
let config: client.Configuration;
let by: Requests;
beforeAll(async () => {
  ({ rig, rp, by } = await createRigWithPerson());
  other = await rig.addClient({ redirectUris: ['https://other.example/callback'] });
  config = await rig.relyingParty(rp.id, rp.secret);
});
afterAll(() => rig?.close());

describe('the token endpoint', () => {
  const codeOf = async (hint: string) => {
    const login = await logIn(rig, config, {
      params: { login_hint: hint, code_challenge: CHALLENGE },
    });
    return new URL(login.url).searchParams.get('code')!;
  };
  it('gives nothing for a code of another client or with wrong parameters; then it redeems it once', async () => {
    const code = await codeOf('token endpoint');
    await by.expectNoTokens(grant(code, { redirect_uri: 'https://evil.example/callback' }));
    await by.expectNoTokens(grant(code, { redirect_uri: undefined }));
    await by.expectNoTokens(grant(code), basic(other));
    await by.expectNoTokens(grant(code), basic({ id: rp.id, secret: 'wrong' }));
    await by.expectNoTokens(grant(code), basic({ id: rp.id, secret: '' }));
    await by.expectNoTokens(grant(code, { client_id: rp.id }), {});
    await by.expectNoTokens(grant(code.slice(0, -1)));
    const answers = await Promise.all([
      by.post('/token', grant(code), basic(rp)),
      by.post('/token', grant(code), basic(rp)),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeLessThanOrEqual(
      1,
    );
    await by.expectNoTokens(grant(code));
  });

  it('revokes the tokens of a code that is presented a second time', async () => {
    const code = await codeOf('a code twice');
    const first = (await (await by.post('/token', grant(code), basic(rp))).json()) as {
      access_token: string;
    };
    const me = () =>
      rig.browser().fetch(`${rig.issuer}/me`, { headers: { authorization: `Bearer ${first.access_token}` } });
    expect((await me()).status).toBe(200);
    await by.expectNoTokens(grant(code));
    expect((await me()).status).toBe(401);
  });

  it.each([
    ['refresh_token', { refresh_token: 'x' }],
    ['client_credentials', { scope: 'openid' }],
    ['password', { username: PERSON, password: 'x' }],
    ['urn:ietf:params:oauth:grant-type:device_code', { device_code: 'x' }],
    ['urn:ietf:params:oauth:grant-type:token-exchange', { subject_token: 'x' }],
  ])('does not support the grant %s', async (grant_type, more) => {
    await by.expectNoTokens({ grant_type, ...more } as Params);
  });
});
