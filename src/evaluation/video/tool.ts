// Starts ffmpeg and ffprobe on hostile input: confined (confinement.ts), with a deadline, SIGKILL.
import type { ChildProcess } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Fault } from '../../base/errors.ts';
import { findConfinement, killConfined, spawnConfined } from './confinement.ts';

/** What a tool reads: a file in which it can seek, or bytes through a pipe as they come. */
export type ToolInput = FileHandle | AsyncIterable<Uint8Array>;

const isFile = (input: ToolInput): input is FileHandle => 'fd' in input;

/** The input is descriptor 3; extra pipes begin behind it. */
const INPUT_DESCRIPTOR = 3;
export const FIRST_EXTRA_PIPE = INPUT_DESCRIPTOR + 1;

/** The input as the child sees it. */
export function inputUrl(input: ToolInput): string {
  return isFile(input) ? `/dev/fd/${INPUT_DESCRIPTOR}` : `pipe:${INPUT_DESCRIPTOR}`;
}

/** Decoders that a video may ask for: what browsers and phones record, and what test footage is in. */
const DECODERS = 'vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,h264,hevc,mpeg4';

/** Options for reading a hostile file; they go before the input. */
export function guardedInput(demuxer: string, input: ToolInput): string[] {
  const protocol = isFile(input) ? 'file' : 'pipe';
  // For the video alone: a tool that cannot open the sound, which nobody decodes, would refuse the file.
  return ['-protocol_whitelist', protocol, '-f', demuxer, '-codec_whitelist:v', DECODERS];
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
  /** Time in which it waits for us does not count. Every hold is resumed once. */
  holdDeadline(): void;
  resumeDeadline(): void;
}

/**
 * Bytes are handed on as they come; time in which there are none does not count either. Their fault is not reported
 * here: it is the caller's to look at, who has them.
 * @throws Fault TOOL_MISSING (through `ended`) when the program is not installed.
 */
export async function startTool(
  program: string,
  args: readonly string[],
  input: ToolInput,
  options: ToolOptions,
): Promise<RunningTool> {
  const pipes = Array.from({ length: options.extraPipes }, () => 'pipe' as const);
  const confinement = await findConfinement(program);
  const stdio = ['ignore', 'pipe', 'pipe', isFile(input) ? input.fd : 'pipe', ...pipes] as const;
  const child = spawnConfined(confinement, program, args, [...stdio]);
  const pipe = child.stdio[INPUT_DESCRIPTOR] as Writable | null;
  const kill = () => killConfined(child);
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
    deadline.end();
    options.signal?.removeEventListener('abort', kill);
  });
  // The caller that awaits `ended` sees the fault; until then it must not count as unhandled.
  ended.catch(() => {});
  const tool = { child, ended, kill, holdDeadline: deadline.hold, resumeDeadline: deadline.resume };
  if (pipe && !isFile(input)) feed(tool, pipe, input).catch(kill);
  return tool;
}

/** Rejects as the bytes do. */
async function feed(tool: RunningTool, pipe: Writable, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  // It closes the pipe when it has read enough, or was killed.
  pipe.on('error', () => {});
  tool.holdDeadline();
  for await (const chunk of bytes) {
    tool.resumeDeadline();
    await new Promise<unknown>((taken) => pipe.write(chunk, taken));
    if (pipe.destroyed) return;
    tool.holdDeadline();
  }
  tool.resumeDeadline();
  pipe.end();
}

/** Calls `expire` once `leftMs` have passed, those in which it is held not counted. */
function startDeadline(leftMs: number, expire: () => void) {
  let timer: NodeJS.Timeout | null = null;
  let runningSince = 0;
  let holds = 0;
  let isOver = false;
  const run = () => {
    runningSince = performance.now();
    timer = setTimeout(() => {
      isOver = true;
      expire();
    }, leftMs);
  };
  const stop = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = null;
    leftMs -= performance.now() - runningSince;
  };
  run();
  return {
    isOver: () => isOver,
    hold: () => {
      if (++holds === 1) stop();
    },
    resume: () => {
      if (--holds === 0) run();
    },
    /** For good. */
    end: () => {
      holds = Number.POSITIVE_INFINITY;
      stop();
    },
  };
}
