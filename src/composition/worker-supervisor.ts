// ROLE=all: worker processes beside the API. A worker that ends is replaced; workers end with their parent.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../base/log.ts';
import { METRICS_REQUEST, type MetricsAnswer } from '../metrics/worker-metrics.ts';

/**
 * V8's options for a process that judges. Its heap is some 13 MB, but V8 adds frames and pipe buffers of several
 * hundred megabytes per video to it, so by default it collects the whole heap seven times or more per video, and marks
 * on threads that take processor time from the decoder. Measured in docs/decisions/0041-collector-of-a-worker.md.
 */
export const WORKER_V8_OPTIONS = ['--initial-old-space-size=128', '--no-concurrent-marking'] as const;

const PROGRAM = fileURLToPath(new URL('../cli/program.js', import.meta.url));
/** Pauses before restarting a worker that cannot start. */
const RESTART_DELAYS_MS = [100, 500, 2_000, 5_000, 15_000];
/** A worker that has run this long is healthy, so its next end counts as its first failure. */
const HEALTHY_AFTER_MS = 60_000;
/** A worker answers between two networks of a judgement, some ten milliseconds apart. */
const METRICS_TIMEOUT_MS = 1_000;
/** How long a running judgement may take after SIGTERM. */
const STOP_TIMEOUT_MS = 30_000;

export interface WorkerSupervisor {
  /** Resolves when every worker is ready or no longer wanted. */
  readonly ready: Promise<void>;
  /** Metrics of each worker as prom-client's JSON; a worker that does not answer in time is left out. */
  metrics(): Promise<object[]>;
  /** Sends SIGTERM to every worker, and SIGKILL to those that do not end. */
  stop(): Promise<void>;
}

/** Variables that a worker does not need; the operator's credentials stay with the API process. */
const API_ONLY_VARIABLES = { CONSOLE_PASSWORD: undefined, CONSOLE_TOTP_SECRET: undefined };

/** Starts `count` workers and keeps that many. `environment` adds to this process's own. */
export function superviseWorkers(options: {
  count: number;
  environment: Record<string, string>;
  /** Whether this process has been told to stop. At a terminal its workers get the same signal. */
  isStopping(): boolean;
  log: Logger;
}): WorkerSupervisor {
  let stopping = false;
  const children = new Set<ChildProcess>();

  const startOne = (slot: number, failures: number, whenReady?: () => void): void => {
    if (stopping || options.isStopping()) {
      whenReady?.();
      return;
    }
    const startedAt = performance.now();
    const child = fork(PROGRAM, ['serve'], {
      execArgv: [...process.execArgv, ...WORKER_V8_OPTIONS],
      env: { ...process.env, ...options.environment, ...API_ONLY_VARIABLES, ROLE: 'worker' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.add(child);
    child.once('message', () => whenReady?.());
    const onEnd = (code: number | null, signal: NodeJS.Signals | null) => {
      children.delete(child);
      if (stopping || options.isStopping()) {
        whenReady?.();
        return;
      }
      const isHealthy = performance.now() - startedAt > HEALTHY_AFTER_MS;
      const next = isHealthy ? 0 : failures + 1;
      const delayMs = RESTART_DELAYS_MS[Math.min(next, RESTART_DELAYS_MS.length - 1)]!;
      options.log.error({ slot, code, signal, delayMs }, 'a worker ended; starting another');
      setTimeout(() => startOne(slot, next, whenReady), delayMs).unref();
    };
    child.once('exit', onEnd);
    child.on('error', (err) => {
      options.log.error({ err, slot }, 'a worker cannot be started or reached');
      // The worker never started, for lack of descriptors or processes, so no exit event will follow.
      if (child.pid === undefined) onEnd(null, null);
    });
  };

  const ready = Promise.all(
    Array.from({ length: options.count }, (_, slot) => new Promise<void>((done) => startOne(slot, -1, done))),
  ).then(() => {});

  return {
    ready,
    metrics: async () => {
      const answers = await Promise.all([...children].map(askMetrics));
      return answers.filter((answer) => answer !== null);
    },
    stop: async () => {
      stopping = true;
      await Promise.all([...children].map(endChild));
    },
  };
}

function askMetrics(child: ChildProcess): Promise<object | null> {
  return new Promise((done) => {
    const finish = (metrics: object | null) => {
      clearTimeout(timer);
      child.off('message', take);
      done(metrics);
    };
    const take = (message: unknown) => {
      const { metrics } = (message ?? {}) as Partial<MetricsAnswer>;
      if (metrics) finish(metrics);
    };
    const timer = setTimeout(() => finish(null), METRICS_TIMEOUT_MS);
    child.on('message', take);
    child.send(METRICS_REQUEST, (error) => error && finish(null));
  });
}

function endChild(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      done();
    });
    child.kill('SIGTERM');
  });
}
