// Signing in to the console by OpenID Connect, with a real provider: who gets which role, what the audit log says of them,
// and everything that must not sign anybody in.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CSRF_HEADER, OPENID_SIGN_IN } from '../../src/contract/console.ts';
import { type OpenidProvider, startOpenidProvider } from '../support/openid-provider.ts';
import { everyByteFlippedIn, everyByteFlippedInParts } from '../support/tamper.ts';
import { type Browser, CONSOLE_URL, configurationOf, createBrowser, settingsFor } from './console-people.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from './http-rig.ts';

const HOME = `${CONSOLE_URL}/console`;
const ANA = { sub: 'ana-1', name: 'Ana Sousa', groups: ['staff', 'auditors', 'platform'] };

let rig: HttpRig;
let provider: OpenidProvider;
let address = 0;
/** Each has an address of its own, so that no limit on sign-ins counts them together. */
const browserOf = (app = rig.app) => createBrowser(app, `10.1.${++address >> 8}.${address & 255}`);
const statusOf = async (browser: Browser) => (await browser.ask('GET', '/session')).statusCode;

beforeAll(async () => {
  [rig, provider] = await Promise.all([createHttpRig({ console: true }), startOpenidProvider()]);
  await configurationOf(rig).set(settingsFor(provider), 'a secret', 'operator');
});
beforeEach(() => {
  provider.person = ANA;
});
afterEach(() => provider.reset());
afterAll(async () => {
  await rig?.close();
  await provider?.close();
});

