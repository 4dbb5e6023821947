// The data folder of the embedded PostgreSQL: created once by initdb, whole or not at all, with a random password next
// to it.
import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { draftBeside, syncFolder, writeSynced } from '../../base/durable-files.ts';
import { Fault } from '../../base/errors.ts';
import { randomSecret } from '../../base/secrets.ts';
import type { PostgresBinaries } from './binaries.ts';
import type { RunUser } from './run-user.ts';

/** A database cluster on disk. */
export interface Cluster {
  /** Folder of this cluster: data, password, port, log. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly user: string;
  readonly password: string;
}

const SUPERUSER = 'likeness';

/** Written to postgresql.conf at creation, where the operator may change them. */
const SETTINGS: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '128MB',
  // An acknowledged row survives a power cut. These are the defaults, written down to be explicit.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  // Containers often have 64 MB of /dev/shm, which parallel queries would exhaust; ours are short anyway.
  max_parallel_workers_per_gather: '0',
  // No statement and no value of a row may reach the log: they can be personal.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Opens the cluster in `folder`/cluster; creates it if there is none.
 * @throws Fault DATABASE_START_FAILED when initdb fails, or the data are of another major version.
 */
export async function openCluster(
  folder: string,
  binaries: PostgresBinaries,
  runUser: RunUser | undefined,
): Promise<Cluster> {
  const home = join(folder, 'cluster');
  const passwordFile = join(home, 'password');
  let password = await readIfThere(passwordFile);
  if (password === undefined) {
    await createCluster(folder, home, binaries, runUser);
    password = await readFile(passwordFile, 'utf8');
  }
  const dataFolder = join(home, 'data');
  const version = Number(await readFile(join(dataFolder, 'PG_VERSION'), 'utf8'));
  if (version !== binaries.majorVersion) {
    throw new Fault(
      'DATABASE_START_FAILED',
      `${dataFolder} was created by PostgreSQL ${version}, but ${binaries.majorVersion} is installed: ` +
        'dump it with the old release of Likeness and restore it, or run pg_upgrade',
    );
  }
  return { folder: home, dataFolder, user: SUPERUSER, password: password.trim() };
}

async function createCluster(
  folder: string,
  home: string,
  binaries: PostgresBinaries,
  runUser: RunUser | undefined,
): Promise<void> {
  const draft = draftBeside(home);
  try {
    await mkdir(draft, { mode: 0o700 });
    const passwordFile = join(draft, 'password');
    await writeSynced(passwordFile, `${randomSecret(32)}\n`);
    if (runUser)
      await Promise.all([draft, passwordFile].map((path) => chown(path, runUser.uid, runUser.gid)));
    await runInitdb(draft, passwordFile, binaries, runUser);
    // A second process may have been faster: then its cluster is used, and the rename fails as it should.
    await rename(draft, home).catch(async (error) => {
      if ((await readIfThere(join(home, 'password'))) === undefined) throw error;
    });
    await syncFolder(folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function runInitdb(
  draft: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  runUser: RunUser | undefined,
): Promise<void> {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const args = ['-D', join(draft, 'data'), ...access, ...locale, '--no-instructions', ...settings];
  try {
    await promisify(execFile)(binaries.initdb, args, { cwd: draft, env: cleanEnvironment(), ...runUser });
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const reason =
      code === 'EACCES'
        ? `programs cannot be run in ${draft} (is it mounted noexec?); set DATA_DIR to another folder`
        : `initdb: ${stderr?.trim().split('\n').slice(-3).join(' ') || (error as Error).message}`;
    throw new Fault('DATABASE_START_FAILED', reason, { cause: error });
  }
}

/** PG* variables of the operator's shell would affect our own server. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '', LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
