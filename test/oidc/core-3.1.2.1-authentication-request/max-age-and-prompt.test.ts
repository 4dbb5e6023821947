// `max_age`, `prompt` and `id_token_hint` (OpenID Connect Core 3.1.2.1): when a check is valid for a further login, and
// for whom.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

const errorOf = (login: { url: string }) => new URL(login.url).searchParams.get('error');

describe('max_age and prompt', () => {
  it('require a check for each login where the client lets none last', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const { browser } = await logIn(rig, rp);
    expect((await logIn(rig, rp, { browser, faces: [] })).url).toContain('/c/');
    expect(errorOf(await logIn(rig, rp, { browser, params: { prompt: 'none' } }))).toBe('login_required');
  });

  it('let a check last as long as the client allows, for its person only', async () => {
    const { id, secret } = await rig.addClient({ sessionSeconds: 600 });
    const rp = await rig.relyingParty(id, secret);
    // An enrolment is not a check: it is not valid for a further login.
    const { browser } = await logIn(rig, rp);
    expect((await logIn(rig, rp, { browser, faces: [] })).url).toContain('/c/');
    const checked = await tokensOf(rp, await logIn(rig, rp, { browser }));
    const silent = await tokensOf(
      rp,
      await logIn(rig, rp, { browser, params: { prompt: 'none' }, faces: [] }),
    );
    expect(silent.claims()).toMatchObject({
      sub: checked.claims()!.sub,
      acr: 'urn:likeness:face',
      auth_time: checked.claims()!.auth_time,
    });
    expect(
      errorOf(await logIn(rig, rp, { browser, params: { prompt: 'none', login_hint: 'another' } })),
    ).toBe('login_required');
    for (const params of [{ prompt: 'login' }, { max_age: '0' }]) {
      expect((await logIn(rig, rp, { browser, params, faces: [] })).url).toContain('/c/');
    }
    // It is not valid at another client either, whatever that client allows.
    const second = await rig.addClient({ sessionSeconds: 600 });
    const other = await rig.relyingParty(second.id, second.secret);
    expect(errorOf(await logIn(rig, other, { browser, params: { prompt: 'none' } }))).toBe('login_required');
  });

  it('replace the first person by a second one in the same browser', async () => {
    const { id, secret } = await rig.addClient({ sessionSeconds: 600 });
    const rp = await rig.relyingParty(id, secret);
    const { browser } = await logIn(rig, rp);
    const first = await tokensOf(rp, await logIn(rig, rp, { browser }));
    const params = { login_hint: 'second' };
    const second = await tokensOf(rp, await logIn(rig, rp, { browser, params }));
    expect(second.claims()!.sub).not.toBe(first.claims()!.sub);
    expect(errorOf(await logIn(rig, rp, { browser, params: { prompt: 'none' } }))).toBe('login_required');
  });
});

describe('id_token_hint', () => {
  it('names the person by an earlier ID token', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const first = await tokensOf(rp, await logIn(rig, rp));
    const params = { id_token_hint: first.id_token!, login_hint: '' };
    const second = await tokensOf(rp, await logIn(rig, rp, { params, par: false }));
    expect(second.claims()).toMatchObject({ sub: first.claims()!.sub, acr: 'urn:likeness:face' });
    const two = { id_token_hint: first.id_token!, login_hint: 'somebody else' };
    expect(errorOf(await logIn(rig, rp, { params: two, par: false }))).toBe('invalid_request');
  });
});
