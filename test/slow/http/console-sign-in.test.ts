import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newTotpSecret } from '../../../src/console/totp.ts';
import { CSRF_HEADER, REFRESH_HEADER } from '../../../src/contract/console.ts';
import type { App } from '../../../src/http/app-type.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from '../../http/http-rig.ts';

interface Given {
  password: string;
  code?: string;
}

/** A browser with its cookies. */
function createBrowser(app: App, remoteAddress = '10.0.0.1') {
  const cookies = new Map<string, string>();
  let csrf = '';
  const keep = (headers: Record<string, unknown>) => {
    for (const line of [headers['set-cookie'] ?? []].flat() as string[]) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value) cookies.set(name!, value);
      else cookies.delete(name!);
    }
  };
  return {
    cookies,
    async signIn(given: Given) {
      const answer = await app.inject({
        method: 'POST',
        url: '/console/api/login',
        payload: given,
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        remoteAddress,
      });
      keep(answer.headers);
      if (answer.statusCode === 200) csrf = answer.json().csrf_token;
      return answer;
    },
    async ask(method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}, on: App = app) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await on.inject({
        method,
        url: `/console/api${path}`,
        headers: { cookie, [CSRF_HEADER]: csrf, ...headers },
        remoteAddress,
      });
      keep(answer.headers);
      return answer;
    },
  };
}

/**
 * Signs in `count` times without waiting for answers; each request is read in its own turn of the event loop, as from
 * sockets.
 */
async function flood(app: App, count: number, addressOf: (index: number) => string) {
  const answers: ReturnType<ReturnType<typeof createBrowser>['signIn']>[] = [];
  for (let index = 0; index < count; index++) {
    answers.push(createBrowser(app, addressOf(index)).signIn({ password: `wrong ${index}` }));
    await setImmediate();
  }
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  return (status: number) => statuses.filter((each) => each === status).length;
}

