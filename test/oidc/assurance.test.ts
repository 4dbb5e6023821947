// What a request asks of a check, and what its tokens say: acr, amr, auth_time, max_age, prompt, verified_claims.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assuranceOf, readRequirements } from '../../src/oidc/requirements.ts';
import { verifiedClaims } from '../../src/oidc/verified-claims.ts';
import { logIn, tokensOf } from './log-in.ts';
import { createOidcRig, type OidcRig } from './oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

const essential = (claims: object) => ({ claims: JSON.stringify({ id_token: claims }) });
const errorOf = (login: { url: string }) => new URL(login.url).searchParams.get('error');

describe('acr and amr', () => {
  it('of a face as essential: whoever is new is enrolled, and verified in the same login', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const params = essential({ amr: { essential: true, values: ['face'] } });
    const login = await logIn(rig, rp, { params, faces: ['same', 'same'] });
    expect((await tokensOf(rp, login)).claims()).toMatchObject({ acr: 'urn:likeness:face', amr: ['face'] });
  });

  it('of a face as essential: who is enrolled and then does not match is not logged in', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const params = {
      acr_values: '',
      ...essential({ acr: { essential: true, values: ['urn:likeness:face'] } }),
    };
    expect(errorOf(await logIn(rig, rp, { params, faces: ['same', 'other'] }))).toBe('access_denied');
  });

  it('that no face is: nobody is led to a camera', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    for (const claims of [
      { acr: { essential: true, values: ['urn:other:level'] } },
      { amr: { essential: true, values: ['fpt', 'pin'] } },
    ]) {
      const login = await logIn(rig, rp, { params: essential(claims), faces: [] });
      expect(errorOf(login)).toBe('unmet_authentication_requirements');
    }
  });

  it('are read from any text without a fault, and no text makes an enrolment a face', () => {
    const claims = fc.oneof(fc.string(), fc.json(), fc.constant('{"id_token":{"amr":null,"acr":[]}}'));
    fc.assert(
      fc.property(claims, fc.string(), (claims, acr_values) => {
        const requirements = readRequirements({ claims, acr_values });
        const enrolled = assuranceOf(requirements, 'enrol');
        expect(
          enrolled === null || (enrolled.acr === 'urn:likeness:enrolment' && enrolled.amr.length === 0),
        ).toBe(true);
        const verified = assuranceOf(requirements, 'verify');
        expect(verified === null || verified.amr[0] === 'face').toBe(true);
      }),
    );
  });
});

describe('max_age and prompt', () => {
  it('each login is a check where the client lets none count longer', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const { browser } = await logIn(rig, rp);
    expect((await logIn(rig, rp, { browser, faces: [] })).url).toContain('/c/');
    expect(errorOf(await logIn(rig, rp, { browser, params: { prompt: 'none' } }))).toBe('login_required');
  });

  it('a check counts for as long as the client lets it, for its person alone', async () => {
    const { id, secret } = await rig.addClient({ sessionSeconds: 600 });
    const rp = await rig.relyingParty(id, secret);
    // An enrolment is no check: it counts for nothing further.
    const { browser } = await logIn(rig, rp);
    expect((await logIn(rig, rp, { browser, faces: [] })).url).toContain('/c/');
    const checked = await tokensOf(rp, await logIn(rig, rp, { browser }));
    const silent = await tokensOf(
      rp,
      await logIn(rig, rp, { browser, params: { prompt: 'none' }, faces: [] }),
    );
    expect(silent.claims()).toMatchObject({
      ...{ sub: checked.claims()!.sub, acr: 'urn:likeness:face', auth_time: checked.claims()!.auth_time },
    });
    expect(
      errorOf(await logIn(rig, rp, { browser, params: { prompt: 'none', login_hint: 'another' } })),
    ).toBe('login_required');
    for (const params of [{ prompt: 'login' }, { max_age: '0' }]) {
      expect((await logIn(rig, rp, { browser, params, faces: [] })).url).toContain('/c/');
    }
    // Nor at another client, whatever it lets count.
    const second = await rig.addClient({ sessionSeconds: 600 });
    const other = await rig.relyingParty(second.id, second.secret);
    expect(errorOf(await logIn(rig, other, { browser, params: { prompt: 'none' } }))).toBe('login_required');
  });

  it('a second person in the same browser takes the place of the first', async () => {
    const { id, secret } = await rig.addClient({ sessionSeconds: 600 });
    const rp = await rig.relyingParty(id, secret);
    const { browser } = await logIn(rig, rp);
    const first = await tokensOf(rp, await logIn(rig, rp, { browser }));
    const params = { login_hint: 'second' };
    const second = await tokensOf(rp, await logIn(rig, rp, { browser, params }));
    expect(second.claims()!.sub).not.toBe(first.claims()!.sub);
    expect(errorOf(await logIn(rig, rp, { browser, params: { prompt: 'none' } }))).toBe('login_required');
  });

  it('an ID token of before names the person', async () => {
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

describe('verified_claims', () => {
  const asked = (verification: object) => ({
    scope: 'openid profile identity_assurance',
    ...essential({ verified_claims: { verification, claims: { given_name: null, family_name: null } } }),
  });

  it('as Okta asks for them: the person of sub was verified, and no name is claimed', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const params = asked({
      trust_framework: { value: 'IDV-DELEGATED' },
      assurance_level: { value: 'VERIFIED' },
    });
    const first = await tokensOf(rp, await logIn(rig, rp, { params }));
    expect(first.claims()).not.toHaveProperty('verified_claims');
    const second = await tokensOf(rp, await logIn(rig, rp, { params }));
    expect(second.claims()!.verified_claims).toEqual({
      verification: {
        ...{ trust_framework: 'IDV-DELEGATED', assurance_level: 'VERIFIED' },
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
      claims: { sub: second.claims()!.sub },
    });
    const plain = await tokensOf(rp, await logIn(rig, rp));
    expect(plain.claims()).not.toHaveProperty('verified_claims');
  });

  it('are left out where they are asked for by what is not met', () => {
    const check = { acr: 'urn:likeness:face', sub: 's', checkedAt: new Date(0) };
    expect(verifiedClaims({ verification: { trust_framework: { value: 'eidas' } } }, check)).toBeNull();
    expect(verifiedClaims({ verification: { assurance_level: { value: 'high' } } }, check)).toBeNull();
    expect(verifiedClaims(null, { ...check, acr: 'urn:likeness:enrolment' })).toBeNull();
    expect(verifiedClaims({ verification: { trust_framework: null } }, check)).toMatchObject({
      claims: { sub: 's' },
    });
    fc.assert(
      fc.property(fc.jsonValue(), (request) => {
        const made = verifiedClaims(request, check);
        expect(made === null || Object.keys(made.claims).join() === 'sub').toBe(true);
      }),
    );
  });
});
