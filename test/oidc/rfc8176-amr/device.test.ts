// The person's device beside their face: `amr` `hwk`, `swk` and `user` (RFC 8176), the `acr` of both, and what a client's
// setting and its requests require.
import { sql } from 'kysely';
import type * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  assuranceOf,
  bindingOf,
  canMeet,
  readRequirements,
  wayPolicyOf,
} from '../../../src/oidc/requirements.ts';
import { Phone } from '../../support/phone.ts';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

const FACE = 'urn:likeness:face';
const FACE_AND_DEVICE = 'urn:likeness:face_and_device';
const ENROLMENT = { acr: 'urn:likeness:enrolment', amr: [] };
const ONLY_A_FACE = { acr: FACE, amr: ['face'] };
const BOUND = { acr: FACE_AND_DEVICE, amr: ['face', 'hwk', 'user'] };

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

const essential = (claims: object) => ({ claims: JSON.stringify({ id_token: claims }) });
const requiring = (...values: string[]) => essential({ acr: { essential: true, values } });
const errorOf = (login: { url: string }) => new URL(login.url).searchParams.get('error');

type Options = Parameters<typeof logIn>[2];

/** A client, and logins at it that end with tokens or with an error. */
async function clientWith(settings: Parameters<OidcRig['addClient']>[0]) {
  const { id, secret } = await rig.addClient(settings);
  const rp: openid.Configuration = await rig.relyingParty(id, secret);
  return {
    claimsOf: async (options: Options) => (await tokensOf(rp, await logIn(rig, rp, options))).claims(),
    errorOf: async (options: Options) => errorOf(await logIn(rig, rp, options)),
  };
}

describe('a client that requires the device', () => {
  it('gets the kind of its key after each login, and both in one acr', async () => {
    const shop = await clientWith({ deviceBinding: 'require' });
    const phone = new Phone();
    const enrolled = await shop.claimsOf({ phone });
    expect(enrolled).toMatchObject(ENROLMENT);
    expect(await shop.claimsOf({ phone })).toMatchObject({ ...BOUND, sub: enrolled!.sub });
    // The client's own preference among what the check satisfies.
    const preferring = { params: { acr_values: `other ${FACE}` }, phone };
    expect(await shop.claimsOf(preferring)).toMatchObject({ ...BOUND, acr: FACE });
  });

  it('tells a key that may be synchronised', async () => {
    const shop = await clientWith({ deviceBinding: 'require' });
    const phone = new Phone({ backedUp: true });
    await shop.claimsOf({ phone });
    expect(await shop.claimsOf({ phone })).toMatchObject({ amr: ['face', 'swk', 'user'] });
    const params = essential({ amr: { essential: true, values: ['hwk'] } });
    expect(await shop.errorOf({ params, phone })).toBe('unmet_authentication_requirements');
  });

  it('neither enrols nor verifies anybody without it, whatever the face', async () => {
    const shop = await clientWith({ deviceBinding: 'require' });
    expect(await shop.errorOf({})).toBe('access_denied');
    const phone = new Phone();
    expect(await shop.claimsOf({ phone })).toMatchObject(ENROLMENT);
    for (const other of [null, new Phone()]) {
      expect(await shop.errorOf({ phone: other })).toBe('access_denied');
    }
    expect(await shop.errorOf({ phone, faces: ['other'] })).toBe('access_denied');
  });
});

describe('a client that offers it', () => {
  it('lets a person in without, and says so', async () => {
    const shop = await clientWith({ deviceBinding: 'offer' });
    const phone = new Phone();
    expect(await shop.claimsOf({ phone })).toMatchObject(ENROLMENT);
    expect(await shop.claimsOf({})).toMatchObject(ONLY_A_FACE);
    expect(await shop.claimsOf({ phone })).toMatchObject(BOUND);
  });

  it('takes a new phone as it enrols people: only under a name that it alone can have written', async () => {
    const shop = await clientWith({ deviceBinding: 'offer' });
    await shop.claimsOf({ phone: new Phone() });
    const phone = new Phone();
    for (let times = 0; times < 2; times++) {
      expect(await shop.claimsOf({ phone, par: false })).toMatchObject(ONLY_A_FACE);
    }
    expect(await shop.claimsOf({ phone })).toMatchObject(ONLY_A_FACE);
    expect(await shop.claimsOf({ phone })).toMatchObject(BOUND);
  });

  it('takes none in a login that requires the device', async () => {
    const shop = await clientWith({ deviceBinding: 'offer' });
    const phone = new Phone();
    await shop.claimsOf({ phone });
    const params = requiring(FACE_AND_DEVICE);
    const stolen = new Phone();
    expect(await shop.errorOf({ params, phone: stolen })).toBe('access_denied');
    expect(await shop.errorOf({ params, phone: stolen })).toBe('access_denied');
    expect(await shop.claimsOf({ params, phone })).toMatchObject(BOUND);
  });
});