describe('password guesses', () => {
  let rig: HttpRig;
  beforeEach(async () => {
    const verify = async (password: string) => {
      await delay(30);
      return password === OPERATOR_PASSWORD;
    };
    rig = await createHttpRig({ console: true, verify });
  });
  afterEach(() => rig.close());

  it('are refused, limited by address and audited; nothing is served without a session', async () => {
    const guesser = createBrowser(rig.app, '2001:db8:1:2::1');
    expect((await guesser.ask('GET', '/challenges')).statusCode).toBe(401);
    for (let time = 0; time < 5; time++) {
      expect((await guesser.signIn({ password: 'wrong' })).statusCode).toBe(401);
    }
    // Another address of the same /64.
    const limited = await createBrowser(rig.app, '2001:db8:1:2::abcd').signIn({
      password: OPERATOR_PASSWORD,
    });
    expect(limited.statusCode).toBe(429);
    expect(limited.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/),
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
    });
    expect((await createBrowser(rig.app).signIn({ password: OPERATOR_PASSWORD })).statusCode).toBe(200);
    const refused = rig.db.selectFrom('audit').selectAll().where('action', '=', 'console.login_refused');
    expect(await refused.execute()).toHaveLength(5);
    expect(rig.logLines.join('')).not.toContain(OPERATOR_PASSWORD);
  });

  it('from many addresses at once are checked one at a time, and only a few of them', async () => {
    const count = await flood(rig.app, 300, (index) => `10.${index}.0.1`);
    // There are sixteen places to wait. Of the twenty that pass the rate limit the rest get 503.
    expect(count(401) + count(503)).toBe(20);
    expect(count(401)).toBeGreaterThanOrEqual(16);
    expect(count(429)).toBe(280);
    expect(rig.checks).toEqual({ now: 0, most: 1, all: count(401) });
  });

  it('do not end sessions, and lock nobody out who comes through a tunnel to the machine', async () => {
    const operator = createBrowser(rig.app, '10.9.9.9');
    await operator.signIn({ password: OPERATOR_PASSWORD });
    const count = await flood(rig.app, 100, (index) => `10.${index}.0.1`);
    expect(count(200)).toBe(0);
    expect((await operator.ask('GET', '/session')).statusCode).toBe(200);
    const elsewhere = await createBrowser(rig.app, '10.8.8.8').signIn({ password: OPERATOR_PASSWORD });
    expect(elsewhere.statusCode).toBe(429);
    for (const address of ['127.0.0.1', '::ffff:127.0.0.2', '::1']) {
      const tunnelled = await createBrowser(rig.app, address).signIn({ password: OPERATOR_PASSWORD });
      expect(tunnelled.statusCode, address).toBe(200);
    }
    // The tunnel has the limit of one address.
    const guesser = createBrowser(rig.app, '127.0.0.3');
    const statuses: number[] = [];
    for (let time = 0; time < 6; time++)
      statuses.push((await guesser.signIn({ password: 'guess' })).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('of any size and shape get a well-formed answer', async () => {
    const browser = createBrowser(rig.app);
    expect((await browser.signIn({ password: 'x'.repeat(9_000) })).statusCode).toBe(413);
    expect((await browser.signIn({ password: 'x'.repeat(1_025) })).statusCode).toBe(422);
    expect((await browser.signIn({ password: 'x', code: '1'.repeat(17) })).statusCode).toBe(422);
    expect((await browser.signIn({ passwort: 'x' } as never)).statusCode).toBe(422);
    expect(rig.checks.all).toBe(0);
  });
});

describe('the second factor', () => {
  const secret = newTotpSecret();
  const codeAt = (offsetMs: number) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() + skewMs + offsetMs });
  let skewMs = 0;
  let rig: HttpRig;
  let addresses = 0;
  beforeAll(async () => {
    rig = await createHttpRig({ console: true, totpSecret: secret });
  });
  afterAll(() => rig.close());
  // Each test has its own time steps and its own rate limits.
  beforeEach(async () => {
    skewMs += 600_000;
    rig.skewClock(skewMs);
  });
  const browser = () => createBrowser(rig.app, `10.1.${++addresses}.1`);

  it('is required, and accepts the code of the current step and its neighbours', async () => {
    const asked = await browser().ask('GET', '/sign-in');
    expect(asked.json()).toEqual({ password: true, needs_code: true, openid: null });
    expect((await browser().signIn({ password: OPERATOR_PASSWORD })).statusCode).toBe(401);
    for (const offsetMs of [-30_000, 0, 30_000]) {
      const code = codeAt(offsetMs);
      const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
      expect((await browser().signIn({ password: OPERATOR_PASSWORD, code: spaced })).statusCode).toBe(200);
    }
    for (const offsetMs of [-120_000, 120_000]) {
      const answer = await browser().signIn({ password: OPERATOR_PASSWORD, code: codeAt(offsetMs) });
      expect(answer.statusCode).toBe(401);
    }
  });

  it('accepts each code once, whichever process gets it first', async () => {
    const given = { password: OPERATOR_PASSWORD, code: codeAt(0) };
    const other = await rig.restart(OPERATOR_PASSWORD, secret);
    const answers = await Promise.all([
      browser().signIn(given),
      browser().signIn(given),
      createBrowser(other, '10.2.0.1').signIn(given),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
  });

  it('gives the same answer for a wrong password, a wrong code and a used code; the audit log distinguishes them', async () => {
    const code = codeAt(0);
    await browser().signIn({ password: OPERATOR_PASSWORD, code });
    skewMs += 60_000;
    rig.skewClock(skewMs);
    const wrong = await Promise.all([
      browser().signIn({ password: 'wrong', code: codeAt(0) }),
      browser().signIn({ password: OPERATOR_PASSWORD, code: '000000' }),
      browser().signIn({ password: OPERATOR_PASSWORD, code }),
      browser().signIn({ password: OPERATOR_PASSWORD, code: 'no code' }),
      browser().signIn({ password: 'wrong', code: '000000' }),
    ]);
    const said = wrong.map((answer) => {
      const { 'x-request-id': _id, date: _date, 'ratelimit-reset': _reset, ...headers } = answer.headers;
      return JSON.stringify([answer.statusCode, { ...answer.json(), instance: '' }, headers]);
    });
    expect(new Set(said).size).toBe(1);
    // A wrong password uses up no code: its owner can still sign in with it.
    expect((await browser().signIn({ password: OPERATOR_PASSWORD, code: codeAt(0) })).statusCode).toBe(200);
    const counts = await rig.db
      .selectFrom('audit')
      .select(['action', (eb) => eb.fn.countAll().as('count')])
      .where('action', 'in', ['console.login_refused', 'console.code_refused'])
      .groupBy('action')
      .orderBy('action')
      .execute();
    expect(Number(counts.find(({ action }) => action === 'console.login_refused')!.count)).toBe(2);
    expect(Number(counts[0]!.count)).toBeGreaterThanOrEqual(3);
  });
});

describe('a console session', () => {
  let rig: HttpRig;
  beforeAll(async () => {
    rig = await createHttpRig({ console: true });
  });
  afterAll(() => rig.close());
  let addresses = 0;
  const signedIn = async (app = rig.app) => {
    const browser = createBrowser(app, `10.3.${++addresses}.1`);
    const answer = await browser.signIn({ password: OPERATOR_PASSWORD });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return browser;
  };
  const isOpen = async (browser: Awaited<ReturnType<typeof signedIn>>, on = rig.app) =>
    (await browser.ask('GET', '/session', { [REFRESH_HEADER]: '1' }, on)).statusCode === 200;
  const idle = (minutes: number) =>
    rig.db
      .updateTable('console_session')
      .set({ last_used_at: new Date(Date.now() - minutes * 60_000) })
      .execute();

  it('ends when one browser or all browsers sign out', async () => {
    const [one, two, three] = [await signedIn(), await signedIn(), await signedIn()];
    await one.ask('POST', '/logout');
    expect([await isOpen(one), await isOpen(two), await isOpen(three)]).toEqual([false, true, true]);
    expect((await two.ask('POST', '/logout-everywhere')).statusCode).toBe(204);
    expect([await isOpen(two), await isOpen(three)]).toEqual([false, false]);
    const actions = await rig.db.selectFrom('audit').select(['action', 'actor']).execute();
    const signOuts = actions.filter(({ action }) => action.startsWith('console.logout'));
    expect(signOuts.map(({ action }) => action)).toEqual(['console.logout', 'console.logout_everywhere']);
    expect(new Set(signOuts.map(({ actor }) => actor)).size).toBe(2);
    expect(signOuts.every(({ actor }) => actor.startsWith('ops_'))).toBe(true);
  });

  it('ends after half an hour without use, although its page polls', async () => {
    const browser = await signedIn();
    await idle(29);
    expect(await isOpen(browser)).toBe(true);
    await idle(31);
    expect(await isOpen(browser)).toBe(false);
    const used = await signedIn();
    await idle(29);
    expect((await used.ask('GET', '/session')).statusCode).toBe(200);
    const row = await rig.db
      .selectFrom('console_session')
      .select('last_used_at')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    expect(Date.now() - row.last_used_at.getTime()).toBeLessThan(60_000);
  });

  it('ends after twelve hours, however active', async () => {
    const browser = await signedIn();
    const { rows } = { rows: await rig.db.selectFrom('console_session').select('expires_at').execute() };
    expect(Math.max(...rows.map(({ expires_at }) => expires_at.getTime())) - Date.now()).toBeLessThanOrEqual(
      12 * 3_600_000,
    );
    await rig.db
      .updateTable('console_session')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect((await browser.ask('GET', '/session')).statusCode).toBe(401);
  });

  it('ends when the password or second factor it was opened with changes, but survives a restart', async () => {
    const browser = await signedIn();
    const secret = newTotpSecret();
    const [same, otherPassword, withCode] = [
      await rig.restart(OPERATOR_PASSWORD, null),
      await rig.restart('another password, as long', null),
      await rig.restart(OPERATOR_PASSWORD, secret),
    ];
    expect(await isOpen(browser, same)).toBe(true);
    expect(await isOpen(browser, otherPassword)).toBe(false);
    expect(await isOpen(browser, withCode)).toBe(false);
  });

  it('cannot be forged, and guessing a token makes no database query', async () => {
    const browser = await signedIn();
    const token = browser.cookies.get('likeness-console')!;
    const before = await rig.db.selectFrom('console_session').selectAll().execute();
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    for (const forged of ['A'.repeat(64), altered, token.slice(0, 43), '', 'x']) {
      browser.cookies.set('likeness-console', forged);
      expect((await browser.ask('GET', '/session')).statusCode).toBe(401);
    }
    expect(await rig.db.selectFrom('console_session').selectAll().execute()).toEqual(before);
    expect(JSON.stringify(before)).not.toContain(token);
  });
});

it('gives a cookie for https, and through a tunnel to the machine one for http', async () => {
  const rig = await createHttpRig({ console: true, environment: { BASE_URL: 'https://faces.example' } });
  try {
    const cookieFor = async (address: string) => {
      const answer = await createBrowser(rig.app, address).signIn({ password: OPERATOR_PASSWORD });
      return String(answer.headers['set-cookie']);
    };
    expect(await cookieFor('10.0.0.1')).toMatch(/^__Host-likeness-console=.*; Secure/);
    expect(await cookieFor('127.0.0.1')).toMatch(/^likeness-console=(?!.*Secure)/);
  } finally {
    await rig.close();
  }
});

describe('the console on its own port', () => {
  let rig: HttpRig;
  beforeAll(async () => {
    rig = await createHttpRig({
      console: 'own',
      environment: { BASE_URL: 'https://faces.example', TRUST_PROXY: 'loopback' },
    });
  });
  afterAll(() => rig.close());

  it('serves the console with its pictures, and nothing else', async () => {
    const browser = createBrowser(rig.consoleApp);
    const answer = await browser.signIn({ password: OPERATOR_PASSWORD });
    // The browser used plain http, whatever the public address is.
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(/^likeness-console=(?!.*Secure)/);
    const { challenge_id } = await rig.create();
    const assetId = await rig.makeAsset(challenge_id, Buffer.from('the video'));
    const link = await browser.ask('POST', `/challenges/${challenge_id}/assets/${assetId}/link`);
    const { pathname, search } = new URL(link.json().url);
    expect((await rig.consoleApp.inject({ url: pathname + search })).body).toBe('the video');
    expect((await rig.consoleApp.inject({ url: '/' })).headers.location).toBe('/console');
    expect((await rig.consoleApp.inject({ url: '/console' })).statusCode).toBe(200);
    for (const url of ['/v1/challenges', '/docs', '/openapi.json', '/metrics', '/readyz', '/c/unknown']) {
      expect((await rig.consoleApp.inject({ url })).statusCode, url).toBe(404);
    }
  });

  it('sets secure cookies behind a proxy that terminates TLS', async () => {
    const answer = await rig.consoleApp.inject({
      method: 'POST',
      url: '/console/api/login',
      payload: { password: OPERATOR_PASSWORD },
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.4.0.1' },
    });
    expect([answer.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(/^__Host-likeness-console=.*; Secure; SameSite=Strict$/),
    ]);
  });

  it('is not served at the public port', async () => {
    for (const url of ['/console', '/console/', '/console/api/session', '/console/api/sign-in']) {
      const answer = await rig.app.inject({ url });
      expect(answer.statusCode, url).toBe(404);
      expect(answer.json().type).toMatch(/not-found$/);
    }
    const login = { method: 'POST', url: '/console/api/login', payload: { password: 'x' } } as const;
    expect((await rig.app.inject(login)).statusCode).toBe(404);
    expect((await rig.app.inject({ url: '/assets/console/index.js' })).statusCode).toBe(404);
  });
});
