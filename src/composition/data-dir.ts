// Checks DATA_DIR before anything is written there. The error names the folder and the remedy.
import { constants } from 'node:fs';
import { access, mkdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '../base/errors.ts';
import type { Config } from '../config/config.ts';

type DataDirConfig = Pick<Config, 'dataDir' | 'MODE' | 'DATABASE_URL' | 'ASSET_STORE'>;

/** PostgreSQL writes its log in files of 16 MB and stops when the next one does not fit. This is twice that. */
const FULL_BELOW_BYTES = 32 * 1024 * 1024;

/**
 * Creates DATA_DIR if it is needed and missing. A production process with database and assets elsewhere needs none.
 * @throws Fault DATA_DIR_UNUSABLE naming the folder and the remedy
 */
export async function prepareDataDir(config: DataDirConfig): Promise<void> {
  const { dataDir, MODE, DATABASE_URL, ASSET_STORE } = config;
  if (MODE === 'production' && DATABASE_URL && ASSET_STORE !== 'disk') return;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Fault('DATA_DIR_UNUSABLE', await remedy(dataDir, cause as NodeJS.ErrnoException), { cause });
  }
}

/**
 * Explains a failed start. On a full disk, starts fail in many places, mostly without saying why; PostgreSQL in
 * DATA_DIR stops silently. Returns a fault that names the full disk, or `error` itself if the disk has space.
 */
export async function explainFullDisk(config: DataDirConfig, error: unknown): Promise<unknown> {
  const { dataDir, DATABASE_URL } = config;
  if (!reportsFullDisk(error) && (DATABASE_URL || !(await isFull(dataDir)))) return error;
  const detail = await remedy(dataDir, { code: 'ENOSPC' } as NodeJS.ErrnoException);
  return new Fault('DATA_DIR_UNUSABLE', detail, { cause: error });
}

function reportsFullDisk(error: unknown): boolean {
  const { code, cause, message } = (error ?? {}) as { code?: unknown; cause?: unknown; message?: string };
  return (
    code === 'ENOSPC' ||
    message?.includes('No space left on device') ||
    (cause !== undefined && reportsFullDisk(cause))
  );
}

async function isFull(folder: string): Promise<boolean> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize < FULL_BELOW_BYTES,
    () => false,
  );
}

async function remedy(dataDir: string, { code }: NodeJS.ErrnoException): Promise<string> {
  const other = 'set DATA_DIR to another folder';
  switch (code) {
    case 'EACCES':
    case 'EPERM': {
      const [uid, gid] = [process.getuid?.(), process.getgid?.()];
      const mend = `sudo install -d -o ${uid} -g ${gid} ${dataDir}`;
      return `this process (uid ${uid}) may not write to ${await nearest(dataDir)}: run \`${mend}\`, or ${other}`;
    }
    case 'EROFS':
      return `${dataDir} is on a read-only file system: mount a volume there, or ${other}`;
    case 'ENOSPC':
      return `there is no space left for ${dataDir}: free some, or ${other}`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${dataDir} is not a folder, or its path leads through a file: ${other}`;
    default:
      return `${dataDir} (${code}): ${other}`;
  }
}

/** The folder, or its closest ancestor that can be seen. */
async function nearest(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  return exists || path === dirname(path) ? path : nearest(dirname(path));
}
