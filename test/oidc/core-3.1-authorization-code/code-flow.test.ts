// A login by authorization code with PKCE, as openid-client performs it: an enrolment the first time, a verification
// from then on.
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

describe('a login by code', () => {
  it('enrols a person named by an authenticated client, and verifies them the next time', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const first = await tokensOf(rp, await logIn(rig, rp));
    expect(first.claims()).toMatchObject({ acr: 'urn:likeness:enrolment', amr: [] });
    const second = await tokensOf(rp, await logIn(rig, rp));
    expect(second.claims()).toMatchObject({
      acr: 'urn:likeness:face',
      amr: ['face'],
      sub: first.claims()!.sub,
    });
    expect(second.claims()!.auth_time).toBeGreaterThan(Date.now() / 1000 - 60);
    const userinfo = await client.fetchUserInfo(rp, second.access_token, second.claims()!.sub);
    expect(userinfo).toEqual({ sub: first.claims()!.sub });
  });

  it('refuses another face, and one that is not live, with the same error', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    await logIn(rig, rp);
    for (const face of ['other', 'not-live'] as const) {
      const { url } = await logIn(rig, rp, { faces: [face] });
      const answer = new URL(url).searchParams;
      expect(answer.get('error')).toBe('access_denied');
      expect(answer.get('error_description')).toBe('The check was not passed.');
      expect(answer.get('code')).toBeNull();
    }
  });

  it('continues when another process takes over in the middle of it', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const login = await logIn(rig, rp, { faces: [] });
    expect(login.url).toContain('/c/');
    await rig.restart();
    await rig.capture(login.browser, login.url);
    await rig.restart();
    const done = await login.browser.follow(login.interaction);
    await rig.restart();
    const tokens = await tokensOf(rp, { ...login, ...done });
    expect(tokens.claims()!.acr).toBe('urn:likeness:enrolment');
  });
});