describe('a request that requires it', () => {
  it('needs no setting: it enrols the person with their device and verifies both', async () => {
    const shop = await clientWith({});
    const phone = new Phone();
    const params = requiring(FACE_AND_DEVICE);
    expect(await shop.claimsOf({ params, phone, faces: ['same', 'same'] })).toMatchObject(BOUND);
    expect(await shop.claimsOf({ phone })).toMatchObject(ONLY_A_FACE);
    expect(await shop.errorOf({ params })).toBe('access_denied');
  });

  it('is not met by an earlier check of the face alone', async () => {
    const shop = await clientWith({ deviceBinding: 'offer', sessionSeconds: 600 });
    const phone = new Phone();
    const browser = rig.browser();
    await shop.claimsOf({ phone, browser });
    expect(await shop.claimsOf({ browser })).toMatchObject(ONLY_A_FACE);
    const silent = (params: object) => ({ browser, faces: [], params: { prompt: 'none', ...params } });
    expect(await shop.claimsOf(silent({}))).toMatchObject(ONLY_A_FACE);
    const requests = [
      requiring(FACE_AND_DEVICE),
      essential({ amr: { essential: true, values: ['hwk', 'swk'] } }),
    ];
    for (const params of requests) expect(await shop.errorOf(silent(params))).toBe('login_required');
    expect(await shop.claimsOf({ browser, phone, params: requests[0]! })).toMatchObject(BOUND);
    for (const params of requests) expect(await shop.claimsOf(silent(params))).toMatchObject(BOUND);
  });

  it('is what the client has come to require, also of sessions from before', async () => {
    const { id, secret } = await rig.addClient({ deviceBinding: 'offer', sessionSeconds: 600 });
    const rp = await rig.relyingParty(id, secret);
    const phone = new Phone();
    const browser = rig.browser();
    const claimsOf = async (options: Options) => (await tokensOf(rp, await logIn(rig, rp, options))).claims();
    const silent = { browser, faces: [], params: { prompt: 'none' } };
    await claimsOf({ phone, browser });
    expect(await claimsOf({ browser })).toMatchObject(ONLY_A_FACE);
    expect(await claimsOf(silent)).toMatchObject(ONLY_A_FACE);
    await sql`update oidc_client set settings = settings || '{"device_binding": "require"}' where id = ${id}`.execute(
      rig.db,
    );
    expect(errorOf(await logIn(rig, rp, silent))).toBe('login_required');
    expect(await claimsOf({ phone, browser })).toMatchObject(BOUND);
    expect(await claimsOf(silent)).toMatchObject(BOUND);
  });

  it.each([
    ['nothing', {}, 'offer'],
    ['it as a preference', { acr_values: FACE_AND_DEVICE }, 'offer'],
    ['either', requiring(FACE, FACE_AND_DEVICE), 'offer'],
    ['a face by its method', essential({ amr: { essential: true, values: ['face', 'hwk'] } }), 'offer'],
    ['what nobody can meet', requiring('urn:other'), 'offer'],
    ['an enrolment', requiring('urn:likeness:enrolment'), 'offer'],
    ['it', requiring(FACE_AND_DEVICE), 'require'],
    ['it or an enrolment', requiring(FACE_AND_DEVICE, 'urn:likeness:enrolment'), 'require'],
    ['it with something left out', requiring(`${FACE_AND_DEVICE}:passive`), 'require'],
    ['its method', essential({ amr: { essential: true, values: ['user'] } }), 'require'],
    ['it, of Entra', { ...requiring(FACE_AND_DEVICE), profile: 'entra' as const }, 'offer'],
  ])('is known by what it names: %s', (_name, request, binding) => {
    expect(bindingOf(readRequirements(request), 'offer')).toBe(binding);
  });

  it('is none of Entra’s: its token has one method, whatever the device signed', () => {
    const check = { kind: 'verify', way: null, key: 'hwk' } as const;
    const requirements = readRequirements({ acr_values: 'possessionorinherence', profile: 'entra' });
    expect(assuranceOf(requirements, check)).toEqual({ acr: 'possessionorinherence', amr: ['face'] });
  });

  it('leaves open to the person only what it names', () => {
    const of = (...values: string[]) =>
      wayPolicyOf(readRequirements(requiring(...values)), 'verify', 'require');
    expect(of(FACE_AND_DEVICE)).toBe('none');
    const ways = ['without_turns', 'without_smile', 'passive'].map((way) => `${FACE_AND_DEVICE}:${way}`);
    expect(of(FACE_AND_DEVICE, ...ways.slice(0, 2))).toBeUndefined();
    expect(of(FACE_AND_DEVICE, ...ways)).toBe('passive');
    // A way that needs the device is closed where the device may be missing.
    const offered = readRequirements(requiring(FACE, ...ways));
    expect(wayPolicyOf(offered, 'verify', 'offer')).toBe('none');
    expect(canMeet(readRequirements(requiring(...ways)), 'enrol')).toBe(false);
  });
});
