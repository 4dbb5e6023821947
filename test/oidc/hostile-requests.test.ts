// Requests of somebody who wants to be logged in as another, to carry a code away, or to be enrolled under a name: each is
// refused. What they are refused with is the library's and the standards' business; that nothing comes of them is ours.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import type * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, tokensOf } from './log-in.ts';
import { type CookieBrowser, createOidcRig, type OidcRig, PERSON, REDIRECT_URI } from './oidc-rig.ts';

const VERIFIER = 'a'.repeat(64);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

let rig: OidcRig;
let rp: { id: string; secret: string | null };
let signer: { id: string; secret: string | null };
let other: { id: string; secret: string | null };
let parOnly: { id: string; secret: string | null };
let config: client.Configuration;

beforeAll(async () => {
  rig = await createOidcRig();
  rp = await rig.addClient({ name: 'relying party' });
  other = await rig.addClient({ name: 'other', redirectUris: ['https://other.example/callback'] });
  parOnly = await rig.addClient({ name: 'par only', requirePar: true });
  const key = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  signer = await rig.addClient({ name: 'signer', jwks: { keys: [key] } });
  config = await rig.relyingParty(rp.id, rp.secret);
  // Known to whom a front-channel request may name them: what is refused below is refused for what it is.
  await logIn(rig, config);
  await logIn(rig, await rig.relyingParty(parOnly.id, parOnly.secret));
});
afterAll(() => rig?.close());

type Params = Readonly<Record<string, string | undefined>>;

const request = (changes: Params = {}): URLSearchParams => {
  const all: Params = {
    ...{ client_id: rp.id, redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'openid' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 's', login_hint: PERSON },
    ...changes,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given);
};
const authorize = (params: URLSearchParams, browser: CookieBrowser = rig.browser()) =>
  browser.follow(`${rig.issuer}/auth?${params}`);
const basic = (of: { id: string; secret: string | null }) => ({
  authorization: `Basic ${Buffer.from(`${of.id}:${of.secret}`).toString('base64')}`,
});
const post = (path: string, form: Params | URLSearchParams, headers = {}) =>
  rig.browser().fetch(`${rig.issuer}${path}`, {
    ...{
      method: 'POST',
      form: form as Record<string, string>,
      headers: { accept: 'application/json', ...headers },
    },
  });

