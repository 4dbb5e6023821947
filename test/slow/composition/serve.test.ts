// A service that cannot start says why in one sentence and exits, so that its supervisor can start it again. One that
// has started says so.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

test.concurrent.each([
  'api',
  'worker',
])('ROLE=%s exits without its database, even as the child of a supervisor', async (role) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'likeness-serve-'));
  // The IPC channel to a parent keeps a process alive until it is closed.
  const child = startProcess({
    ROLE: role,
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  });
  try {
    let errors = '';
    child.stderr!.on('data', (chunk) => {
      errors += chunk;
    });
    expect(await new Promise((done) => child.once('close', done))).toBe(1);
    expect(errors).toMatch(/^likeness: the database cannot be reached: .*\[DATABASE_UNAVAILABLE\]$/m);
    expect(errors).not.toMatch(/ {4}at /);
  } finally {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true });
  }
}, 60_000);

test('a worker says that it is ready, answers on its own port, and exits with 0', async () => {
  const [database, port] = [await createTestDatabase(), await freePort()];
  const dataDir = await mkdtemp(join(tmpdir(), 'likeness-serve-'));
  const child = startProcess({
    ROLE: 'worker',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    METRICS_PORT: String(port),
  });
  try {
    const log = readLines(child);
    await expect.poll(() => log.map(({ msg }) => msg), { timeout: 30_000 }).toContain('ready');
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await ask('/readyz')).toEqual([
      200,
      '{"status":"ok","parts":{"database":true,"assets":true,"space":true}}',
    ]);
    expect((await ask('/metrics'))[1]).toContain('likeness_worker_process_cpu_seconds_total');
    child.kill('SIGTERM');
    expect(await new Promise((done) => child.once('close', done))).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await database.drop();
    await rm(dataDir, { recursive: true });
  }
}, 60_000);

test.concurrent.each([
  ['PORT', 0, {}, (port: number) => `HOST 127.0.0.1, PORT ${port}`],
  ['METRICS_PORT', 0, { PORT: '0' }, (port: number) => `OPERATOR_HOST 127.0.0.1, METRICS_PORT ${port}`],
  ['PORT', 1, { DEV_TLS: '1' }, (port: number) => `DEV_TLS, port ${port}`],
])(
  'exits when a port is taken: %s + %i',
  async (variable, above, more, where) => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'likeness-serve-'));
    const taken = createServer().listen(0, '0.0.0.0');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const child = startProcess({
      ROLE: 'api',
      METRICS_PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      [variable]: String(port - above),
      ...more,
    });
    try {
      let errors = '';
      child.stderr!.on('data', (chunk) => {
        errors += chunk;
      });
      expect(await new Promise((done) => child.once('close', done))).toBe(1);
      expect(errors).toContain(
        `likeness: the process cannot listen on a port: ${where(port)}: EADDRINUSE [LISTEN_FAILED]\n`,
      );
    } finally {
      child.kill('SIGKILL');
      taken.close();
      await database.drop();
      await rm(dataDir, { recursive: true });
    }
  },
  60_000,
);

/** Starts the service in a process of its own, with the IPC channel that a supervisor has. */
function startProcess(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['bin/likeness', 'serve'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** The log as it grows. */
function readLines(child: ChildProcess): { msg: string }[] {
  const lines: { msg: string }[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => lines.push(JSON.parse(line)));
  return lines;
}
