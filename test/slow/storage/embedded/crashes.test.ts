// The embedded server where it or its users are killed. Slow: each case starts real servers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeddedRig, type EmbeddedRig, query } from '../../../storage/embedded/embedded-rig.ts';

let rig: EmbeddedRig;

beforeAll(async () => {
  rig = await createEmbeddedRig();
  const server = await rig.start();
  await query(server.connectionString, 'create table kept (id int)');
  await server.stop();
});
afterAll(() => rig.remove());

async function startUser(): Promise<{ child: ChildProcess; url: string }> {
  const script = join(import.meta.dirname, 'embedded-user.js');
  const child = spawn(process.execPath, [script, rig.dataDir], {
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

test('survives a killed user and is adopted by the next', async () => {
  const { child, url } = await startUser();
  await query(url, 'insert into kept values (2)');
  const pid = await rig.serverPid();
  await end(child, 'SIGKILL');
  expect(await rig.isRunning()).toBe(true);
  const next = await rig.start();
  expect(await rig.serverPid()).toBe(pid);
  expect(next.connectionString).toBe(url);
  await next.stop();
  expect(await rig.isRunning()).toBe(false);
});

test('is stopped by a user that ends properly', async () => {
  const { child } = await startUser();
  await end(child, 'SIGTERM');
  expect(await rig.isRunning()).toBe(false);
});

test('restarts at the same address after it is killed, with every committed row', async () => {
  const server = await rig.start();
  await query(server.connectionString, 'insert into kept values (3)');
  const pid = await rig.serverPid();
  process.kill(pid, 'SIGKILL');
  for (;;) {
    const rows = await query(server.connectionString, 'select * from kept where id = 3').catch(
      () => undefined,
    );
    if (rows && (await rig.serverPid()) !== pid) {
      expect(rows).toEqual([{ id: 3 }]);
      break;
    }
    await delay(50);
  }
  await server.stop();
  expect(await rig.isRunning()).toBe(false);
});

test('is stopped by a user that leaves while it recovers from a crash', async () => {
  const server = await rig.start();
  const backend = new pg.Client({ connectionString: server.connectionString });
  backend.on('error', () => {});
  await backend.connect();
  const { rows } = await backend.query('select pg_backend_pid() as pid');
  // PostgreSQL then ends all its other processes and restarts.
  process.kill(rows[0].pid, 'SIGKILL');
  await server.stop();
  expect(await rig.isRunning()).toBe(false);
});

test('starts despite a stale pid file', async () => {
  const { child } = await startUser();
  const pid = await rig.serverPid();
  child.kill('SIGSTOP');
  process.kill(pid, 'SIGKILL');
  await end(child, 'SIGKILL');
  expect(await rig.serverPid()).toBe(pid);
  const server = await rig.start();
  expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

// A restarted container assigns pids from 1 again, so the old server's pid may belong to another process.
test.each([
  'thread',
  'process',
])('starts despite a pid file whose pid now belongs to a living %s', async (kind) => {
  const { child } = await startUser();
  const [data, pid] = [join(rig.dataDir, 'postgres', 'cluster', 'data'), await rig.serverPid()];
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
    const server = await rig.start();
    expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(stranger.exitCode).toBe(null);
  } finally {
    await end(stranger, 'SIGKILL');
  }
}, 30_000);
