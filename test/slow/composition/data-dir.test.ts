// An unusable DATA_DIR is reported in one sentence with the folder and the remedy, whichever user starts the service.
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-data-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `serve` with this folder until it exits. */
async function start(dataDir: string, user = {}): Promise<{ code: unknown; errors: string }> {
  const child = spawn(process.execPath, ['bin/likeness', 'serve'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((done) => child.once('close', done));
  return { code, errors };
}

test.concurrent('refuses a path that leads through a file', async () => {
  await writeFile(join(folder, 'file'), '');
  const dataDir = join(folder, 'file', 'data');
  expect(await start(dataDir)).toEqual({
    code: 1,
    errors:
      `likeness: the data folder cannot be used: ${dataDir} is not a folder, or its path leads through a file: ` +
      'set DATA_DIR to another folder [DATA_DIR_UNUSABLE]\n',
  });
});

test.concurrent('refuses one that this process may not write to (skipped unless root)', {
  skip: !isRoot,
}, async () => {
  const theirs = join(folder, 'theirs');
  await mkdir(theirs, { mode: 0o755 });
  const { code, errors } = await start(join(theirs, 'data'), { uid: NOBODY, gid: NOBODY });
  expect(code).toBe(1);
  expect(errors).toBe(
    `likeness: the data folder cannot be used: this process (uid ${NOBODY}) may not write to ${theirs}: run ` +
      `\`sudo install -d -o ${NOBODY} -g ${NOBODY} ${theirs}/data\`, or set DATA_DIR to another folder [DATA_DIR_UNUSABLE]\n`,
  );
});

test.concurrent("refuses one that PostgreSQL's user may not enter (skipped unless root)", {
  skip: !isRoot,
}, async () => {
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const { code, errors } = await start(join(closed, 'data'));
  expect(code).toBe(1);
  expect(errors).toMatch(
    new RegExp(
      `PostgreSQL runs as uid \\d+, which may not enter ${closed}: run \`chmod o\\+x ${closed}\`, or`,
    ),
  );
  expect(errors.trim().split('\n')).toHaveLength(1);
});
