// Redirect URIs are compared exactly (RFC 9700 section 4.1): a code is sent only to a registered address.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createRigWithPerson, type Requests } from '../support/known-person.ts';
import { type OidcRig, REDIRECT_URI } from '../support/oidc-rig.ts';
import type { Case } from '../support/requests.ts';

let rig: OidcRig;
let by: Requests;
beforeAll(async () => {
  ({ rig, by } = await createRigWithPerson());
  await rig.addClient({ redirectUris: ['https://other.example/callback'] });
});
afterAll(() => rig?.close());

const CASES: readonly Case[] = [
  ['a redirect to another host', () => ({ redirect_uri: 'https://evil.example/callback' })],
  ['a redirect below the registered path', () => ({ redirect_uri: `${REDIRECT_URI}/evil` })],
  ['a redirect with a query', () => ({ redirect_uri: `${REDIRECT_URI}?next=//evil.example` })],
  ['a redirect with a fragment', () => ({ redirect_uri: `${REDIRECT_URI}#x` })],
  ['a redirect by http', () => ({ redirect_uri: REDIRECT_URI.replace('https', 'http') })],
  ['a redirect with a trailing slash', () => ({ redirect_uri: `${REDIRECT_URI}/` })],
  ['a redirect with a user name', () => ({ redirect_uri: 'https://rp.example@evil.example/callback' })],
  ['a redirect to a subdomain', () => ({ redirect_uri: 'https://evil.rp.example/callback' })],
  ['a redirect with ../ in its path', () => ({ redirect_uri: 'https://rp.example/x/../callback' })],
  ['a redirect with a backslash', () => ({ redirect_uri: 'https://rp.example\\@evil.example/callback' })],
  ['a redirect in another case', () => ({ redirect_uri: 'https://rp.example/Callback' })],
  ['a redirect to a script', () => ({ redirect_uri: 'javascript:alert(1)' })],
  ["another client's redirect", () => ({ redirect_uri: 'https://other.example/callback' })],
  ['no redirect', () => ({ redirect_uri: undefined })],
];

describe('redirect URIs', () => {
  it.each(CASES)('%s', async (_name, changes) => {
    await by.expectRefusal(await by.authorize(by.request(changes())));
  });
});
