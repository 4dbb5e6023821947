// Which process now has the pid in postmaster.pid. After a container was killed, the next one counts its pids from 1
// again, so the old server's pid soon belongs to another process, or to a thread of one.
import { readFile, readlink } from 'node:fs/promises';

/** `unknown` if the system does not tell: no /proc, or another user's process. */
export type PidHolder = 'nobody' | 'server' | 'other' | 'unknown';

/**
 * Says who holds a pid: a PostgreSQL of `dataFolder` (a process of its own whose working directory is that folder, as
 * for each server), some other process or thread, or nobody. `kill(pid, 0)` alone cannot tell a thread's id from a
 * process's.
 */
export async function findPidHolder(pid: number, dataFolder: string): Promise<PidHolder> {
  if (!isAlive(pid)) return 'nobody';
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    if (Number(/^Tgid:\s+(\d+)$/m.exec(status)?.[1]) !== pid) return 'other';
    return (await readlink(`/proc/${pid}/cwd`)) === dataFolder ? 'server' : 'other';
  } catch {
    return 'unknown';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
