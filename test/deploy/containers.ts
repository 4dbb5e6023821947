// Containers by podman and runc, as root. Where they cannot run, `findObstacle` says why, and the tests are skipped for
// that reason.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

// Read by every podman that is started from here on.
process.env.CONTAINERS_CONF = join(import.meta.dirname, 'containers.conf');

/** Runs podman; returns its standard output. @throws with its standard error */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('podman', args, { maxBuffer: 64_000_000 });
  return stdout.trim();
}

/** The last lines of a container's log, of both streams. */
export const lastLines = (container: string, lines: number): string => {
  const args = ['logs', '--tail', String(lines), container];
  const { stdout, stderr } = spawnSync('podman', args, { encoding: 'utf8' });
  return stdout + stderr;
};

/** Runs podman and shows its output, for commands that take minutes. */
export function podmanVerbose(args: readonly string[], cwd: string): void {
  execFileSync('podman', args, { cwd, stdio: ['ignore', 2, 2] });
}

/** What keeps containers from running on this machine, or null if they can run. */
export function findObstacle(image: string): string | null {
  const args = ['run', '--rm', '--network', 'none', ...LIMITS, image, 'true'];
  const { status, stderr, error } = spawnSync('podman', args, { encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr.trim().split('\n').at(-1)!);
}

/** Podman's defaults may exceed the limits of this machine. */
const LIMITS = ['--ulimit', 'nofile=8192:8192', '--ulimit', 'nproc=4096:4096'];

/** The options with which the compose files run a service. */
export const HARDENED = [
  LIMITS,
  ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
].flat();

export const addressOf = (container: string): Promise<string> =>
  podman('inspect', container, '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}');

/** Waits for an answer with status 200; returns how long that took. @throws with the container's log */
export async function waitForReady(container: string, path: string, timeoutMs: number): Promise<number> {
  const startedAt = Date.now();
  while (Date.now() - startedAt < timeoutMs) {
    const url = `http://${await addressOf(container)}${path}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => null);
    if (answer?.status === 200) return Date.now() - startedAt;
    await delay(100);
  }
  throw new Error(`${container} is not ready after ${timeoutMs} ms:\n${lastLines(container, 20)}`);
}

/** Kills everything in the container (kill -9) and starts it again, as an orchestrator does. */
export async function killAndStart(container: string): Promise<void> {
  await podman('kill', '--signal', 'KILL', container);
  await podman('wait', container);
  await podman('start', container);
}
