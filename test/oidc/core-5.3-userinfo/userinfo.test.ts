// UserInfo (OpenID Connect Core 5.3): the access token is accepted only in the header.
import type * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

let rig: OidcRig;
let config: client.Configuration;
beforeAll(async () => {
  rig = await createOidcRig();
  const { id, secret } = await rig.addClient();
  config = await rig.relyingParty(id, secret);
});
afterAll(() => rig?.close());

describe('userinfo', () => {
  it.each(['', 'Bearer', 'Bearer x', 'Basic eDp4'])('refuses a caller with "%s"', async (authorization) => {
    const answer = await rig.browser().fetch(`${rig.issuer}/me`, { headers: { authorization } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('accepts an access token only in the header', async () => {
    const tokens = await tokensOf(config, await logIn(rig, config, { params: { login_hint: 'header' } }));
    const answer = await rig.browser().fetch(`${rig.issuer}/me?access_token=${tokens.access_token}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});
