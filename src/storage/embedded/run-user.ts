// Who the embedded PostgreSQL runs as: PostgreSQL refuses root, so as root an unprivileged user is needed.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../../base/errors.ts';

/** User and group ids for `spawn` and `chown`. */
export interface RunUser {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', 'likeness', 'nobody'];

/**
 * The user for the server whose files are in `folder`; undefined means this process's own user. As root, it is the
 * owner of the folder if the folder exists, so that a second start never finds files of another user.
 */
export async function findRunUser(folder: string): Promise<RunUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(folder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of CANDIDATES) {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (uid && gid) return { uid, gid };
  }
  throw new Fault(
    'DATABASE_START_FAILED',
    'PostgreSQL does not run as root and none of the users postgres, likeness, nobody exists here: ' +
      'add one (useradd --system likeness), or set DATABASE_URL',
  );
}

/**
 * The topmost folder on the way to `path` that the user may not enter; null if there is none. Tried, not
 * computed from modes: access lists count too.
 */
export async function findClosedFolder(path: string, user: RunUser): Promise<string | null> {
  if (await canAccess(path, user)) return null;
  const parent = dirname(path);
  return (parent === path ? null : await findClosedFolder(parent, user)) ?? path;
}

async function canAccess(path: string, user: RunUser): Promise<boolean> {
  try {
    await promisify(execFile)('/bin/sh', ['-c', 'cd -- "$1"', 'sh', path], { cwd: '/', ...user });
    return true;
  } catch {
    return false;
  }
}

async function idOf(which: '-u' | '-g', name: string): Promise<number | undefined> {
  try {
    return Number((await promisify(execFile)('id', [which, name])).stdout.trim()) || undefined;
  } catch {
    return undefined;
  }
}