/** Nobody gets anywhere: an error here, or one told to the client at the address that it registered. */
async function expectRefusal({ url, answer }: { url: string; answer: Response }): Promise<void> {
  const { origin, pathname, searchParams, hash } = new URL(url);
  expect(url).not.toContain('/c/');
  for (const given of [searchParams, new URLSearchParams(hash.slice(1))]) {
    expect([given.get('code'), given.get('id_token'), given.get('access_token')]).toEqual([null, null, null]);
  }
  if (origin === new URL(rig.baseUrl).origin) expect(answer.status).toBeGreaterThanOrEqual(400);
  else {
    expect(`${origin}${pathname}`).toBe(REDIRECT_URI);
    expect(searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')).toBeTruthy();
  }
}

const FRONT: readonly (readonly [string, () => Params])[] = [
  ['a redirect to another host', () => ({ redirect_uri: 'https://evil.example/callback' })],
  ['a redirect below the registered path', () => ({ redirect_uri: `${REDIRECT_URI}/evil` })],
  ['a redirect with a query', () => ({ redirect_uri: `${REDIRECT_URI}?next=//evil.example` })],
  ['a redirect with a fragment', () => ({ redirect_uri: `${REDIRECT_URI}#x` })],
  ['a redirect by http', () => ({ redirect_uri: REDIRECT_URI.replace('https', 'http') })],
  ['a redirect with a slash more', () => ({ redirect_uri: `${REDIRECT_URI}/` })],
  ['a redirect with a user name', () => ({ redirect_uri: 'https://rp.example@evil.example/callback' })],
  ['a redirect to a subdomain', () => ({ redirect_uri: 'https://evil.rp.example/callback' })],
  ['a redirect that climbs', () => ({ redirect_uri: 'https://rp.example/x/../callback' })],
  ['a redirect with a backslash', () => ({ redirect_uri: 'https://rp.example\\@evil.example/callback' })],
  ['a redirect in other letters', () => ({ redirect_uri: 'https://rp.example/Callback' })],
  ['a redirect to a script', () => ({ redirect_uri: 'javascript:alert(1)' })],
  ["another client's redirect", () => ({ redirect_uri: 'https://other.example/callback' })],
  ['no redirect', () => ({ redirect_uri: undefined })],
  ['no PKCE', () => ({ code_challenge: undefined, code_challenge_method: undefined })],
  ['PKCE in clear', () => ({ code_challenge: VERIFIER, code_challenge_method: 'plain' })],
  ['PKCE without a method', () => ({ code_challenge_method: undefined })],
  ['a short PKCE challenge', () => ({ code_challenge: 'abc' })],
  ['a PKCE challenge of other letters', () => ({ code_challenge: '!'.repeat(43) })],
  ['an implicit access token', () => ({ response_type: 'token', nonce: 'n' })],
  ['an implicit ID token of a client of codes', () => ({ response_type: 'id_token', nonce: 'n' })],
  ['a hybrid response', () => ({ response_type: 'code id_token', nonce: 'n' })],
  ['a response of nothing', () => ({ response_type: 'none' })],
  ['a response by window message', () => ({ response_mode: 'web_message' })],
  ['an unknown client', () => ({ client_id: 'oc_00000000000000000000000000' })],
  ['a client id that is no text of ours', () => ({ client_id: "' or 1=1 --" })],
  ['no client', () => ({ client_id: undefined })],
  ['nobody named', () => ({ login_hint: undefined })],
  ['an empty name', () => ({ login_hint: '' })],
  ['a name without end', () => ({ login_hint: 'x'.repeat(600) })],
  ['an unauthenticated name that nobody knows', () => ({ login_hint: 'victim@example.com' })],
  ['a check without a person', () => ({ prompt: 'none' })],
  ['prompts that exclude each other', () => ({ prompt: 'none login' })],
  ['a prompt that is none', () => ({ prompt: 'skip' })],
  ['a negative age', () => ({ max_age: '-1' })],
  ['an age that is none', () => ({ max_age: 'soon' })],
  ['claims that are no JSON', () => ({ claims: '{' })],
  ['claims that are a list', () => ({ claims: '[]' })],
  [
    'an essential acr of another shape',
    () => ({ claims: JSON.stringify({ id_token: { acr: { essential: true, values: 'x' } } }) }),
  ],
  ['a request by address', () => ({ request_uri: 'https://evil.example/request.jwt' })],
  ['a pushed request that nobody pushed', () => ({ request_uri: 'urn:ietf:params:oauth:request_uri:guess' })],
  ['an ID token of ours, unsigned', () => ({ id_token_hint: unsigned(), login_hint: undefined })],
  ['an ID token of ours, signed by another', () => ({ id_token_hint: forged, login_hint: undefined })],
  [
    'an ID token of an issuer that the client has not',
    () => ({ issuer_hint: forged, login_hint: undefined }),
  ],
  ['no push, of a client that pushes', () => ({ client_id: parOnly.id })],
];

const unsigned = () =>
  new UnsecuredJWT({})
    .setIssuer(rig.issuer)
    .setAudience(rp.id)
    .setSubject('x')
    .setExpirationTime('1h')
    .encode();
let forged = '';

describe('authorization requests', () => {
  beforeAll(async () => {
    forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .setIssuer(rig.issuer)
      .setAudience(rp.id)
      .setSubject('x')
      .setExpirationTime('1h')
      .sign(foreign.privateKey);
  });
  it('lead a person whom the client knows to the camera', async () => {
    expect((await authorize(request())).url).toContain('/c/');
  });
  it.each(FRONT)('%s', async (_name, changes) => {
    await expectRefusal(await authorize(request(changes())));
  });
  it.each([
    'redirect_uri',
    'client_id',
    'login_hint',
    'state',
    'code_challenge',
  ])('%s twice', async (name) => {
    const params = request();
    params.append(name, name === 'redirect_uri' ? 'https://evil.example/' : 'another');
    await expectRefusal(await authorize(params));
  });
});

describe('request objects', () => {
  const claims = (changes: Params = {}) => ({
    ...Object.fromEntries(request({ client_id: signer.id, login_hint: 'victim@example.com' })),
    ...changes,
  });
  const sign = (key = own.privateKey, header = {}, changes: Params = {}, times = ['-10s', '5m']) =>
    new SignJWT(claims(changes))
      .setProtectedHeader({ alg: 'RS256', kid: 'own', ...header })
      .setIssuer(changes.iss ?? signer.id)
      .setAudience(changes.aud ?? rig.issuer)
      .setIssuedAt()
      .setNotBefore(times[0]!)
      .setExpirationTime(times[1]!)
      .sign(key);
  const ask = async (jwt: string, changes: Params = {}) =>
    authorize(
      new URLSearchParams({ client_id: signer.id, request: jwt, ...(changes as Record<string, string>) }),
    );

  it('is believed where the client signed it: it may name a person for the first time', async () => {
    expect((await ask(await sign())).url).toContain('/c/');
  });

  const CASES: readonly (readonly [string, () => Promise<{ url: string; answer: Response }>])[] = [
    [
      'unsigned',
      async () => ask(new UnsecuredJWT(claims()).setIssuer(signer.id).setAudience(rig.issuer).encode()),
    ],
    ['signed by a foreign key', async () => ask(await sign(foreign.privateKey))],
    [
      'signed by a key that it brings along',
      async () => {
        const jwk = await exportJWK(foreign.publicKey);
        return ask(await sign(foreign.privateKey, { kid: undefined, jwk }));
      },
    ],
    [
      'signed with the client secret',
      async () => {
        const key = new TextEncoder().encode(signer.secret!);
        const jwt = await new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(signer.id)
          .setAudience(rig.issuer)
          .setExpirationTime('5m')
          .sign(key);
        return ask(jwt);
      },
    ],
    ['of another issuer', async () => ask(await sign(own.privateKey, {}, { iss: other.id }))],
    [
      'for another provider',
      async () => ask(await sign(own.privateKey, {}, { aud: 'https://other.example' })),
    ],
    ['past its time', async () => ask(await sign(own.privateKey, {}, {}, ['-2h', '-1h']))],
    ['of another client inside', async () => ask(await sign(own.privateKey, {}, { client_id: rp.id }))],
    [
      'with a foreign redirect',
      async () => ask(await sign(own.privateKey, {}, { redirect_uri: 'https://evil.example/' })),
    ],
    ['with another inside', async () => ask(await sign(own.privateKey, {}, { request: 'x.y.z' }))],
    ['without PKCE', async () => ask(await sign(own.privateKey, {}, { code_challenge: undefined }))],
    [
      'beside a pushed one',
      async () => ask(await sign(), { request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
    ],
    ['cut off', async () => ask((await sign()).slice(0, -10))],
  ];
  it.each(CASES)('%s', async (_name, run) => {
    await expectRefusal(await run());
  });

  it('counts alone: what stands beside it names nobody', async () => {
    const unnamed = await sign(own.privateKey, {}, { login_hint: undefined });
    await expectRefusal(await ask(unnamed, { login_hint: 'victim@example.com' }));
  });
});

describe('pushed requests', () => {
  it.each([
    ['without authentication', () => ({})],
    ['with a wrong secret', () => basic({ id: rp.id, secret: 'wrong' })],
    ['with the hash that is stored', () => basic({ id: rp.id, secret: storedHash() })],
    ['as another client', () => basic(other)],
  ])('%s', async (_name, headers) => {
    const answer = await post('/request', request({ client_id: rp.id }), headers());
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.text()).not.toContain('request_uri:');
  });
  const storedHash = () => createHash('sha256').update(rp.secret!).digest('base64url');

  it('belong to the client that pushed them', async () => {
    const pushed = (await (await post('/request', request(), basic(rp))).json()) as { request_uri: string };
    const params = new URLSearchParams({ client_id: other.id, request_uri: pushed.request_uri });
    await expectRefusal(await authorize(params));
  });
});

describe('a login', () => {
  it('goes on in the browser in which it began, and nowhere else', async () => {
    const victim = await logIn(rig, config, { params: { login_hint: 'grace' }, faces: [] });
    const stranger = rig.browser();
    const without = await stranger.follow(victim.interaction);
    expect(without.answer.status).toBe(404);
    const attacker = await logIn(rig, config, { params: { login_hint: 'mallory' }, faces: [] });
    expect((await attacker.browser.follow(victim.interaction)).answer.status).toBe(404);
    // Every cookie of the stranger's own login, put where the victim's are.
    const path = new URL(victim.interaction).pathname;
    for (const [key, cookie] of [...attacker.browser.cookies]) {
      const [name] = key.split(' ');
      if (name!.startsWith('likeness_login'))
        attacker.browser.cookies.set(`${name} ${path}`, { ...cookie, path });
    }
    expect((await attacker.browser.follow(victim.interaction)).answer.status).toBe(404);
    const forgedCookies = rig.browser();
    const uid = path.split('/').at(-1)!;
    forgedCookies.cookies.set(`likeness_login ${path}`, { value: uid, path });
    expect((await forgedCookies.follow(victim.interaction)).answer.status).toBe(404);
  });

  it('gives its challenge to no other browser: a link that is sent on starts nothing', async () => {
    const attacker = await logIn(rig, config, { params: { login_hint: 'joan' }, faces: [] });
    const victim = rig.browser();
    const started = await victim.fetch(`${attacker.url}/start`, { method: 'POST', json: {} });
    expect(started.status).toBe(409);
    expect(await started.json()).toMatchObject({ conflict: 'other_device' });
    const second = await logIn(rig, config, { params: { login_hint: 'joan' }, faces: [] });
    const path = new URL(attacker.url).pathname;
    const [cookie] = [...second.browser.cookies].filter(([key]) => key.startsWith('likeness_challenge'));
    victim.cookies.set(`likeness_challenge ${path}`, { ...cookie![1], path });
    expect((await victim.fetch(`${attacker.url}/start`, { method: 'POST', json: {} })).status).toBe(409);
    expect((await attacker.browser.fetch(`${attacker.url}/start`, { method: 'POST', json: {} })).status).toBe(
      200,
    );
  });

  it('is none before the check is done, whatever the browser asks for', async () => {
    const { browser, url, interaction } = await logIn(rig, config, {
      params: { login_hint: 'edsger' },
      faces: [],
    });
    const uid = interaction.split('/').at(-1)!;
    const resumed = await browser.follow(`${rig.issuer}/auth/${uid}`);
    expect(new URL(resumed.url).searchParams.get('code')).toBeNull();
    // Begun anew, by another challenge: nothing of the first counts.
    expect(resumed.url).toContain('/c/');
    expect(resumed.url).not.toBe(url);
    expect((await browser.follow(interaction)).answer.status).toBe(404);
    for (const path of ['login', 'abort', 'done', 'confirm']) {
      const posted = await browser.fetch(`${interaction}/${path}`, {
        method: 'POST',
        form: { login: PERSON },
      });
      expect(posted.status).toBeGreaterThanOrEqual(400);
    }
    const asPost = await browser.fetch(interaction, {
      method: 'POST',
      form: { accountId: 'x', result: 'pass' },
    });
    expect(asPost.status).toBeGreaterThanOrEqual(400);
  });

  it('enrols nobody under a name that somebody has: two at once end with one person', async () => {
    const params = { login_hint: 'ada and eve' };
    const [first, second] = [
      await logIn(rig, config, { params, faces: [] }),
      await logIn(rig, config, { params, faces: [] }),
    ];
    await rig.capture(first.browser, first.url);
    await rig.capture(second.browser, second.url);
    const done = await first.browser.follow(first.interaction);
    expect(new URL(done.url).searchParams.get('code')).toBeTruthy();
    // The second has to match the face of the first.
    const next = await second.browser.follow(second.interaction);
    expect(next.url).toContain('/c/');
    expect(next.url).not.toBe(second.url);
    await rig.capture(second.browser, next.url, 'other');
    const end = await second.browser.follow(second.interaction);
    expect(new URL(end.url).searchParams.get('error')).toBe('access_denied');
  });
});

describe('the token endpoint', () => {
  const grant = (code: string, changes: Params = {}) => ({
    ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER },
    ...changes,
  });
  const codeOf = async (hint: string) => {
    const login = await logIn(rig, config, {
      params: { login_hint: hint, code_challenge: CHALLENGE },
    });
    return new URL(login.url).searchParams.get('code')!;
  };
  const refusedForm = async (form: Params, headers: object = basic(rp)) => {
    const given = Object.fromEntries(Object.entries(form).filter((entry) => entry[1] !== undefined));
    const answer = await post('/token', given, headers);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.text()).not.toContain('id_token');
  };

  it('gives nothing for a code that is not the asker’s, or not asked for as it should be; then it gives it once', async () => {
    const code = await codeOf('token endpoint');
    await refusedForm(grant(code, { code_verifier: 'b'.repeat(64) }));
    await refusedForm(grant(code, { code_verifier: undefined }));
    await refusedForm(grant(code, { redirect_uri: 'https://evil.example/callback' }));
    await refusedForm(grant(code, { redirect_uri: undefined }));
    await refusedForm(grant(code), basic(other));
    await refusedForm(grant(code), basic({ id: rp.id, secret: 'wrong' }));
    await refusedForm(grant(code), basic({ id: rp.id, secret: '' }));
    await refusedForm(grant(code, { client_id: rp.id }), {});
    await refusedForm(grant(code.slice(0, -1)));
    const answers = await Promise.all([
      post('/token', grant(code), basic(rp)),
      post('/token', grant(code), basic(rp)),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeLessThanOrEqual(
      1,
    );
    await refusedForm(grant(code));
  });

  it('takes the tokens of a code back that comes a second time', async () => {
    const code = await codeOf('a code twice');
    const first = (await (await post('/token', grant(code), basic(rp))).json()) as { access_token: string };
    const me = () =>
      rig.browser().fetch(`${rig.issuer}/me`, { headers: { authorization: `Bearer ${first.access_token}` } });
    expect((await me()).status).toBe(200);
    await refusedForm(grant(code));
    expect((await me()).status).toBe(401);
  });

  it.each([
    ['refresh_token', { refresh_token: 'x' }],
    ['client_credentials', { scope: 'openid' }],
    ['password', { username: PERSON, password: 'x' }],
    ['urn:ietf:params:oauth:grant-type:device_code', { device_code: 'x' }],
    ['urn:ietf:params:oauth:grant-type:token-exchange', { subject_token: 'x' }],
  ])('has no grant %s', async (grant_type, more) => {
    await refusedForm({ grant_type, ...more } as Params);
  });

  it('takes no assertion of an unsigned client', async () => {
    const assertion = new UnsecuredJWT({ jti: 'x' })
      .setIssuer(signer.id)
      .setSubject(signer.id)
      .setAudience(rig.issuer)
      .setExpirationTime('1m')
      .encode();
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    await refusedForm(grant('x', { client_assertion: assertion, client_assertion_type }), {});
  });
});

describe('the rest of the surface', () => {
  it.each([
    '/reg',
    '/token/revocation',
    '/token/introspection',
    '/session/end',
    '/device',
    '/backchannel',
  ])('has no %s', async (path) => {
    expect((await post(path, {})).status).toBe(404);
    expect((await rig.browser().fetch(`${rig.issuer}${path}`)).status).toBe(404);
  });

  it('says of itself what the operator says, whatever a request says of it', async () => {
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

  it('reads no body without end, and none of another kind', async () => {
    const form = { client_id: rp.id, login_hint: 'x'.repeat(100_000) };
    expect((await post('/auth', form)).status).toBe(413);
    expect((await post('/request', form, basic(rp))).status).toBeGreaterThanOrEqual(400);
    const json = await rig
      .browser()
      .fetch(`${rig.issuer}/token`, { method: 'POST', json: { grant_type: 'x' } });
    expect(json.status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    '',
    'Bearer',
    'Bearer x',
    'Basic eDp4',
  ])('shows nobody to a caller with "%s"', async (authorization) => {
    const answer = await rig.browser().fetch(`${rig.issuer}/me`, { headers: { authorization } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('takes an access token from the header alone', async () => {
    const tokens = await tokensOf(config, await logIn(rig, config, { params: { login_hint: 'header' } }));
    const answer = await rig.browser().fetch(`${rig.issuer}/me?access_token=${tokens.access_token}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});
