// An issuer with a path (OpenID Connect Discovery 4, RFC 8414 3.1): BASE_URL may have one, behind a proxy that strips
// it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig({}, { path: '/faces' });
});
afterAll(() => rig?.close());

describe('a BASE_URL with a path', () => {
  it('prefixes every address in the metadata, and each answers', async () => {
    const answer = await rig.browser().fetch(`${rig.issuer}/.well-known/openid-configuration`);
    const metadata = (await answer.json()) as Record<string, unknown>;
    expect(metadata.issuer).toBe(`${rig.baseUrl}/oidc`);
    const endpoints = Object.entries(metadata).filter(([name]) => /_(endpoint|uri)$/.test(name));
    expect(endpoints.length).toBeGreaterThanOrEqual(5);
    for (const [name, url] of endpoints) {
      expect(url, name).toMatch(new RegExp(`^${rig.baseUrl}/oidc/`));
      const [asked, posted] = await Promise.all(
        ['GET', 'POST'].map((method) => rig.browser().fetch(String(url), { method })),
      );
      expect(
        [asked!.status, posted!.status].every((status) => status === 404),
        name,
      ).toBe(false);
    }
  });

  it('enrols, verifies and reuses a check, with cookies below that path only', async () => {
    const { id, secret } = await rig.addClient({ sessionSeconds: 600 });
    const rp = await rig.relyingParty(id, secret);
    const { browser: cookies } = await logIn(rig, rp);
    const checked = await tokensOf(rp, await logIn(rig, rp, { browser: cookies }));
    expect(checked.claims()).toMatchObject({ iss: `${rig.baseUrl}/oidc`, acr: 'urn:likeness:face' });
    const silent = await logIn(rig, rp, { browser: cookies, params: { prompt: 'none' }, faces: [] });
    expect((await tokensOf(rp, silent)).claims()!.sub).toBe(checked.claims()!.sub);
    for (const { path } of cookies.cookies.values()) expect(path).toMatch(/^\/faces\/(oidc|c)(\/|$)/);
  });
});
