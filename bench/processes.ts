// Starts processes of one role each, as an operator runs several of them on one database and one asset store.
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

const projectRoot = resolve(import.meta.dirname, '..');

export interface RunningRole {
  /** URL of an API; empty for a worker. */
  readonly url: string;
  /** Sends SIGTERM; resolves when the process has ended. */
  stop(): Promise<void>;
}

/** Starts a process; resolves when it is ready. */
export async function startRole(
  role: 'api' | 'worker',
  environment: Readonly<Record<string, string>>,
): Promise<RunningRole> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['bin/likeness', 'serve'], {
    cwd: projectRoot,
    env: { PATH, HOME, LOG_LEVEL: 'warn', PORT: '0', METRICS_PORT: '0', ...environment, ROLE: role },
    // A worker reports over the channel that it is ready; the channel also ends it with this process.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await ready(child);
  return {
    url,
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((done, refuse) => {
    child.once('exit', (code) => refuse(new Error(`a process ended with ${code} before it was ready`)));
    child.once('message', () => done(''));
    child.stdout!.on('data', (chunk) => {
      const address = /likeness ready on (\S+)/.exec(String(chunk));
      if (address) done(address[1]!);
    });
  });
}
