// The embedded server through every way in which it and its users can end. Slow: each case starts real servers.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../../../src/base/log.ts';
import { startEmbeddedPostgres } from '../../../../src/storage/embedded/server.ts';

const log = createLogger({ level: 'silent', process: 'test' });
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-embedded-'));
  await chmod(dataDir, 0o755);
});
afterAll(() => rm(dataDir, { recursive: true }));

const start = () => startEmbeddedPostgres({ dataDir, log });

async function query(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'cluster', 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}
const isRunning = async () => {
  try {
    process.kill(await serverPid(), 0);
    return true;
  } catch {
    return false;
  }
};

async function startUser(): Promise<{ child: ChildProcess; url: string }> {
  const script = join(import.meta.dirname, 'embedded-user.js');
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { child, url };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

test('is created and started for several users at once, is durable, and stops when the last one leaves', async () => {
  const [one, two, three] = await Promise.all([start(), start(), start()]);
  expect(new Set([one, two, three].map((server) => server.connectionString)).size).toBe(1);
  const [settings] = await query(
    one.connectionString,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
      current_setting('data_checksums') as checksums, current_setting('listen_addresses') as address`,
  );
  expect(settings).toEqual({ fsync: 'on', commits: 'on', checksums: 'on', address: '127.0.0.1' });
  await query(one.connectionString, 'create table kept (id int)');
  await one.stop();
  await two.stop();
  expect(await isRunning()).toBe(true);
  expect(await query(three.connectionString, 'select * from kept')).toEqual([]);
  await three.stop();
  expect(await isRunning()).toBe(false);
  await three.stop();
});

test('requires its password, which only its owner can read', async () => {
  const server = await start();
  const cluster = join(dataDir, 'postgres', 'cluster');
  expect((await stat(join(cluster, 'password'))).mode & 0o777).toBe(0o600);
  expect((await stat(cluster)).mode & 0o777).toBe(0o700);
  const wrong = new URL(server.connectionString);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  await server.stop();
});

test('starts again at the same address with everything committed', async () => {
  const first = await start();
  await query(first.connectionString, 'insert into kept values (1)');
  await first.stop();
  const second = await start();
  expect(second.connectionString).toBe(first.connectionString);
  expect(await query(second.connectionString, 'select * from kept')).toEqual([{ id: 1 }]);
  await second.stop();
});

test('starts elsewhere from a copy of its stopped folder, with everything committed', async () => {
  const copy = `${dataDir}-copy`;
  execFileSync('cp', ['-a', dataDir, copy]);
  try {
    const restored = await startEmbeddedPostgres({ dataDir: copy, log });
    expect(await query(restored.connectionString, 'select * from kept')).toEqual([{ id: 1 }]);
    await restored.stop();
  } finally {
    await rm(copy, { recursive: true });
  }
});

test('allows start and stop to overlap', async () => {
  for (let round = 0; round < 3; round++) {
    const first = await start();
    const [second] = await Promise.all([start(), first.stop()]);
    expect(await query(second.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  }
});

test('survives a killed user and is adopted by the next', async () => {
  const { child, url } = await startUser();
  await query(url, 'insert into kept values (2)');
  const pid = await serverPid();
  await end(child, 'SIGKILL');
  expect(await isRunning()).toBe(true);
  const next = await start();
  expect(await serverPid()).toBe(pid);
  expect(next.connectionString).toBe(url);
  await next.stop();
  expect(await isRunning()).toBe(false);
});

test('is stopped by a user that ends properly', async () => {
  const { child } = await startUser();
  await end(child, 'SIGTERM');
  expect(await isRunning()).toBe(false);
});

test('restarts at the same address after it is killed, with every committed row', async () => {
  const server = await start();
  await query(server.connectionString, 'insert into kept values (3)');
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  for (;;) {
    const rows = await query(server.connectionString, 'select * from kept where id = 3').catch(
      () => undefined,
    );
    if (rows && (await serverPid()) !== pid) {
      expect(rows).toEqual([{ id: 3 }]);
      break;
    }
    await delay(50);
  }
  await server.stop();
  expect(await isRunning()).toBe(false);
});

test('is stopped by a user that leaves while it recovers from a crash', async () => {
  const server = await start();
  const backend = new pg.Client({ connectionString: server.connectionString });
  backend.on('error', () => {});
  await backend.connect();
  const { rows } = await backend.query('select pg_backend_pid() as pid');
  // PostgreSQL then ends all its other processes and restarts.
  process.kill(rows[0].pid, 'SIGKILL');
  await server.stop();
  expect(await isRunning()).toBe(false);
});

test('starts despite a stale pid file', async () => {
  const { child } = await startUser();
  const pid = await serverPid();
  child.kill('SIGSTOP');
  process.kill(pid, 'SIGKILL');
  await end(child, 'SIGKILL');
  expect(await serverPid()).toBe(pid);
  const server = await start();
  expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

// A restarted container assigns pids from 1 again, so the old server's pid may belong to another process.
test.each([
  'thread',
  'process',
])('starts despite a pid file whose pid now belongs to a living %s', async (kind) => {
  const { child } = await startUser();
  const [data, pid] = [join(dataDir, 'postgres', 'cluster', 'data'), await serverPid()];
  child.kill('SIGSTOP');
  process.kill(pid, 'SIGKILL');
  await end(child, 'SIGKILL');
  // The process runs as the server's own user, because processes of other users are never mistaken for it.
  const { uid, gid } = await stat(data);
  const stranger = spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 60_000)'], {
    uid,
    gid,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(stranger.stdout!, 'data');
    const threads = (await readdir(`/proc/${stranger.pid}/task`)).map(Number);
    const thread = threads.find((id) => id !== stranger.pid)!;
    expect(thread).toBeGreaterThan(0);
    const file = join(data, 'postmaster.pid');
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [kind === 'thread' ? thread : stranger.pid, ...rest].join('\n'));
    const server = await start();
    expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(stranger.exitCode).toBe(null);
  } finally {
    await end(stranger, 'SIGKILL');
  }
}, 30_000);

test('refuses the data of another PostgreSQL version, and says what to do', async () => {
  const file = join(dataDir, 'postgres', 'cluster', 'data', 'PG_VERSION');
  const version = await readFile(file, 'utf8');
  await writeFile(file, '12\n');
  await expect(start()).rejects.toThrow(/created by PostgreSQL 12.*pg_upgrade/s);
  await writeFile(file, version);
});
