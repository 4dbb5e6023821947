// Starts a program on hostile input: confined (confinement.ts), and with a deadline enforced by SIGKILL.
import type { ChildProcess } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Fault } from '../base/errors.ts';
import { findConfinement, killConfined, spawnConfined } from './confinement.ts';
import type { Program } from './program.ts';

/** What a tool reads: a file in which it can seek, or bytes through a pipe as they arrive. */
export type ToolInput = FileHandle | AsyncIterable<Uint8Array>;

export const isFile = (input: ToolInput): input is FileHandle => 'fd' in input;

/** The input is descriptor 3; extra pipes come after it. */
const INPUT_DESCRIPTOR = 3;
export const FIRST_EXTRA_PIPE = INPUT_DESCRIPTOR + 1;

/** The input as the child sees it. */
export function inputUrl(input: ToolInput): string {
  return isFile(input) ? `/dev/fd/${INPUT_DESCRIPTOR}` : `pipe:${INPUT_DESCRIPTOR}`;
}

export interface ToolOptions {
  /** Pipes beyond stdout and stderr, from FIRST_EXTRA_PIPE on. */
  readonly extraPipes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A running tool. `ended` never rejects because of the input: it reports how the program ended. */
export interface RunningTool {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; timedOut: boolean }>;
  /** Ends it at once. */
  kill(): void;
  /** Suspends the deadline while the tool waits for us. Every hold must be resumed once. */
  pauseDeadline(): void;
  resumeDeadline(): void;
}

/**
 * Starts a tool. Bytes are passed on as they arrive; time in which there are none does not count towards the deadline.
 * A fault of the bytes is not reported here, because the caller has them and sees it.
 * @throws Fault TOOL_MISSING (through `ended`) when the program is not installed.
 */
export async function startTool(
  program: Program,
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
    child.once('error', (cause) => reject(new Fault('TOOL_MISSING', program.path, { cause })));
    child.once('close', (code) => {
      // 126 and 127 are the shell's own: not executable, not found.
      if (code === 126 || code === 127) reject(new Fault('TOOL_MISSING', program.path));
      else resolve({ code, timedOut: deadline.isOver() });
    });
  }).finally(() => {
    deadline.end();
    options.signal?.removeEventListener('abort', kill);
  });
  // Callers that await `ended` see the fault; until then it must not count as an unhandled rejection.
  ended.catch(() => {});
  const tool = { child, ended, kill, pauseDeadline: deadline.pause, resumeDeadline: deadline.resume };
  if (pipe && !isFile(input)) feed(tool, pipe, input).catch(kill);
  return tool;
}

/** Writes the bytes into the tool's pipe. Rejects as they do. */
async function feed(tool: RunningTool, pipe: Writable, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  // The tool closes the pipe when it has read enough or is killed.
  pipe.on('error', () => {});
  tool.pauseDeadline();
  for await (const chunk of bytes) {
    tool.resumeDeadline();
    await new Promise<unknown>((taken) => pipe.write(chunk, taken));
    if (pipe.destroyed) return;
    tool.pauseDeadline();
  }
  tool.resumeDeadline();
  pipe.end();
}

/** Calls `expire` once `leftMs` have passed, not counting time in which it is held. */
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
    pause: () => {
      if (++holds === 1) stop();
    },
    resume: () => {
      if (--holds === 0) run();
    },
    /** Stops it permanently. */
    end: () => {
      holds = Number.POSITIVE_INFINITY;
      stop();
    },
  };
}
