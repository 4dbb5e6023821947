// What the metadata does not name does not exist, and nothing in a request changes what the provider says of itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRigWithPerson, type Requests } from '../support/known-person.ts';
import type { OidcRig } from '../support/oidc-rig.ts';
import { basic, type Credentials } from '../support/requests.ts';

let rig: OidcRig;
let rp: Credentials;
let by: Requests;
beforeAll(async () => {
  ({ rig, rp, by } = await createRigWithPerson());
});
afterAll(() => rig?.close());

describe('the rest of the surface', () => {
  it.each([
    '/reg',
    '/token/revocation',
    '/token/introspection',
    '/session/end',
    '/device',
    '/backchannel',
  ])('has no %s', async (path) => {
    expect((await by.post(path, {})).status).toBe(404);
    expect((await rig.browser().fetch(`${rig.issuer}${path}`)).status).toBe(404);
  });

  it('describes itself as configured, whatever a request claims', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const answer = await rig.browser().fetch(`${rig.issuer}/.well-known/openid-configuration`, { headers });
    const text = await answer.text();
    expect(text).not.toContain('evil.example');
    expect(JSON.parse(text)).toMatchObject({ issuer: rig.issuer, token_endpoint: `${rig.issuer}/token` });
  });

  it('refuses bodies that are too long or of another type', async () => {
    const form = { client_id: rp.id, login_hint: 'x'.repeat(100_000) };
    expect((await by.post('/auth', form)).status).toBe(413);
    expect((await by.post('/request', form, basic(rp))).status).toBeGreaterThanOrEqual(400);
    const json = await rig
      .browser()
      .fetch(`${rig.issuer}/token`, { method: 'POST', json: { grant_type: 'x' } });
    expect(json.status).toBeGreaterThanOrEqual(400);
  });
});
