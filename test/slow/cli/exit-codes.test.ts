// Exit codes of all commands: 0 done, 1 fault, 2 wrong usage, 3 could not be judged. Never a stack trace. One command
// line of each kind runs in a process of its own, the others in this one, which has the program loaded.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../../src/config/version.ts';
import { runLikeness } from '../../support/command-line.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const NO_DATABASE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-exit-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

async function likeness(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['bin/likeness', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: dataDir, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk) => output.push(String(chunk)));
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const code = await new Promise((done) => child.once('close', done));
  return { code, output: output.join(''), errors: errors.join('') };
}

test.concurrent('prints the version, and the exit codes in every help', async () => {
  expect(await likeness(['--version'])).toEqual({ code: 0, output: `${VERSION}\n`, errors: '' });
  for (const args of [['--help'], ['keys', 'list', '--help']]) {
    const { code, stdout } = await runLikeness(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Exit codes: 0 done, 1 fault, 2 wrong usage, 3 could not be judged, 4 refused\.$/m,
    );
  }
});

type Row = [what: string, code: number, args: string[], environment?: Record<string, string>];

test.concurrent.each<Row>([
  ['a missing argument', 2, ['accounts', 'create']],
  ['an unreachable database', 1, ['accounts', 'list'], NO_DATABASE],
])('%s ends a process with %i', async (_what, code, args, environment) => {
  const ended = await likeness(args, environment);
  expect(ended.code, ended.errors).toBe(code);
  expect(ended.output + ended.errors).not.toBe('');
  expect(ended.errors).not.toMatch(/ {4}at /);
});

test('a closed pipe is no fault; a full disk is one, without a stack trace', async () => {
  const shell = async (line: string) => {
    const child = spawn('/bin/bash', ['-c', `set -o pipefail; ${line}`], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    return { code: await new Promise((done) => child.once('close', done)), errors };
  };
  // Vitest sets variables of these names.
  const config = 'env -u MODE -u BASE_URL node bin/likeness config';
  expect(await shell(`${config} | true`)).toEqual({ code: 0, errors: '' });
  if (process.platform !== 'linux') return;
  expect(await shell(`${config} > /dev/full`)).toEqual({
    code: 1,
    errors: 'likeness: the answer could not be written: ENOSPC\n',
  });
});

test.each<Row>([
  ['no command', 2, []],
  ['an unknown command', 2, ['evaluat']],
  ['an unknown option', 2, ['keys', 'list', '--acount', 'a']],
  ['too many arguments', 2, ['serve', 'now']],
  ['two videos', 2, ['evaluate', 'a.webm', 'b.webm']],
  ['a wrong variable', 2, ['serve'], { PORT: 'x' }],
  ['a password that is not encoded', 2, ['migrate'], { DATABASE_URL: 'postgres://me:s/cret@db/likeness' }],
  ['a socket that is not there', 1, ['migrate'], { DATABASE_URL: 'postgres:///likeness?host=/none' }],
  ['a path through a file', 2, ['compare', '/etc/passwd/a', 'b']],
  ['nobody to ask', 2, ['challenge', 'show', 'x']],
  ['an unreachable service', 1, ['challenge', 'show', 'x', '--url', 'http://127.0.0.1:1', '--key', 'k']],
  ['a check that fails', 1, ['doctor'], NO_DATABASE],
])('%s: %i', async (_what, code, args, environment) => {
  const ended = await runLikeness(args, { DATA_DIR: dataDir, HOME: dataDir, ...environment });
  expect(ended.code, ended.stderr).toBe(code);
  expect(ended.stdout + ended.stderr).not.toBe('');
  expect(ended.stderr).not.toMatch(/ {4}at |s\/cret/);
});
