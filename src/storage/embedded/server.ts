// PostgreSQL without an installation: a server in DATA_DIR, shared by every process that uses that folder. Each holds a
// lease (a session lock in the server). The last to leave stops the server; a server that dies is restarted.
import { chown, mkdir, realpath, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Fault } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { LOCKS } from '../postgres/coordination/advisory-locks.ts';
import { installBinaries, type PostgresBinaries } from './binaries.ts';
import { type Cluster, openCluster } from './cluster.ts';
import {
  connectTo,
  findReadyPostmaster,
  launchPostmaster,
  mayBeServer,
  type Postmaster,
  stopPostmaster,
} from './postmaster.ts';
import { findClosedFolder, findRunUser, type RunUser } from './run-user.ts';

/** A server that this process uses. */
export interface EmbeddedPostgres {
  /** For `pg` and everything built on it; holds the password. */
  readonly connectionString: string;
  /** Releases the lease; stops the server if no other process holds one. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 90_000;
/**
 * How long a process that leaves waits for a crashed server to be ready again, before it leaves without stopping it.
 */
const RESTART_TIMEOUT_MS = 10_000;
const DATABASE_NAME = 'likeness';

interface Installation {
  readonly binaries: PostgresBinaries;
  readonly cluster: Cluster;
  readonly runUser: RunUser | undefined;
}

interface Lease {
  readonly client: pg.Client;
  readonly postmaster: Postmaster;
}

/**
 * Starts the server of `dataDir` unless it runs: installs and creates it on the first call (2–3 s), adopts a running
 * one, and waits for one that is about to end. Any number of processes may call this at once.
 * @throws Fault DATABASE_START_FAILED with the reason, and the remedy if known; DATA_DIR_UNUSABLE.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Logger;
}): Promise<EmbeddedPostgres> {
  const installation = await install(options.dataDir);
  const first = await takeLease(installation, Date.now() + START_TIMEOUT_MS);
  await createDatabaseOnce(first.client);
  const guard = guardServer(installation, first, options.log);
  const { user, password } = installation.cluster;
  return {
    connectionString: `postgres://${user}:${password}@127.0.0.1:${first.postmaster.port}/${DATABASE_NAME}`,
    stop: guard.release,
  };
}

async function install(dataDir: string): Promise<Installation> {
  const folder = join(dataDir, 'postgres');
  const runUser = await findRunUser(folder);
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (runUser) await chown(folder, runUser.uid, runUser.gid);
  // The server reports its folder without symlinks; leases compare it.
  const home = await realpath(folder);
  if (runUser) await requireAccess(home, runUser);
  const binaries = await installBinaries(home);
  return { binaries, cluster: await openCluster(home, binaries, runUser), runUser };
}

async function requireAccess(home: string, runUser: RunUser): Promise<void> {
  const closed = await findClosedFolder(home, runUser);
  if (!closed) return;
  throw new Fault(
    'DATA_DIR_UNUSABLE',
    `Likeness was started as root, so PostgreSQL runs as uid ${runUser.uid}, which may not enter ${closed}: run \`chmod o+x ${closed}\`, ` +
      'or set DATA_DIR to a folder that every user may enter, such as /var/lib/likeness',
  );
}

/** Finds or launches the server and takes a lease on it. */
async function takeLease(installation: Installation, deadline: number): Promise<Lease> {
  const { cluster, binaries, runUser } = installation;
  let reason = '';
  for (;;) {
    const postmaster = await findReadyPostmaster(cluster);
    const client = postmaster && (await connectTo(cluster, postmaster.port));
    if (postmaster && client) {
      try {
        await client.query('select pg_advisory_lock_shared($1)', [LOCKS.lease]);
        return { client, postmaster };
      } catch {
        // Its last user was stopping it: wait until it has ended and start it again.
        await client.end().catch(() => {});
      }
    } else {
      // Harmless next to a server that is starting or stopping: PostgreSQL's own lock file lets only one run.
      reason = (await launchPostmaster(cluster, binaries, runUser)) ?? reason;
    }
    if (Date.now() > deadline || (await isDiskFull(cluster.folder, reason)))
      throw new Fault('DATABASE_START_FAILED', lastLines(reason));
    await delay(100);
  }
}

/** Takes the lease again whenever its connection breaks, starting the server if necessary. */
function guardServer(installation: Installation, first: Lease, log: Logger): { release(): Promise<void> } {
  let current = first;
  let released = false;
  let renewal: Promise<void> | undefined;
  const watch = (lease: Lease) => {
    lease.client.once('end', () => {
      if (!released) renewal = renew();
    });
  };
  const renew = async () => {
    log.error('the embedded database ended; starting it again');
    while (!released) {
      try {
        current = await takeLease(installation, Date.now() + START_TIMEOUT_MS);
        watch(current);
        log.info('the embedded database is back');
        return;
      } catch (error) {
        log.fatal({ err: error }, 'the embedded database does not start');
      }
    }
  };
  watch(first);
  return {
    release: async () => {
      if (released) return;
      released = true;
      await renewal;
      await releaseLease(installation.cluster, current);
    },
  };
}

/** The last to leave stops the server, even one that restarts after a crash and would stay without a user. */
async function releaseLease(cluster: Cluster, lease: Lease): Promise<void> {
  if (await leave(cluster, lease)) return;
  const { postmaster } = lease;
  const deadline = Date.now() + RESTART_TIMEOUT_MS;
  while (Date.now() < deadline && (await mayBeServer(cluster, postmaster.pid))) {
    const client = await connectTo(cluster, postmaster.port);
    if (client && (await leave(cluster, { client, postmaster }))) return;
    await delay(100);
  }
}

/** False if the connection broke, so that it is not known who else holds a lease. */
async function leave(cluster: Cluster, { client, postmaster }: Lease): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [LOCKS.lease]);
    // Only the last user gets the exclusive lock; it is held until the server has ended.
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
      LOCKS.lease,
    ]);
    if (rows[0]?.last) await stopPostmaster(cluster, postmaster);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabaseOnce(client: pg.Client): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
  if (found.rowCount) return;
  try {
    await client.query(`create database ${DATABASE_NAME}`);
  } catch (error) {
    // 42P04, or a unique violation in the catalogue: another process was first.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

function lastLines(log: string): string {
  return log.split('\n').slice(-4).join(' | ');
}

/**
 * On a full disk the server would fail again and again until the deadline. If the disk is completely full, its log has
 * no room for the reason.
 */
async function isDiskFull(folder: string, reason: string): Promise<boolean> {
  if (reason === '') return false;
  const { bavail, bsize } = await statfs(folder);
  return reason.includes('No space left on device') || bavail * bsize < 65_536;
}
