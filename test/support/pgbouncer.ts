// Debian's PgBouncer in transaction mode, in front of a PostgreSQL server.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, listensAt } from './free-port.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
/** Debian's `nobody`, because PgBouncer refuses to run as root. */
const NOBODY = 65_534;

export interface PgBouncer {
  /** The database that it was started with, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Whether PgBouncer is there; as root, installs it if it is not. */
export function hasPgBouncer(): boolean {
  if (existsSync(PROGRAM)) return true;
  if (process.getuid?.() !== 0) return false;
  try {
    // At this run level no service is started after the installation.
    const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'pgbouncer'], {
      env,
      stdio: 'ignore',
    });
  } catch {
    return false;
  }
  return existsSync(PROGRAM);
}

/** Starts PgBouncer with few connections to the server, so that clients must share them. */
export async function startPgBouncer(serverUrl: string, serverConnections: number): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'likeness-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const place = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`;
  const settings = [
    '[databases]',
    `* = ${place}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
  ];
  writeFileSync(file, settings.join('\n'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY);
  const child = spawn(PROGRAM, ['-q', file], {
    stdio: 'ignore',
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const exited = once(child, 'exit');
  while (!(await listensAt(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    await delay(50);
  }
  const url = new URL(serverUrl);
  Object.assign(url, { hostname: '127.0.0.1', port: String(port), search: '' });
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
