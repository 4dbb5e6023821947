// A login client of a sandbox: the tester's buttons decide how a login ends, and its tokens say that nobody was checked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartAnswer } from '../../../src/contract/capture-page.ts';
import type { SandboxOutcome } from '../../../src/contract/sandbox.ts';
import type { Account } from '../../../src/keys/tables/account-store.ts';
import type { ClientRequest } from '../../../src/oidc/clients.ts';
import { PageClient } from '../../support/page-client.ts';
import { requestLogin, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig, REDIRECT_URI } from '../support/oidc-rig.ts';

const SANDBOX = 'urn:likeness:sandbox';
const FACE = 'urn:likeness:face';
const requiring = (claims: object) => ({ claims: JSON.stringify({ id_token: claims }) });

let rig: OidcRig;
let sandbox: Account;
beforeAll(async () => {
  rig = await createOidcRig();
  await rig.foundation.accounts.createKey(rig.account, { sandbox: true }, 'test');
  sandbox = (await rig.foundation.accounts.findSandboxOf(rig.account.id))!;
});
afterAll(() => rig?.close());

/** A client whose logins a tester ends with these outcomes, one button for each challenge. */
async function clientWith(request: Partial<ClientRequest> = {}) {
  const { id, secret } = await rig.addClient(request, sandbox);
  const rp = await rig.relyingParty(id, secret);
  const logIn = async (outcomes: readonly SandboxOutcome[], params: Record<string, string> = {}) => {
    const browser = rig.browser();
    const { address, ...kept } = await requestLogin(rp, { params });
    let at = await browser.follow(address.href);
    for (const outcome of outcomes) {
      const started = await browser.fetch(`${at.url}/start`, { method: 'POST', json: {} });
      const { device_token, state } = (await started.json()) as StartAnswer;
      expect(state.sandbox_outcomes).toContain(outcome);
      const page = new PageClient(at.url, device_token, browser.pageFetch);
      await page.consent(state.consent.text_version);
      expect((await page.call('POST', '/sandbox', { outcome })).status).toBe(204);
      const key = [...browser.cookies.keys()].findLast((each) => each.startsWith('likeness_login '))!;
      at = await browser.follow(new URL(key.split(' ')[1]!, rig.baseUrl).href);
    }
    return { ...at, ...kept };
  };
  return {
    logIn,
    claimsOf: async (...of: Parameters<typeof logIn>) => (await tokensOf(rp, await logIn(...of))).claims()!,
    errorOf: async (...of: Parameters<typeof logIn>) =>
      new URL((await logIn(...of)).url).searchParams.get('error'),
  };
}

describe('a login of the sandbox', () => {
  it('ends as its button says, and says that nobody was checked', async () => {
    const shop = await clientWith();
    const enrolled = await shop.claimsOf(['pass']);
    const compared = await shop.claimsOf(['pass']);
    expect(compared.sub).toBe(enrolled.sub);
    for (const claims of [enrolled, compared]) {
      expect(claims.acr).toBe(SANDBOX);
      expect(claims.amr ?? []).toEqual([]);
    }
    for (const outcome of ['no_match', 'spoof', 'no_face'] as const)
      expect(await shop.errorOf([outcome])).toBe('access_denied');
  });

  it.each([
    ['a face', { acr: { essential: true, values: [FACE] } }],
    ['its method', { amr: { essential: true, values: ['face'] } }],
    ['a device', { acr: { essential: true, values: [`${FACE}_and_device`] } }],
    ['a factor', { acr: { essential: true, values: ['inherence'] } }],
  ])('never meets a request that requires %s', async (_name, claims) => {
    const shop = await clientWith();
    expect(await shop.errorOf([], requiring(claims))).toBe('unmet_authentication_requirements');
  });

  it('meets one that accepts the sandbox too, and carries no verified claims', async () => {
    const shop = await clientWith();
    const acr = { essential: true, values: [FACE, SANDBOX] };
    const verified_claims = { verification: { trust_framework: null }, claims: { sub: null } };
    const claims = await shop.claimsOf(['pass'], requiring({ acr, verified_claims }));
    expect(claims.acr).toBe(SANDBOX);
    expect(claims).not.toHaveProperty('verified_claims');
  });

  it('asks no device, even where the client requires one', async () => {
    const shop = await clientWith({ deviceBinding: 'require' });
    expect(await shop.claimsOf(['pass'])).toMatchObject({ acr: SANDBOX });
    expect(await shop.claimsOf(['pass'])).toMatchObject({ acr: SANDBOX });
  });

  it('counts for no further login', async () => {
    const shop = await clientWith({ sessionSeconds: 600 });
    await shop.logIn(['pass']);
    expect((await shop.logIn([])).url).toContain('/c/');
  });
});

describe('outside it', () => {
  it('a live client does not meet a request for the sandbox', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const params = requiring({ acr: { essential: true, values: [SANDBOX] } });
    const { url } = await rig.browser().follow((await requestLogin(rp, { params })).address.href);
    expect(new URL(url).searchParams.get('error')).toBe('unmet_authentication_requirements');
  });

  it('no identity server takes it for a factor', async () => {
    const issuer = 'https://login.example/t';
    const hintIssuer = { issuer, jwks_uri: `${issuer}/keys` };
    const request = { name: 'entra', redirectUris: [REDIRECT_URI], hintIssuer, authMethod: 'none' } as const;
    expect(await rig.clients.add(sandbox, request, 'test')).toMatchObject({ status: 'invalid' });
  });
});
