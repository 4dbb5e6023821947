// `likeness console openid`: sets up sign-in by OpenID Connect with a real provider, shows it, and removes it.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { consoleCommand } from '../../src/cli/console.ts';
import { createDeployment, runCommand, type TestDeployment } from '../support/command-line.ts';
import { type OpenidProvider, startOpenidProvider } from '../support/openid-provider.ts';
import { commandsOf } from '../support/shell-blocks.ts';

let deployment: TestDeployment;
let provider: OpenidProvider;
let secretFile: string;
beforeAll(async () => {
  [deployment, provider] = await Promise.all([createDeployment(), startOpenidProvider()]);
  secretFile = join(deployment.dataDir, 'client-secret');
  await writeFile(secretFile, 'the client secret\n');
});
afterAll(async () => {
  await provider?.close();
  await deployment?.remove();
});

const run = (...args: string[]) => runCommand([consoleCommand()], ['console', 'openid', ...args]);
const set = (given: Record<string, string | null> = {}, ...more: string[]) => {
  const options = {
    issuer: provider.issuer,
    'client-id': 'likeness',
    'client-secret-file': secretFile,
    'roles-claim': 'groups',
    viewer: 'auditors',
    ...given,
  };
  const args = Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, value],
  );
  return run('set', ...args, ...more);
};

test('stores the settings with the secret sealed, and audits each change', async () => {
  const { db } = deployment.database;
  expect(await run('show')).toBe('sign-in by OpenID Connect is not set up\n');
  expect(await run('show', '--json')).toBe('{}\n');
  await expect(run('remove')).rejects.toThrow('sign-in by OpenID Connect is not set up');
  const shown = await set({ name: 'Company SSO' }, '--administrator', 'platform', 'owners');
  expect(shown).toMatch(/^administrator {2}platform, owners$/m);
  expect(shown).toMatch(/^redirect URI {3}http:\/\/\S+\/console\/api\/sign-in\/openid\/callback$/m);
  const first = await db.selectFrom('console_openid').selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(first)).not.toContain('the client secret');
  expect(first.sealed_client_secret.includes('the client secret')).toBe(false);

  const settings = {
    name: 'Single sign-on',
    issuer: provider.issuer,
    client_id: 'likeness',
    console_url: 'https://console.example/desk',
    scope: 'openid groups',
    roles_claim: 'groups',
    roles: { viewer: ['auditors'], operator: [], administrator: [] },
  };
  await set({ 'console-url': 'https://console.example/desk/', scope: 'openid groups' });
  expect(JSON.parse(await run('show', '--json'))).toEqual({
    id: expect.stringMatching(/^opn_/),
    ...settings,
    redirect_uri: 'https://console.example/desk/console/api/sign-in/openid/callback',
  });
  expect(await run('remove')).toMatch(/has been removed/);
  expect(await db.selectFrom('console_openid').selectAll().execute()).toEqual([]);
  const lines = await db.selectFrom('audit').select(['actor', 'action', 'detail']).orderBy('id').execute();
  expect(lines).toEqual([
    {
      actor: 'operator',
      action: 'console.openid_set',
      detail: expect.objectContaining({ name: 'Company SSO' }),
    },
    { actor: 'operator', action: 'console.openid_set', detail: settings },
    { actor: 'operator', action: 'console.openid_removed', detail: null },
  ]);
  expect(JSON.stringify(lines)).not.toContain('the client secret');
});

test("runs the document's command as it is printed, at this provider and with this file", async () => {
  const [command, ...others] = commandsOf('docs/operations/console.md');
  expect(others).toEqual([]);
  const filled: Record<string, string> = {
    'https://sso.example/realms/company': provider.issuer,
    '/run/secrets/console': secretFile,
  };
  // A shell reads it, so that its quotes and line ends are those of a reader's.
  const script = `likeness() { printf '%s\\n' "$@"; }\n${command}`;
  const words = execFileSync('sh', ['-e', '-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
  expect(words).toEqual(expect.arrayContaining(Object.keys(filled)));
  const shown = await runCommand(
    [consoleCommand()],
    words.map((word) => filled[word] ?? word),
  );
  expect(shown).toMatch(/^name {10,}Company SSO$/m);
  expect(shown).toMatch(/^viewer {8,}auditors, support$/m);
  await run('remove');
});

test.each<[string, Record<string, string | null>, RegExp]>([
  [
    'an issuer that strangers could read along with',
    { issuer: 'http://sso.example' },
    /not an https address/,
  ],
  ['an issuer that is no address', { issuer: 'sso.example' }, /not an https address/],
  [
    'a console that strangers could read along with',
    { 'console-url': 'http://console.example' },
    /not an https/,
  ],
  [
    'an issuer that does not answer',
    { issuer: 'http://127.0.0.1:1' },
    /does not answer as an OpenID Provider/,
  ],
  ['a secret that cannot be read', { 'client-secret-file': '/nowhere/at/all' }, /cannot be read/],
  ['nobody who could sign in', { viewer: null }, /nobody could sign in/],
])('refuses %s', async (_, given, why) => {
  const refused = set(given);
  await expect(refused).rejects.toThrow(CommanderError);
  await expect(refused).rejects.toThrow(why);
  expect(await run('show')).toMatch(/not set up/);
});

test('refuses an issuer that calls itself something else', async () => {
  const localhost = provider.issuer.replace('127.0.0.1', 'localhost');
  await expect(set({ issuer: localhost })).rejects.toThrow(/does not answer as an OpenID Provider/);
});

test('asks how browsers reach a console that has a port of its own', async () => {
  vi.stubEnv('CONSOLE_PASSWORD', 'long enough for a console');
  vi.stubEnv('CONSOLE_PORT', '8081');
  await expect(set()).rejects.toThrow(/--console-url/);
  expect(await set({ 'console-url': 'http://localhost:8081' })).toMatch(
    /http:\/\/localhost:8081\/console\/api/,
  );
});
