// A service that cannot start says why in a sentence and ends, so that whoever supervises it can start it again.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');

test.concurrent.each([
  'api',
  'worker',
])('ROLE=%s without its database ends, also as the child of a supervisor', async (role) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'likeness-serve-'));
  // The channel to a parent keeps a process alive until it is closed.
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/program.ts', 'serve'], {
    cwd: ROOT,
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME },
      ...{ ROLE: role, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' },
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  try {
    let errors = '';
    child.stderr!.on('data', (chunk) => {
      errors += chunk;
    });
    expect(await new Promise((done) => child.once('close', done))).toBe(1);
    expect(errors).toMatch(/^likeness: the database cannot be reached: .*\[DATABASE_UNAVAILABLE\]$/m);
    expect(errors).not.toMatch(/ {4}at /);
  } finally {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true });
  }
}, 60_000);
