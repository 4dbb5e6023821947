// Pushed authorization requests (RFC 9126): the pushing client must authenticate, and nobody else can use what it
// pushed.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRigWithPerson, type Requests } from '../support/known-person.ts';
import { logIn } from '../support/log-in.ts';
import type { OidcRig } from '../support/oidc-rig.ts';
import { basic, type Case, type Credentials } from '../support/requests.ts';

let rig: OidcRig;
let rp: Credentials;
let other: Credentials;
let parOnly: Credentials;
let by: Requests;
beforeAll(async () => {
  ({ rig, rp, by } = await createRigWithPerson());
  other = await rig.addClient({ redirectUris: ['https://other.example/callback'] });
  parOnly = await rig.addClient({ requirePar: true });
  await logIn(rig, await rig.relyingParty(parOnly.id, parOnly.secret));
});
afterAll(() => rig?.close());

const FRONT: readonly Case[] = [
  ['a request_uri that nobody pushed', () => ({ request_uri: 'urn:ietf:params:oauth:request_uri:guess' })],
  ['no push, by a client that must push', () => ({ client_id: parOnly.id })],
];

describe('pushed requests', () => {
  it.each([
    ['without authentication', () => ({})],
    ['with a wrong secret', () => basic({ id: rp.id, secret: 'wrong' })],
    ['with the hash that is stored', () => basic({ id: rp.id, secret: storedHash() })],
    ['as another client', () => basic(other)],
  ])('%s', async (_name, headers) => {
    const answer = await by.post('/request', by.request({ client_id: rp.id }), headers());
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.text()).not.toContain('request_uri:');
  });
  const storedHash = () => createHash('sha256').update(rp.secret!).digest('base64url');

  it('belong to the client that pushed them', async () => {
    const pushed = (await (await by.post('/request', by.request(), basic(rp))).json()) as {
      request_uri: string;
    };
    const params = new URLSearchParams({ client_id: other.id, request_uri: pushed.request_uri });
    await by.expectRefusal(await by.authorize(params));
  });

  it('are used once, in whichever browser, and by one of two requests at a time', async () => {
    const push = async () => {
      const answer = await by.post('/request', by.request(), basic(rp));
      const { request_uri } = (await answer.json()) as { request_uri: string };
      return new URLSearchParams({ client_id: rp.id, request_uri });
    };
    const params = await push();
    expect((await by.authorize(params)).url).toContain('/c/');
    await by.expectRefusal(await by.authorize(params));
    const together = await push();
    const ends = await Promise.all([by.authorize(together), by.authorize(together)]);
    expect(ends.filter(({ url }) => url.includes('/c/'))).toHaveLength(1);
  });

  it.each(FRONT)('%s', async (_name, changes) => {
    await by.expectRefusal(await by.authorize(by.request(changes())));
  });
});
