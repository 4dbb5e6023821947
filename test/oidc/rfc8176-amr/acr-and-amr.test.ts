// `acr` and `amr` (RFC 8176: `face`): what a token says about the check, and what a request can require of it.
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESSIBLE_WAYS, type AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { StartAnswer } from '../../../src/contract/capture-page.ts';
import { leadsToRecording } from '../../../src/contract/next-recording.ts';
import { assuranceOf, readRequirements, wayPolicyOf } from '../../../src/oidc/requirements.ts';
import { logIn, requestLogin, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig({ LIVENESS_PROMPTS: 'smile,target' });
});
afterAll(() => rig?.close());

const essential = (claims: object) => ({ claims: JSON.stringify({ id_token: claims }) });
const faceWithout = (way: AccessibleWay | null) => ({ kind: 'verify', way, key: null }) as const;
const errorOf = (login: { url: string }) => new URL(login.url).searchParams.get('error');

describe('acr and amr', () => {
  it('of a face as essential enrol a new person and verify them in the same login', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const params = essential({ amr: { essential: true, values: ['face'] } });
    const login = await logIn(rig, rp, { params, faces: ['same', 'same'] });
    expect((await tokensOf(rp, login)).claims()).toMatchObject({ acr: 'urn:likeness:face', amr: ['face'] });
  });

  it('of a face as essential tell the page of the first recording that another may follow', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const announces = async (params: Record<string, string>) => {
      const browser = rig.browser();
      const { url } = await browser.follow((await requestLogin(rp, { params })).address.href);
      const started = await browser.fetch(`${url}/start`, { method: 'POST', json: {} });
      const { state } = (await started.json()) as StartAnswer;
      return leadsToRecording(state.exit_redirect_url!, new URL(rig.baseUrl).origin);
    };
    const faceOnly = essential({ amr: { essential: true, values: ['face'] } });
    expect(await announces(faceOnly)).toBe(true);
    expect(await announces({})).toBe(false);
    // Enrolled: one recording is enough.
    await logIn(rig, rp, { faces: ['same'] });
    expect(await announces(faceOnly)).toBe(false);
  });

  it('of a face as essential refuse an enrolled person who then does not match', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    const params = {
      acr_values: '',
      ...essential({ acr: { essential: true, values: ['urn:likeness:face'] } }),
    };
    expect(errorOf(await logIn(rig, rp, { params, faces: ['same', 'other'] }))).toBe('access_denied');
  });

  it('say which way the person took, after each kind of check', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    for (const kind of ['enrolment', 'face']) {
      const login = await logIn(rig, rp, { way: 'without_smile' });
      const acr = `urn:likeness:${kind}:without_smile`;
      expect((await tokensOf(rp, login)).claims()).toMatchObject({ acr });
    }
  });

  it('of a whole face as essential are not met by a check in which something was left out', async () => {
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    await logIn(rig, rp);
    const params = essential({ acr: { essential: true, values: ['urn:likeness:face'] } });
    // The page gets no script for it.
    await expect(logIn(rig, rp, { params, way: 'without_smile' })).rejects.toThrow('way_not_open');
    // However such a check came about.
    const { browser, url, interaction } = await logIn(rig, rp, { params, faces: [] });
    await rig.record(browser, url);
    const leftOut = { performed_script: sql<string>`performed_script || '{"way": "without_smile"}'` };
    await rig.db.updateTable('capture').set(leftOut).where('state', '=', 'submitted').execute();
    await rig.judge('same');
    expect(errorOf(await browser.follow(interaction))).toBe('unmet_authentication_requirements');
  });

  it('of anything else as essential lead nobody to a camera', async () => {
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

  it('are read from any text without an error, and no text makes an enrolment a face check', () => {
    const claims = fc.oneof(fc.string(), fc.json(), fc.constant('{"id_token":{"amr":null,"acr":[]}}'));
    fc.assert(
      fc.property(claims, fc.string(), (claims, acr_values) => {
        const requirements = readRequirements({ claims, acr_values });
        for (const way of [null, ...ACCESSIBLE_WAYS]) {
          for (const key of [null, 'hwk', 'swk'] as const) {
            const enrolled = assuranceOf(requirements, { kind: 'enrol', way, key });
            expect(
              enrolled === null ||
                (enrolled.acr.startsWith('urn:likeness:enrolment') && enrolled.amr.length === 0),
            ).toBe(true);
            const verified = assuranceOf(requirements, { kind: 'verify', way, key });
            expect(verified === null || verified.amr[0] === 'face').toBe(true);
            expect(key !== null || !verified?.acr.includes('device')).toBe(true);
            if (way === null) continue;
            for (const assurance of [enrolled, verified])
              expect(assurance === null || assurance.acr.endsWith(`:${way}`)).toBe(true);
          }
        }
      }),
    );
  });

  it('say what was left out, and open no way that they could not say or the client does not accept', () => {
    const face = ['urn:likeness:face'];
    const required = (values: string[]) =>
      readRequirements(essential({ acr: { essential: true, values } }) satisfies { claims: string });
    const ways = [...face, `${face}:without_turns`, `${face}:without_smile`];
    expect(assuranceOf(readRequirements({}), faceWithout('without_turns'))?.acr).toBe(
      'urn:likeness:face:without_turns',
    );
    expect(wayPolicyOf(readRequirements({}), 'verify', 'off')).toBeUndefined();
    expect(
      wayPolicyOf(readRequirements({ acr_values: 'urn:likeness:face' }), 'verify', 'off'),
    ).toBeUndefined();
    expect(wayPolicyOf(required(face), 'verify', 'off')).toBe('none');
    expect(assuranceOf(required(face), faceWithout('without_smile'))).toBeNull();
    expect(wayPolicyOf(required(ways), 'verify', 'off')).toBeUndefined();
    expect(wayPolicyOf(required([...ways, `${face}:passive`]), 'verify', 'off')).toBe('passive');
    expect(
      wayPolicyOf(readRequirements({ profile: 'entra', acr_values: 'inherence' }), 'verify', 'off'),
    ).toBe('none');
  });
});
