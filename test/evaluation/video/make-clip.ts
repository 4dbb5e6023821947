// Makes small real clips with ffmpeg for tests, in a folder that the test removes, or kept for the next run.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEPT_DIR = resolve(import.meta.dirname, '../../../build/test-clips');

export interface ClipFolder {
  /** Runs ffmpeg with these arguments and writes `name`; returns its path. */
  make(name: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function clipFolder(): Promise<ClipFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'clips-'));
  return {
    async make(name, args) {
      const path = join(folder, name);
      await ffmpeg(args, path);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Clips kept under build/, named by a hash of everything that they are made from: the same bytes in every run. */
export function keptClips(): ClipFolder {
  mkdirSync(KEPT_DIR, { recursive: true });
  return {
    async make(name, args) {
      const path = join(KEPT_DIR, `${hashOf(args)}${extname(name)}`);
      if (existsSync(path)) return path;
      const part = join(KEPT_DIR, `${process.pid}-${name}`);
      await ffmpeg(args, part);
      await rename(part, path);
      return path;
    },
    remove: async () => {},
  };
}

/** Version of the installed ffmpeg. */
export const ffmpegVersion = (): string =>
  execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split('\n', 1)[0]!;

function ffmpeg(args: readonly string[], path: string) {
  return run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path]);
}

/** Hash of the arguments, and of the contents of files among them. */
function hashOf(args: readonly string[]): string {
  const hash = createHash('sha256').update(ffmpegVersion());
  for (const arg of args) hash.update('\0').update(isFile(arg) ? readFileSync(arg) : arg);
  return hash.digest('hex').slice(0, 32);
}

const isFile = (arg: string) => statSync(arg, { throwIfNoEntry: false })?.isFile() ?? false;

/** A moving test picture as input. */
export function testPicture(size: string, fps: number, seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`];
}
