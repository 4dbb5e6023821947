// `verified_claims` (OpenID Identity Assurance Schema Definition 1.0), as Okta requests them.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifiedClaims } from '../../../src/oidc/verified-claims.ts';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

const essential = (claims: object) => ({ claims: JSON.stringify({ id_token: claims }) });

describe('verified_claims', () => {
  const asked = (verification: object) => ({
    scope: 'openid profile identity_assurance',
    ...essential({ verified_claims: { verification, claims: { given_name: null, family_name: null } } }),
  });

  it('as Okta requests them say that the person of sub was verified, and claim no name', async () => {
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
        trust_framework: 'IDV-DELEGATED',
        assurance_level: 'VERIFIED',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
      claims: { sub: second.claims()!.sub },
    });
    const plain = await tokensOf(rp, await logIn(rig, rp));
    expect(plain.claims()).not.toHaveProperty('verified_claims');
  });

  it("are left out where the request's requirements are not met", () => {
    const check = { acr: 'urn:likeness:face', sub: 's', checkedAt: new Date(0) };
    expect(verifiedClaims({ verification: { trust_framework: { value: 'eidas' } } }, check)).toBeNull();
    expect(verifiedClaims({ verification: { assurance_level: { value: 'high' } } }, check)).toBeNull();
    expect(verifiedClaims(null, { ...check, acr: 'urn:likeness:enrolment' })).toBeNull();
    const device = { ...check, acr: 'urn:likeness:face_and_device' };
    for (const whole of [check, device]) {
      expect(verifiedClaims({ verification: { trust_framework: null } }, whole)).toMatchObject({
        claims: { sub: 's' },
      });
    }
    const without = { ...device, acr: `${device.acr}:without_turns` };
    expect(verifiedClaims({ verification: { trust_framework: null } }, without)).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), (request) => {
        const made = verifiedClaims(request, check);
        expect(made === null || Object.keys(made.claims).join() === 'sub').toBe(true);
      }),
    );
  });
});
