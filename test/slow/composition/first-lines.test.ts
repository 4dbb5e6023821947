// What a newcomer and a log collector see of a start: what to open next, where the keys are, and no noise.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WORKER_V8_OPTIONS } from '../../../src/composition/worker-supervisor.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
let dataDir: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-first-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

function serve(environment: Record<string, string> = {}): {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
} {
  const child = spawn(process.execPath, ['bin/likeness', 'serve'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PORT: '0',
      METRICS_PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  return { child, output: () => output, errors: () => errors };
}

/** Starts the service, waits a moment and sends SIGTERM. */
async function live() {
  const { child, output, errors } = serve();
  const closed = new Promise((done) => child.once('close', done));
  await expect.poll(output, { timeout: 60_000 }).toContain('likeness ready on');
  await delay(500);
  child.kill('SIGTERM');
  expect(await closed).toBe(0);
  return { output: output(), lines: errors().trim().split('\n') };
}

test('every start says where the keys are, only the first prints them; the log is JSON and quiet', async () => {
  const first = await live();
  const file = join(dataDir, 'dev-credentials.json');
  const kept = JSON.parse(await readFile(file, 'utf8'));
  expect(first.output.split('\n')).toEqual([
    `development account ${kept.account}`,
    `  API key         ${kept.api_key}`,
    `  webhook secret  ${kept.webhook_secret}`,
    `  sandbox key     ${kept.sandbox_api_key}`,
    `  kept in         ${file}`,
    `  try it          ${kept.base_url}/`,
    `likeness ready on ${kept.base_url}`,
    '',
  ]);
  const logged = first.lines.map((line) => JSON.parse(line));
  expect(logged.filter(({ level }) => level !== 'info')).toEqual([]);
  expect(logged.map(({ process, msg }) => `${process}: ${msg}`).sort()).toEqual([
    expect.stringMatching(/^all: listening on /),
    'all: stopped',
    'all: stopping',
    'worker: ready',
    'worker: stopped',
    'worker: stopping',
  ]);

  const second = await live();
  expect(second.output).not.toContain(kept.api_key);
  expect(second.output).toContain(`  kept in         ${file}\n`);
}, 120_000);

test('a start in production says that any site may frame the page, unless it is told which', async () => {
  const own = await createTestDatabase();
  const environment = {
    MODE: 'production',
    DATABASE_URL: own.url,
    MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    BASE_URL: 'https://faces.example',
  };
  const warned = async (more: Record<string, string>) => {
    const { child, output, errors } = serve({ ...environment, ...more });
    const closed = new Promise((done) => child.once('close', done));
    await expect.poll(output, { timeout: 60_000 }).toContain('likeness ready on');
    child.kill('SIGTERM');
    expect(await closed).toBe(0);
    return errors().includes('set FRAME_ANCESTORS');
  };
  expect(await warned({})).toBe(true);
  expect(await warned({ FRAME_ANCESTORS: "'none'" })).toBe(false);
  await own.drop();
}, 120_000);

test('a start on a database of an earlier commit says so in one sentence, and changes nothing', async () => {
  const earlier = await createTestDatabase();
  try {
    const history = sql`update migration_hash set sha256 = ''`;
    await history.execute(earlier.db);
    const { child, errors } = serve({ DATABASE_URL: earlier.url });
    expect(await new Promise((done) => child.once('close', done))).toBe(1);
    expect(errors().trim()).toMatch(/^[^\n]*start with an empty one[^\n]*\[DATABASE_UNKNOWN\]$/);
    const { rows } = await sql`select distinct sha256 from migration_hash`.execute(earlier.db);
    expect(rows).toEqual([{ sha256: '' }]);
  } finally {
    await earlier.drop();
  }
});

test('stops without a warning when it is interrupted during its start', async () => {
  const { child, errors } = serve();
  const closed = new Promise((done) => child.once('close', done));
  await expect.poll(errors, { timeout: 60_000 }).toContain('listening on');
  // Like Ctrl-C at a terminal, which reaches workers before they handle it.
  child.kill('SIGINT');
  for (const pid of await childrenOf(child)) process.kill(pid, 'SIGINT');
  expect(await closed).toBe(0);
  expect(
    errors()
      .split('\n')
      .filter((line) => /"level":"(warn|error|fatal)"|Warning/.test(line)),
  ).toEqual([]);
}, 120_000);

test('a worker beside an API gets V8 options of its own, and not the console password', async () => {
  const password = 'a password of this test alone';
  const { child, output } = serve({ CONSOLE_PASSWORD: password, CONSOLE_PORT: String(await freePort()) });
  const closed = new Promise((done) => child.once('close', done));
  await expect.poll(output, { timeout: 60_000 }).toContain('likeness ready on');
  const [worker] = await childrenOf(child);
  const given = await readFile(`/proc/${worker}/environ`, 'utf8');
  const command = await readFile(`/proc/${worker}/cmdline`, 'utf8');
  child.kill('SIGTERM');
  expect(await closed).toBe(0);
  expect(given).toContain('ROLE=worker');
  expect(given).not.toContain(password);
  expect(command.split('\0')).toEqual(expect.arrayContaining([...WORKER_V8_OPTIONS]));
}, 120_000);

/** Processes that this one has started so far (Linux: from /proc). */
async function childrenOf({ pid }: ChildProcess): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
