// The set-up installs what is missing and shows the package manager's output only if that fails.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');
const isRoot = process.getuid?.() === 0;
/** The only folder on the PATH, so that nothing counts as installed on this machine. */
let programs: string;

beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'likeness-path-'));
});
afterEach(() => rmSync(programs, { recursive: true }));

function setUp(aptGet?: string): { status: number | null; lines: string[] } {
  if (aptGet !== undefined) {
    writeFileSync(join(programs, 'apt-get'), `#!/bin/sh\n${aptGet}\n`);
    chmodSync(join(programs, 'apt-get'), 0o755);
  }
  const { status, stderr } = spawnSync(process.execPath, ['bin/bootstrap.js', 'setup'], {
    cwd: ROOT,
    env: { PATH: programs },
    encoding: 'utf8',
  });
  return { status, lines: stderr.trim().split('\n') };
}

const INSTALLING = `likeness: ffmpeg is missing: installing Debian's ffmpeg and bubblewrap (200 MB to download) …`;

test('prints one line for an installation (skipped unless root)', { skip: !isRoot }, () => {
  const done = setUp(`echo "Unpacking $2"; echo note >&2; [ "$1" = update ] || : > "${programs}/ffmpeg"`);
  expect(done).toEqual({ status: 0, lines: [INSTALLING, 'likeness: everything is in place'] });
});

test("shows the package manager's output when the installation fails (skipped unless root)", {
  skip: !isRoot,
}, () => {
  const { status, lines } = setUp('echo "no space left on device" >&2; exit 100');
  expect(status).toBe(1);
  expect(lines).toEqual([
    INSTALLING,
    'no space left on device',
    'likeness: ffmpeg could not be installed. Do it by hand: apt-get update && apt-get install -y ffmpeg bubblewrap',
  ]);
});

test('says what to do where nothing can be installed', () => {
  const { status, lines } = setUp();
  expect(status).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^likeness: ffmpeg is missing\. Install it with /)]);
});
