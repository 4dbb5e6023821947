// A start on a full disk reports it at once, at whatever stage. PostgreSQL itself exits without telling its clients.
import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CAN_MOUNT, mountSmallDisk } from '../../support/small-disk.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** Runs `likeness migrate` in this folder until it exits. */
async function migrate(dataDir: string): Promise<{ code: unknown; errors: string }> {
  const child = spawn(process.execPath, ['bin/likeness', 'migrate'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((done) => child.once('close', done));
  return { code, errors };
}

test.skipIf(!CAN_MOUNT)(
  'reports a disk without space for a database, or for more of it (mounts a tmpfs)',
  async () => {
    // The first is too small for the programs, the second for what is written into the database.
    for (const megabytes of [30, 80]) {
      const disk = mountSmallDisk(megabytes);
      try {
        const dataDir = join(disk.folder, 'data');
        expect(await migrate(dataDir), `${megabytes} MB`).toEqual({ code: 1, errors: sentence(dataDir) });
      } finally {
        disk.remove();
      }
    }
    const disk = mountSmallDisk(300);
    try {
      const [dataDir, fill] = [join(disk.folder, 'data'), join(disk.folder, 'fill')];
      expect(await migrate(dataDir)).toEqual({ code: 0, errors: '' });
      await writeFile(fill, Buffer.alloc(400_000_000)).catch(() => {});
      expect(await migrate(dataDir)).toEqual({ code: 1, errors: sentence(dataDir) });
      await rm(fill);
      expect(await migrate(dataDir)).toEqual({ code: 0, errors: '' });
    } finally {
      disk.remove();
    }
  },
  300_000,
);

const sentence = (dataDir: string) =>
  `likeness: the data folder cannot be used: there is no space left for ${dataDir}: free some, or set DATA_DIR to another ` +
  'folder [DATA_DIR_UNUSABLE]\n';
