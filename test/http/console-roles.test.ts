// What each role may call: every route of the console, with the lowest role that it is open to.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONSOLE_ROLES, type ConsoleRole, CSRF_HEADER } from '../../src/contract/console.ts';
import { type OpenidProvider, startOpenidProvider } from '../support/openid-provider.ts';
import { type Browser, configurationOf, createBrowser, settingsFor } from './console-people.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Nobody has signed in yet. */
const OPEN_TO_ALL = ['GET /sign-in', 'POST /login', 'GET /sign-in/openid', 'GET /sign-in/openid/callback'];

const OPEN_TO: Readonly<Record<string, ConsoleRole>> = {
  'GET /session': 'viewer',
  'POST /logout': 'viewer',
  'POST /logout-everywhere': 'administrator',
  'GET /overview': 'viewer',
  'GET /scores': 'viewer',
  'GET /retention': 'viewer',
  'GET /audit': 'viewer',
  'GET /assurance': 'operator',
  'GET /challenges': 'viewer',
  'GET /challenges/:challenge_id': 'viewer',
  'GET /challenges/:challenge_id/captures/:capture_id/curves.svg': 'viewer',
  'POST /challenges/:challenge_id/assets/:asset_id/link': 'operator',
  'GET /deliveries': 'viewer',
  'GET /endpoints': 'viewer',
  'POST /deliveries/redeliver': 'operator',
  'GET /featids': 'operator',
  'DELETE /featids/:account_id/:featid_id': 'administrator',
  'GET /accounts': 'viewer',
  'POST /accounts/:account_id': 'administrator',
  'POST /accounts/:account_id/keys': 'administrator',
  'DELETE /accounts/:account_id/keys/:key_id': 'administrator',
  'POST /accounts/:account_id/webhook-secret': 'administrator',
  'POST /accounts/:account_id/erasures': 'administrator',
  'GET /logins': 'viewer',
  'POST /logins': 'administrator',
  'PUT /logins/:client_id/texts': 'administrator',
  'POST /logins/:client_id/secret': 'administrator',
  'DELETE /logins/:client_id': 'administrator',
  'POST /logins/:client_id/erasures': 'administrator',
};

const VALUES: Readonly<Record<ConsoleRole, string>> = {
  viewer: 'auditors',
  operator: 'support-leads',
  administrator: 'platform',
};

let rig: HttpRig;
let provider: OpenidProvider;
const people = new Map<ConsoleRole, Browser>();

beforeAll(async () => {
  [rig, provider] = await Promise.all([
    createHttpRig({ console: 'own', environment: { OIDC: 'on' } }),
    startOpenidProvider(),
  ]);
  await configurationOf(rig).set(settingsFor(provider), 'a secret', 'operator');
  for (const role of CONSOLE_ROLES) {
    provider.person = { sub: role, groups: [VALUES[role]] };
    const browser = createBrowser(rig.consoleApp);
    await browser.signIn(provider);
    people.set(role, browser);
  }
});
afterAll(async () => {
  await rig?.close();
  await provider?.close();
});

/** Ids that nothing has. */
const fill = (path: string): string => {
  const prefixes = {
    challenge: 'ch',
    capture: 'cap',
    asset: 'ast',
    delivery: 'msg',
    account: 'acct',
    key: 'key',
  };
  return path
    .replace(':featid_id', '0'.repeat(22))
    .replace(':client_id', `oc_${'0'.repeat(26)}`)
    .replace(/:(\w+)_id/g, (_, what: keyof typeof prefixes) => `${prefixes[what]}_${'0'.repeat(26)}`);
};
const split = (route: string) => route.split(' ') as [Method, string];

it('the table has every route of the console', () => {
  const stack: string[] = [];
  const routes = rig.consoleApp
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, path, methods] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? [];
      if (path === undefined) return [];
      stack.length = indent!.length / 4;
      stack.push(path);
      return (methods?.split(', ') ?? []).map((method) => `${method} ${stack.join('')}`);
    })
    .filter((route) => route.includes('/console/api/') && !route.startsWith('HEAD'))
    .map((route) => route.replace('/console/api', ''));
  expect(routes.sort()).toEqual([...OPEN_TO_ALL, ...Object.keys(OPEN_TO)].sort());
});

it.each(
  Object.entries(OPEN_TO),
)('%s is open from %s on, and to nobody without a session', async (route, lowest) => {
  const [method, path] = split(route);
  for (const role of CONSOLE_ROLES) {
    const mayCall = CONSOLE_ROLES.indexOf(role) >= CONSOLE_ROLES.indexOf(lowest);
    // What ends sessions is tried only by those who may not.
    if (mayCall && path.startsWith('/logout')) continue;
    const answer = await people.get(role)!.ask(method, fill(path));
    if (mayCall) expect([401, 403]).not.toContain(answer.statusCode);
    else {
      expect(answer.statusCode).toBe(403);
      expect(answer.json().detail).toBe(`This needs the role ${lowest}. Yours is ${role}.`);
    }
  }
  const stranger = await createBrowser(rig.consoleApp).ask(method, fill(path));
  expect(stranger.statusCode).toBe(401);
});

const CHANGES = Object.keys(OPEN_TO).filter((route) => !route.startsWith('GET '));

it.each(CHANGES)('%s changes nothing without the page’s token', async (route) => {
  const [method, path] = split(route);
  const url = `/console/api${fill(path)}`;
  const forged = await people.get('administrator')!.inject(method, url, { [CSRF_HEADER]: '' });
  expect(forged.statusCode).toBe(403);
  expect(forged.json().detail).toBe('The call did not come from the console.');
});