describe('a person who signs in', () => {
  it('is offered it beside the password, and sent with PKCE, state and nonce', async () => {
    const browser = browserOf();
    expect((await browser.ask('GET', '/sign-in')).json()).toEqual({
      password: true,
      needs_code: false,
      openid: { name: 'Company SSO', roles_claim: 'groups' },
    });
    const sent = await browser.inject('GET', OPENID_SIGN_IN);
    expect([sent.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(
        /^likeness-console-sign-in=[\w-]{100,}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const { origin, searchParams } = new URL(sent.headers.location as string);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'likeness-console',
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: `${CONSOLE_URL}${OPENID_SIGN_IN}/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const again = new URL(await browser.begin()).searchParams;
    for (const once of ['state', 'nonce', 'code_challenge'])
      expect(again.get(once)).not.toBe(searchParams.get(once));
  });

  it.each([
    ['auditors', 'viewer'],
    [['support-leads', 'auditors'], 'operator'],
    [['auditors', 'platform', 'support-leads'], 'administrator'],
  ])('has the highest role that the claim gives: %j is %s', async (groups, role) => {
    provider.person = { ...ANA, groups };
    const browser = browserOf();
    expect(await browser.signIn(provider)).toBe(HOME);
    expect((await browser.ask('GET', '/session')).json().person).toEqual({ name: 'Ana Sousa', role });
    expect([...browser.cookies.keys()]).toEqual(['likeness-console']);
  });

  it.each([
    [{ name: undefined, preferred_username: 'ana@company' }, 'ana@company'],
    [{ name: ' \u202e\n ', email: 'ana@mail' }, 'ana@mail'],
    [{ name: undefined }, 'ana-1'],
    [{ name: `Ana\u0000${'ç'.repeat(300)}` }, `Ana${'ç'.repeat(117)}`],
  ])('is called what the provider says: %j', async (claims, name) => {
    provider.person = { ...ANA, ...claims };
    const browser = browserOf();
    await browser.signIn(provider);
    expect((await browser.ask('GET', '/session')).json().person.name).toBe(name);
  });

  it('is named in the audit log, also once the session is gone', async () => {
    const browser = browserOf();
    await browser.signIn(provider);
    await browser.ask('GET', '/retention');
    await browser.ask('POST', '/logout');
    expect(await statusOf(browser)).toBe(401);
    const reader = browserOf();
    await reader.signIn(provider);
    const { data } = (await reader.ask('GET', '/audit')).json();
    const { actor } = data.find((line: { action: string }) => line.action === 'console.logout');
    const own = data.filter((line: { actor: string }) => line.actor === actor);
    expect(own.map((line: { action: string }) => line.action)).toEqual([
      'console.logout',
      'retention.viewed',
      'console.login',
    ]);
    for (const line of own) expect(line.actor_name).toBe('Ana Sousa');
    const detail = { way: 'openid', name: 'Ana Sousa', subject: 'ana-1', role: 'administrator' };
    expect(own.at(-1).detail).toEqual(detail);
    const set = data.find((line: { action: string }) => line.action === 'console.openid_set');
    expect(set).toMatchObject({ actor: 'operator', actor_name: null });
    expect(JSON.stringify(set)).not.toContain('a secret');
  });

  it('changes nothing without the page’s token', async () => {
    const browser = browserOf();
    await browser.signIn(provider);
    const forged = await browser.inject('POST', '/console/api/logout-everywhere', { [CSRF_HEADER]: 'x' });
    expect(forged.statusCode).toBe(403);
    expect(await statusOf(browser)).toBe(200);
  });
});

describe('nobody is signed in', () => {
  const refusedAs = async (why: string, browser: Browser, to: URL) => {
    expect(await browser.comeBack(to)).toBe(`${HOME}?sign_in=${why}`);
    expect(await statusOf(browser)).toBe(401);
    expect(browser.cookies.size).toBe(0);
  };
  const returnTo = async (browser: Browser) => provider.visit(await browser.begin());

  it('without the state, with another one, or with a sign-in of another browser', async () => {
    for (const change of [
      (to: URL) => to.searchParams.delete('state'),
      (to: URL) => to.searchParams.set('state', 'x'.repeat(43)),
      (to: URL) => to.searchParams.append('state', 'x'),
    ]) {
      const browser = browserOf();
      const to = await returnTo(browser);
      change(to);
      await refusedAs('invalid', browser, to);
    }
    const [victim, attacker] = [browserOf(), browserOf()];
    const ofAttacker = await returnTo(attacker);
    await refusedAs('expired', browserOf(), ofAttacker);
    await victim.begin();
    await refusedAs('invalid', victim, ofAttacker);
  });

  it('by an answer that was used before, with or without the ticket that went with it', async () => {
    const browser = browserOf();
    const to = await returnTo(browser);
    const ticket = [...browser.cookies];
    expect(await browser.comeBack(to)).toBe(HOME);
    browser.cookies.clear();
    await refusedAs('expired', browser, to);
    const thief = browserOf();
    for (const [name, value] of ticket) thief.cookies.set(name, value);
    const end = await thief.comeBack(to);
    expect(end).toMatch(/sign_in=(invalid|unavailable)$/);
    expect(await statusOf(thief)).toBe(401);
  });

  it('with a ticket that is altered, too old, or from earlier settings', async () => {
    const browser = browserOf();
    const to = await returnTo(browser);
    const [[name, ticket]] = [...browser.cookies] as [[string, string]];
    // Each from an address of its own: one address may not sign in as often.
    for (const altered of everyByteFlippedIn(ticket)) {
      const own = browserOf();
      own.cookies.set(name, altered);
      await refusedAs('expired', own, to);
    }
    const slow = browserOf();
    const late = await returnTo(slow);
    rig.skewClock(601_000);
    await refusedAs('expired', slow, late);
    rig.skewClock(0);
    const early = browserOf();
    const before = await returnTo(early);
    await configurationOf(rig).set(settingsFor(provider), 'a secret', 'operator');
    await refusedAs('expired', early, before);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another-client' }],
    ['several audiences without a party', { aud: ['likeness-console', 'another'] }],
    ['an end in the past', { exp: Math.floor(Date.now() / 1000) - 600 }],
    ['no subject', { sub: undefined }],
  ])('by an ID token with %s', async (_, claims) => {
    provider.person = { ...ANA, ...claims };
    const browser = browserOf();
    await refusedAs('invalid', browser, await returnTo(browser));
  });

  it.each<[string, (idToken: string) => string | undefined]>([
    ['without a signature', (token) => `${withHeader(token, { alg: 'none' })}.`],
    ['signed with the client’s secret', (token) => `${withHeader(token, { alg: 'HS256' })}.AAAA`],
    ['changed after it was signed', (token) => withPayload(token, { groups: ['platform'], sub: 'eve' })],
    ['that is missing', () => undefined],
  ])('by an ID token %s', async (_, change) => {
    provider.alterAnswer = ({ body }) => {
      const answer = body as { id_token?: string | undefined };
      answer.id_token = change(answer.id_token!);
    };
    const browser = browserOf();
    await refusedAs('invalid', browser, await returnTo(browser));
  });

  it('by an ID token with any byte flipped', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async (at) => {
        provider.alterAnswer = ({ body }) => {
          const answer = body as { id_token: string };
          const altered = everyByteFlippedInParts(answer.id_token);
          answer.id_token = altered[at % altered.length]!;
        };
        const browser = browserOf();
        await refusedAs('invalid', browser, await returnTo(browser));
      }),
      { numRuns: 40 },
    ));

  it('whom the provider refuses', async () => {
    provider.alterRedirect = ({ url }) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    };
    const browser = browserOf();
    await refusedAs('refused', browser, await returnTo(browser));
  });

  it('who has no role; who loses it also loses their sessions', async () => {
    const browser = browserOf();
    await browser.signIn(provider);
    for (const groups of [[], 'none', ['Platform'], null, { platform: true }, [['platform', 1]], 7]) {
      provider.person = { ...ANA, sub: 'ben-1', name: 'Ben', groups };
      const ben = browserOf();
      await refusedAs('no_role', ben, await returnTo(ben));
    }
    expect(await statusOf(browser)).toBe(200);
    const [, line] = (await browser.ask('GET', '/audit')).json().data;
    expect(line).toMatchObject({
      actor: 'operator',
      action: 'console.login_refused',
      detail: { way: 'openid', reason: 'no_role', subject: 'ben-1', name: 'Ben' },
    });
    provider.person = { ...ANA, groups: ['auditors'] };
    const second = browserOf();
    expect(await second.signIn(provider)).toBe(HOME);
    // Her earlier session was an administrator's.
    expect(await statusOf(browser)).toBe(401);
    provider.person = { ...ANA, groups: [] };
    const third = browserOf();
    await refusedAs('no_role', third, await returnTo(third));
    expect(await statusOf(second)).toBe(401);
  });

  it('and nobody is sent anywhere but to the console', async () => {
    const browser = browserOf();
    const evil = 'redirect_uri=https://evil.example&return_to=//evil.example&iss=https://evil.example';
    const sent = await browser.inject('GET', `${OPENID_SIGN_IN}?${evil}`, { host: 'evil.example' });
    const address = new URL(sent.headers.location as string);
    expect(address.origin).toBe(provider.issuer);
    expect(address.searchParams.get('redirect_uri')).toBe(`${CONSOLE_URL}${OPENID_SIGN_IN}/callback`);
    const to = await provider.visit(address.href);
    const back = await browser.inject('GET', `${to.pathname}${to.search}&return_to=//evil.example`, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    });
    expect(back.headers.location).toBe(HOME);
  });

  it('under a session that somebody else prepared', async () => {
    const browser = browserOf();
    const planted = 'A'.repeat(64);
    browser.cookies.set('likeness-console', planted);
    await browser.signIn(provider);
    expect(browser.cookies.get('likeness-console')).not.toBe(planted);
    const attacker = browserOf();
    attacker.cookies.set('likeness-console', planted);
    expect(await statusOf(attacker)).toBe(401);
  });

  it('more often than 30 times in ten minutes from one address', async () => {
    const browser = browserOf();
    for (let time = 0; time < 30; time++) await browser.inject('GET', `${OPENID_SIGN_IN}/callback`);
    expect((await browser.inject('GET', `${OPENID_SIGN_IN}/callback`)).statusCode).toBe(429);
  });
});

describe('the settings', () => {
  it('end the sessions opened under them when they change or go, and no others', async () => {
    const withPassword = browserOf();
    const login = { password: OPERATOR_PASSWORD };
    await withPassword.ask('POST', '/login', login);
    for (const change of [
      () => configurationOf(rig).set(settingsFor(provider), 'another secret', 'operator'),
      () => configurationOf(rig).remove('operator'),
    ]) {
      const browser = browserOf();
      expect(await browser.signIn(provider)).toBe(HOME);
      await change();
      expect(await statusOf(browser)).toBe(401);
      expect(await statusOf(withPassword)).toBe(200);
    }
    expect((await withPassword.ask('GET', '/sign-in')).json().openid).toBeNull();
    expect((await withPassword.inject('GET', OPENID_SIGN_IN)).statusCode).toBe(404);
    expect((await withPassword.inject('GET', `${OPENID_SIGN_IN}/callback`)).statusCode).toBe(404);
    await configurationOf(rig).set(settingsFor(provider), 'a secret', 'operator');
  });

  it('are enough for a console without a password', async () => {
    const app = await rig.restart('', null);
    const browser = browserOf(app);
    expect((await browser.ask('GET', '/sign-in')).json()).toMatchObject({
      password: false,
      needs_code: false,
    });
    expect((await browser.ask('POST', '/login', { password: OPERATOR_PASSWORD })).statusCode).toBe(404);
    expect(await browser.signIn(provider)).toBe(HOME);
    expect(await statusOf(browser)).toBe(200);
  });

  it('keep the client secret sealed', async () => {
    const stored = await rig.db.selectFrom('console_openid').selectAll().executeTakeFirstOrThrow();
    expect(Buffer.from(JSON.stringify(stored)).includes('a secret')).toBe(false);
    expect(stored.sealed_client_secret.includes('a secret')).toBe(false);
    expect(await configurationOf(rig).clientSecret(stored.id)).toBe('a secret');
  });
});

it('a provider that does not answer is said to, and the password still works', async () => {
  const away = await startOpenidProvider();
  const browser = browserOf();
  await configurationOf(rig).set(settingsFor(away), 'a secret', 'operator');
  const to = await away.visit(await browser.begin());
  await away.close();
  expect(await browser.comeBack(to)).toBe(`${HOME}?sign_in=unavailable`);
  await configurationOf(rig).set(settingsFor(away), 'a secret', 'operator');
  expect((await browser.inject('GET', OPENID_SIGN_IN)).headers.location).toBe(`${HOME}?sign_in=unavailable`);
  expect((await browser.ask('POST', '/login', { password: OPERATOR_PASSWORD })).statusCode).toBe(200);
  expect((await browser.ask('GET', '/session')).json().person).toEqual({ name: null, role: 'administrator' });
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

function withHeader(token: string, change: object): string {
  const [header, payload] = token.split('.') as [string, string];
  return `${encode({ ...decode(header), ...change })}.${payload}`;
}

function withPayload(token: string, change: object): string {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  return `${header}.${encode({ ...decode(payload), ...change })}.${signature}`;
}
