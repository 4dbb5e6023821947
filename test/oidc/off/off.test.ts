// With OIDC=off, the default, there is no provider: no routes, no library, and challenges are unaffected.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig({ OIDC: 'off' });
});
afterAll(() => rig?.close());

describe('without OIDC', () => {
  it.each([
    '/oidc',
    '/oidc/auth',
    '/oidc/.well-known/openid-configuration',
    '/oidc/interaction/x',
    '/oidc/jwks',
  ])('there is no %s', async (path) => {
    const answer = await rig.browser().fetch(`${rig.baseUrl}${path}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  it('challenges start in any browser and set no cookies', async () => {
    const caller = { accountId: rig.account.id, actor: 'test', sandbox: false };
    const created = await rig.services.challenges.create(caller, { body: { liveness_only: true } });
    if (created.status !== 'created') throw new Error(created.status);
    const url = created.response.challenge_url;
    const started = await rig.browser().fetch(`${url}/start`, { method: 'POST', json: {} });
    expect(started.status).toBe(200);
    expect(started.headers.getSetCookie()).toEqual([]);
  });
});
