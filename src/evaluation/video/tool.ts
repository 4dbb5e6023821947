// Starts ffmpeg and ffprobe on hostile input: confined (confinement.ts), with a deadline, SIGKILL.
import type { ChildProcess } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { Fault } from '../../base/errors.ts';
import { findConfinement, spawnConfined } from './confinement.ts';

/** The input as the child sees it. */
export const INPUT_URL = '/dev/fd/3';
/** The input is descriptor 3; extra pipes begin here. */
export const FIRST_EXTRA_PIPE = 4;

/** Decoders that a video may ask for: what browsers and phones record, and what test footage is in. */
const DECODERS = 'vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,h264,hevc,mpeg4';

/** Options for reading a hostile file; they go before the input. */
export function guardedInput(demuxer: string): string[] {
  // For the video alone: a tool that cannot open the sound, which nobody decodes, would refuse the file.
  return ['-protocol_whitelist', 'file', '-f', demuxer, '-codec_whitelist:v', DECODERS];
}

export interface ToolOptions {
  /** Pipes beyond stdout and stderr, from FIRST_EXTRA_PIPE on. */
  readonly extraPipes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A running tool. `ended` never rejects on the input's faults: it reports how the program ended. */
export interface RunningTool {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; timedOut: boolean }>;
  /** Ends it at once. */
  kill(): void;
  /** Time in which it waits for us does not count. */
  holdDeadline(): void;
  resumeDeadline(): void;
}

/** @throws Fault TOOL_MISSING (through `ended`) when the program is not installed. */
export async function startTool(
  program: string,
  args: readonly string[],
  input: FileHandle,
  options: ToolOptions,
): Promise<RunningTool> {
  const pipes = Array.from({ length: options.extraPipes }, () => 'pipe' as const);
  const confinement = await findConfinement(program);
  const stdio = ['ignore', 'pipe', 'pipe', input.fd, ...pipes] as const;
  const child = spawnConfined(confinement, program, args, [...stdio]);
  const kill = () => void child.kill('SIGKILL');
  const deadline = startDeadline(options.timeoutMs, kill);
  options.signal?.addEventListener('abort', kill, { once: true });
  if (options.signal?.aborted) kill();
  const ended = new Promise<{ code: number | null; timedOut: boolean }>((resolve, reject) => {
    child.once('error', (cause) => reject(new Fault('TOOL_MISSING', program, { cause })));
    child.once('close', (code) => {
      // 126 and 127 are the shell's own: not executable, not found.
      if (code === 126 || code === 127) reject(new Fault('TOOL_MISSING', program));
      else resolve({ code, timedOut: deadline.isOver() });
    });
  }).finally(() => {
    deadline.hold();
    options.signal?.removeEventListener('abort', kill);
  });
  // The caller that awaits `ended` sees the fault; until then it must not count as unhandled.
  ended.catch(() => {});
  return { child, ended, kill, holdDeadline: deadline.hold, resumeDeadline: deadline.resume };
}

/** Calls `end` once `leftMs` have passed, those between `hold` and `resume` not counted. */
function startDeadline(leftMs: number, end: () => void) {
  let runningSince = performance.now();
  let isOver = false;
  const start = () =>
    setTimeout(() => {
      isOver = true;
      end();
    }, leftMs);
  let timer: NodeJS.Timeout | null = start();
  return {
    isOver: () => isOver,
    hold: () => {
      if (!timer) return;
      clearTimeout(timer);
      timer = null;
      leftMs -= performance.now() - runningSince;
    },
    resume: () => {
      if (timer) return;
      runningSince = performance.now();
      timer = start();
    },
  };
}
