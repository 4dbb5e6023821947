// A disk of a few megabytes for tests to fill: a tmpfs. Only root can mount it, and not in every container.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  remove(): void;
}

/** @param megabytes size of the disk */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-disk-'));
  const options = `size=${megabytes}m,mode=0755`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  // Users other than root write there too: the embedded database.
  chmodSync(folder, 0o755);
  return {
    folder,
    remove: () => {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether this machine lets the tests mount: `describe.skipIf(!CAN_MOUNT)` with a title that says so. */
export const CAN_MOUNT = ((): boolean => {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
})();
