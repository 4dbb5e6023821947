// The server process of the embedded PostgreSQL: found by its postmaster.pid, launched, stopped.
// postmaster.pid is never deleted here: PostgreSQL does that, under its own protection against a second server.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresBinaries } from './binaries.ts';
import { type Cluster, cleanEnvironment } from './cluster.ts';
import { findPidHolder } from './pid-file.ts';
import type { RunUser } from './run-user.ts';

/** The running server, as its pid file names it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** How long the previous port may be held: longer than a launch that fails because another process launches too. */
const PORT_HELD_MS = 10_000;
/** How long a launched server may take until it is ready: crash recovery replays up to 1 GB of WAL. */
const LAUNCH_TIMEOUT_MS = 60_000;
const MAX_LOG_BYTES = 10_000_000;
/** Settings that override postgresql.conf; the operator may change the others there. */
const IMPOSED = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // Old WAL segments are deleted, not recycled with their contents, which include erased keys.
  'wal_recycle=off',
];

/** The server that postmaster.pid names, if its process is alive and reports itself ready. */
export async function findReadyPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const { pid, port, status } = await readPidFile(cluster);
  if (!(pid > 0) || !(port > 0) || status !== 'ready' || !(await mayBeServer(cluster, pid))) return undefined;
  return { pid, port };
}

/** Numbers are 0 or NaN if the file is missing or incomplete. */
async function readPidFile(cluster: Cluster): Promise<Postmaster & { readonly status: string | undefined }> {
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory, status.
  const text = await readFile(join(cluster.dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7] };
}

/** Whether this process is the cluster's server, or may be: not every system can tell. */
export async function mayBeServer(cluster: Cluster, pid: number): Promise<boolean> {
  const holder = await findPidHolder(pid, cluster.dataFolder);
  return holder === 'server' || holder === 'unknown';
}

/** Opens a connection to a server; undefined if that is not this cluster's server, or is not ready. */
export async function connectTo(cluster: Cluster, port: number): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: cluster.user,
    password: cluster.password,
    database: 'postgres',
    application_name: 'likeness lease',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    );
    if (rows[0]?.folder === cluster.dataFolder) return client;
  } catch {
    // Starting, stopping, or another program's port: the caller tries again.
  }
  await client.end().catch(() => {});
  return undefined;
}

/**
 * Launches the server and waits until it is ready or has ended. The server outlives this process: after a `kill -9` the
 * next start adopts it.
 * @returns undefined if it came up, otherwise the last lines of its log.
 */
export async function launchPostmaster(
  cluster: Cluster,
  binaries: PostgresBinaries,
  runUser: RunUser | undefined,
): Promise<string | undefined> {
  const port = await choosePort(cluster);
  const logFile = join(cluster.folder, 'server.log');
  await rotate(logFile);
  const log = await open(logFile, 'a', 0o600);
  const logStart = (await log.stat()).size;
  const settings = ['-D', cluster.dataFolder, '-p', String(port), ...IMPOSED.flatMap((each) => ['-c', each])];
  // No core dumps: they would contain keys, in a folder that is backed up.
  const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$0" "$@"', binaries.postgres, ...settings], {
    cwd: cluster.folder,
    env: { ...cleanEnvironment(), ...(await staleness(cluster)) },
    stdio: ['ignore', log.fd, log.fd],
    // A session of its own: Ctrl-C at the terminal must not reach the server before we are done with it.
    detached: true,
    ...runUser,
  });
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  child.unref();
  await log.close();
  const deadline = Date.now() + LAUNCH_TIMEOUT_MS;
  while (!ended && Date.now() < deadline) {
    if ((await findReadyPostmaster(cluster))?.pid === child.pid) return undefined;
    await delay(20);
  }
  const text = await readFile(logFile).catch(() => Buffer.alloc(0));
  const tail = text.subarray(logStart).toString('utf8').trim();
  return tail || 'the server exited without any output';
}

/**
 * Environment that tells the new server that the pid file is stale although its pid is alive. PostgreSQL, which would
 * otherwise end with `lock file "postmaster.pid" already exists`, disregards the one pid that this variable names (its
 * grandparent's, as pg_ctl uses it). If another server has written its own pid meanwhile, PostgreSQL still refuses.
 */
async function staleness(cluster: Cluster): Promise<{ PG_GRANDPARENT_PID?: string }> {
  const { pid } = await readPidFile(cluster);
  if (!(pid > 0) || (await findPidHolder(pid, cluster.dataFolder)) !== 'other') return {};
  return { PG_GRANDPARENT_PID: String(pid) };
}

/**
 * Fast shutdown: open transactions are rolled back, and everything committed is on disk. Resolves when the server has
 * ended.
 */
export async function stopPostmaster(cluster: Cluster, { pid }: Postmaster): Promise<void> {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    return;
  }
  while (await mayBeServer(cluster, pid)) await delay(20);
}

/**
 * Returns the previous port, so that the pools of other processes find the server again. Another process's launch may
 * hold it for a moment; only a longer holder is another program.
 */
async function choosePort(cluster: Cluster): Promise<number> {
  const file = join(cluster.folder, 'port');
  const last = Number(await readFile(file, 'utf8').catch(() => '0'));
  const deadline = Date.now() + PORT_HELD_MS;
  while (last > 0 && Date.now() < deadline) {
    if ((await findReadyPostmaster(cluster)) || (await tryPort(last))) return last;
    await delay(50);
  }
  const port = await findFreePort();
  await writeFile(file, String(port), { mode: 0o600 });
  return port;
}

/**
 * Chooses a port below those that systems assign to outgoing connections, one of which could take it while the server
 * is down.
 */
async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = await tryPort(randomInt(20_000, 32_000));
    if (port) return port;
  }
  throw new Error('no free port on 127.0.0.1');
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}

async function rotate(file: string): Promise<void> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
}
