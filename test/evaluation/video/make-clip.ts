// Makes small real clips with ffmpeg for tests, in a folder that the test removes.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ClipFolder {
  /** Runs ffmpeg with these arguments, writing `name`; gives its path. */
  make(name: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function clipFolder(): Promise<ClipFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'clips-'));
  return {
    async make(name, args) {
      const path = join(folder, name);
      await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path]);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A moving test picture as input. */
export function testPicture(size: string, fps: number, seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`];
}
