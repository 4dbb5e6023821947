import { afterEach, expect, it, vi } from 'vitest';
import { configCommand } from '../../src/cli/config.ts';
import { Environment } from '../../src/config/config.ts';
import { runCommand } from '../support/command-line.ts';

afterEach(() => vi.unstubAllEnvs());

const SECRETS = {
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  CONSOLE_PASSWORD: 'a long enough password',
  CONSOLE_TOTP_SECRET: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  DATABASE_URL: 'postgres://likeness:sesame@db.example:5432/likeness',
};

const run = async (...args: string[]) => {
  vi.stubEnv('MODE', 'development');
  vi.stubEnv('BASE_URL', '');
  return runCommand([configCommand()], ['config', ...args]);
};

it('names every variable with what is in force', async () => {
  vi.stubEnv('ASSET_RETENTION_DAYS', '7');
  vi.stubEnv('PORT', '8099');
  const { variables } = JSON.parse(await run('--json'));
  const of = (name: string) => variables.find((each: { name: string }) => each.name === name);
  expect(variables.map(({ name }: { name: string }) => name)).toEqual(Object.keys(Environment.properties));
  expect(variables.every(({ description }: { description: string }) => description.length > 10)).toBe(true);
  expect(of('ASSET_RETENTION_DAYS')).toMatchObject({
    default: '30',
    unit: 'days',
    allowed: '0 to 36500',
    value: '7',
    from: 'environment',
  });
  expect(of('BASE_URL')).toMatchObject({ default: null, value: 'http://127.0.0.1:8099', from: 'default' });
  expect(of('LIVENESS_LEVEL')).toMatchObject({ allowed: 'quick, standard, high', value: 'standard' });
  expect(of('FEATID_RETENTION_DAYS')).toMatchObject({ value: null });
});

it('names what is read elsewhere, with its secrets masked', async () => {
  const secrets = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'LIKENESS_API_KEY'];
  for (const name of secrets) vi.stubEnv(name, 'sesame');
  vi.stubEnv('AWS_REGION', 'ca-central-1');
  vi.stubEnv('LIKENESS_URL', '');
  const answers = [await run('--json'), await run()];
  for (const answer of answers) expect(answer).not.toContain('sesame');
  expect(answers[1]).toContain('AWS_SECRET_ACCESS_KEY = ***\n');
  const listed = Object.fromEntries(
    JSON.parse(answers[0]!).read_elsewhere.map((each: { name: string; value: unknown }) => [
      each.name,
      each.value,
    ]),
  );
  expect(listed).toMatchObject({ AWS_REGION: 'ca-central-1', LIKENESS_URL: null });
  for (const name of secrets) expect(listed).toHaveProperty(name, '***');
});

it('shows no secret', async () => {
  for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
  for (const answer of [await run('--json'), await run()]) {
    for (const secret of [
      SECRETS.MASTER_KEY,
      SECRETS.CONSOLE_PASSWORD,
      SECRETS.CONSOLE_TOTP_SECRET,
      'sesame',
    ])
      expect(answer).not.toContain(secret);
    expect(answer).toContain('postgres://likeness:***@db.example:5432/likeness');
  }
});

it.each([
  'postgres://likeness:1#sesame@db.example:5432/likeness',
  'postgres://likeness:12/sesame@db.example:5432/likeness',
  'postgres://likeness:1?sesame@db.example:5432/likeness',
  'postgres://likeness@db.example/likeness?password=sesame',
])('shows no password of an address that is not written well: %s', async (address) => {
  vi.stubEnv('DATABASE_URL', address);
  expect(await run()).not.toContain('sesame');
});

it('reads well: each variable, its value and unit, and what it means', async () => {
  vi.stubEnv('ASSET_LINK_TTL_SECONDS', '60');
  const lines = (await run()).split('\n');
  const at = lines.findIndex((line) => line.startsWith('ASSET_LINK_TTL_SECONDS'));
  expect(lines.slice(at, at + 2)).toEqual([
    'ASSET_LINK_TTL_SECONDS = 60 seconds  (set; default: 3600)',
    expect.stringContaining('    Seconds for which asset links are valid.'),
  ]);
});

it('refuses what the service would refuse, by name', async () => {
  vi.stubEnv('PORT', 'many');
  await expect(run()).rejects.toThrow('PORT');
});
