// What a program that handles hostile bytes needs on this machine.
import { dirname, isAbsolute } from 'node:path';

export interface Program {
  readonly path: string;
  /** Files and folders beyond the system's that it reads. */
  readonly files: readonly string[];
  /** Commands of the shell that then becomes the program: its limits of processor time and memory. */
  readonly limits: string;
  /** Arguments with which it ends with 0 where it can run. */
  readonly trial: readonly string[];
}

/**
 * ffmpeg, ffprobe: 30 seconds of processor time, 1.5 GB of addresses, 400 MB of data (macOS has no such limits). With
 * 16 references of 1920 × 1440, more than any camera's, decoding takes 302 MB at 10 bits, and 456 with whole chroma.
 */
export const mediaTool = (path: string): Program => ({
  path,
  files: isAbsolute(path) ? [dirname(path)] : [],
  limits: 'ulimit -t 30; ulimit -v 1500000 2>/dev/null; ulimit -d 400000 2>/dev/null',
  trial: ['-version'],
});
