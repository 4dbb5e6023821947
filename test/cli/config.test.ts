import { afterEach, describe, expect, it, vi } from 'vitest';
import { configCommand } from '../../src/cli/config.ts';
import { Environment } from '../../src/config/config.ts';
import { describeVariables } from '../../src/config/describe.ts';
import { defaultDataDir } from '../../src/config/read-config.ts';
import { runCommand } from '../support/command-line.ts';

afterEach(() => vi.unstubAllEnvs());

const SECRETS = {
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  CONSOLE_PASSWORD: 'a long enough password',
  CONSOLE_TOTP_SECRET: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  DATABASE_URL: 'postgres://likeness:sesame@db.example:5432/likeness',
};

/** @param given variables beside those that are set already */
const run = async (given: Readonly<Record<string, string>> = {}, ...args: string[]) => {
  for (const [name, value] of Object.entries({ MODE: 'development', BASE_URL: '', ...given }))
    vi.stubEnv(name, value);
  return runCommand([configCommand()], ['config', ...args]);
};

it('names every variable with what is in force', async () => {
  vi.stubEnv('ASSET_RETENTION_DAYS', '7');
  vi.stubEnv('PORT', '8099');
  const { variables } = JSON.parse(await run({}, '--json'));
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
  expect(of('BASE_URL')).toMatchObject({ value: 'http://127.0.0.1:8099', from: 'default' });
  expect(of('LIVENESS_LEVEL')).toMatchObject({ allowed: 'quick, standard, high', value: 'standard' });
  expect(of('FEATID_RETENTION_DAYS')).toMatchObject({ value: null });
});

describe('a variable whose default depends on others', () => {
  const PUBLIC = { BASE_URL: 'https://faces.example.org', DATABASE_URL: SECRETS.DATABASE_URL };
  const DIRECT = 'postgres://likeness:sesame@direct.example:5432/likeness';
  it.each([
    ['METRICS_PORT', {}, '9464'],
    ['PASSKEY_RP_ID', PUBLIC, 'faces.example.org'],
    ['DATABASE_DIRECT_URL', PUBLIC, 'postgres://likeness:***@db.example:5432/likeness'],
    ['DATABASE_DIRECT_URL', { DATABASE_URL: '' }, '(unset)'],
  ])('shows the value in force: %s with %j', async (name, given, inForce) => {
    expect(await run(given)).toContain(`\n${name} = ${inForce}  (default)\n`);
  });

  it.each([
    ['BASE_URL', 'https://faces.example.org', 'http://127.0.0.1:8099'],
    ['DATA_DIR', '/srv/likeness', defaultDataDir()],
    ['METRICS_PORT', '0', '9464'],
    ['PASSKEY_RP_ID', 'example.org', 'faces.example.org'],
    ['DATABASE_DIRECT_URL', DIRECT, 'postgres://likeness:***@db.example:5432/likeness'],
  ])('names, once it is set, what it would be without: %s', async (name, value, byDefault) => {
    const inForce = value.replace('sesame', '***');
    const answer = await run({ ...PUBLIC, PORT: '8099', [name]: value });
    expect(answer).toContain(`\n${name} = ${inForce}  (set; default: ${byDefault})\n`);
  });

  it('follows DEV_TLS to the address that links lead to', async () => {
    expect(await run({ DEV_TLS: '1', PORT: '8099' })).toMatch(
      /\nBASE_URL = https:\/\/[\d.]+:8100 {2}\(default\)\n/,
    );
  });
});

it('gives every whole number a unit, unless it counts what its name says', () => {
  const isInteger = (name: string) =>
    (Environment.properties as Record<string, { type?: string }>)[name]!.type === 'integer';
  const unitless = describeVariables().filter(({ name, unit }) => isInteger(name) && unit === null);
  expect(unitless.map(({ name }) => name)).toEqual([
    'PORT',
    'CONSOLE_PORT',
    'WORKER_PROCESSES',
    'METRICS_PORT',
  ]);
});

it('names what is read elsewhere, with its secrets masked', async () => {
  const secrets = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'LIKENESS_API_KEY'];
  for (const name of secrets) vi.stubEnv(name, 'sesame');
  vi.stubEnv('AWS_REGION', 'ca-central-1');
  vi.stubEnv('LIKENESS_URL', '');
  const answers = [await run({}, '--json'), await run()];
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
  for (const answer of [await run({}, '--json'), await run()]) {
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
