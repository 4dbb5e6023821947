// The real thing: `node bin/bootstrap.js serve` in its own process with its own data folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const projectRoot = resolve(import.meta.dirname, '..', '..');

/** Credentials that development mode writes to DATA_DIR/dev-credentials.json. */
export interface DevCredentials {
  base_url: string;
  account: string;
  api_key: string;
  webhook_secret: string;
  sandbox_api_key: string;
  sandbox_webhook_secret: string;
}

export interface RunningService {
  readonly url: string;
  readonly dataDir: string;
  readonly credentials: DevCredentials;
  readonly process: ChildProcess;
  /** Everything written to stderr so far. */
  log(): string;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL to the main process. */
  kill(): Promise<void>;
}

interface ServiceOptions {
  readonly dataDir?: string;
  readonly environment?: Record<string, string>;
  readonly timeoutMs?: number;
  /** Command that starts it; default: the bootstrap itself. */
  readonly command?: readonly [program: string, ...args: string[]];
}

/** Starts the service and waits for its ready line. The same `dataDir` continues an earlier run. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = options.dataDir ?? newDataDir();
  const [program, ...args] = options.command ?? [process.execPath, 'bin/bootstrap.js', 'serve'];
  const child = spawn(program, args, {
    cwd: projectRoot,
    env: {
      ...hostEnvironment(),
      PORT: '0',
      METRICS_PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const url = await readyUrl(child, () => log, options.timeoutMs ?? 120_000);
  const credentials: DevCredentials = JSON.parse(readFileSync(join(dataDir, 'dev-credentials.json'), 'utf8'));
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  return {
    url,
    dataDir,
    credentials,
    process: child,
    log: () => log,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * Runs `work` on a service with its own data folder. Afterwards stops the one and removes the other, even on failure.
 */
export async function withService<T>(
  environment: Record<string, string>,
  work: (service: RunningService) => Promise<T>,
): Promise<T> {
  const dataDir = newDataDir();
  try {
    const service = await startService({ dataDir, environment });
    return await work(service).finally(() => service.stop());
  } finally {
    removeDataDir(dataDir);
  }
}

/** The test runner sets variables (MODE, BASE_URL) that mean something to the service, so none of them is passed on. */
function hostEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { PATH, HOME, LANG, TMPDIR };
}

/** A data folder that the unprivileged database user may enter. Remove it with `removeDataDir`. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-service-'));
  chmodSync(folder, 0o755);
  return folder;
}

export function removeDataDir(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The service's worker process (Linux: from /proc). */
export function workerOf(service: RunningService): number {
  const parent = service.process.pid;
  const isWorker = (entry: string): boolean => {
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8');
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      return status.includes(`PPid:\t${parent}\n`) && command.includes('program.js');
    } catch {
      return false; // ended between the listing and the reading
    }
  };
  const found = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && isWorker(entry));
  if (!found) throw new Error('no worker process');
  return Number(found);
}

function readyUrl(child: ChildProcess, log: () => string, timeoutMs: number): Promise<string> {
  return new Promise((done, refuse) => {
    let output = '';
    const timer = setTimeout(
      () => refuse(new Error(`no ready line in ${timeoutMs} ms:\n${log()}`)),
      timeoutMs,
    );
    child.once('exit', (code) => {
      clearTimeout(timer);
      refuse(new Error(`the service ended with ${code} before it was ready:\n${log()}`));
    });
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      const ready = /likeness ready on (\S+)/.exec(output);
      if (!ready) return;
      clearTimeout(timer);
      done(ready[1]!);
    });
  });
}
