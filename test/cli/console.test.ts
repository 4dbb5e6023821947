// `likeness console`: a second factor from its creation to its first code, and the end of every session.
import { CommanderError } from 'commander';
import { type TOTP, URI } from 'otpauth';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { consoleCommand } from '../../src/cli/console.ts';
import { createConsoleSessionStore } from '../../src/console/tables/session-store.ts';
import { createDeployment, runCommand, type TestDeployment } from '../support/command-line.ts';

let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await createDeployment();
  vi.stubEnv('CONSOLE_PASSWORD', 'long enough for a console');
});
afterAll(async () => {
  await deployment?.remove();
});
afterEach(() => {
  process.exitCode = undefined;
});

const run = (...args: string[]) => runCommand([consoleCommand()], ['console', ...args]);

test('creates a second factor with its QR code, and recognises its codes', async () => {
  const { secret, address } = JSON.parse(await run('new-totp-secret', '--name', 'Likeness Sydney', '--json'));
  const authenticator = URI.parse(address) as TOTP;
  expect(authenticator.issuer).toBe('Likeness Sydney');
  expect(authenticator.secret.base32).toBe(secret);
  const shown = await run('new-totp-secret');
  expect(shown).toContain('█');
  expect(shown).toMatch(/^secret {3}[A-Z2-7]{32}$/m);

  await expect(run('check-code', '000000')).rejects.toThrow(CommanderError);
  vi.stubEnv('CONSOLE_TOTP_SECRET', secret);
  expect(await run('check-code', authenticator.generate())).toBe('The code is right.\n');
  expect(process.exitCode).toBeUndefined();
  const slow = authenticator.generate({ timestamp: Date.now() - 300_000 });
  expect(await run('check-code', slow)).toMatch(/clock is (300|270|330) s behind this machine/);
  expect(process.exitCode).toBe(1);
  expect(JSON.parse(await run('check-code', 'nothing', '--json'))).toEqual({
    right: false,
    seconds_ahead: null,
  });
});

test('ends every session, and writes that to the audit log', async () => {
  const { db } = deployment.database;
  const session = { id: 'ops_1', tokenHash: Buffer.alloc(32, 1), role: 'viewer', openid: null } as const;
  await createConsoleSessionStore(db).insert(session, 1);
  expect(await run('sign-out-everywhere')).toBe('all console sessions have been ended\n');
  expect(await db.selectFrom('console_session').selectAll().execute()).toEqual([]);
  const lines = await db.selectFrom('audit').select(['actor', 'action']).execute();
  expect(lines).toEqual([{ actor: 'operator', action: 'console.logout_everywhere' }]);
});
