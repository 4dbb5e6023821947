import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { newDataDir, removeDataDir } from '../../support/running-service.ts';

const PRLIMIT = '/usr/bin/prlimit';

it.skipIf(!existsSync(PRLIMIT))(
  'keeps running without a file descriptor to start its worker with, and starts it later',
  async () => {
    const dataDir = newDataDir();
    // Its worker finds no database, and exits.
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, 'starved-supervisor.js')], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const limit = (files: number) =>
      execFileSync(PRLIMIT, ['--pid', String(child.pid), `--nofile=${files}:`]);
    const said: { message: string; err?: string; code?: number | null }[] = [];
    createInterface(child.stdout).on('line', (line) => said.push(JSON.parse(line)));
    const hasSaid = (what: object) => expect.poll(() => said, { timeout: 60_000 }).toContainEqual(what);
    try {
      await hasSaid({ message: 'here' });
      // Open descriptors stay open.
      limit(3);
      child.stdin.write('go\n');
      await hasSaid({ slot: 0, err: 'EMFILE', message: 'a worker cannot be started or reached' });
      limit(1_024);
      await hasSaid(
        expect.objectContaining({ code: expect.any(Number), message: 'a worker ended; starting another' }),
      );
      expect(child.exitCode).toBeNull();
    } finally {
      child.kill('SIGKILL');
      removeDataDir(dataDir);
    }
  },
  150_000,
);
