// What a decoder of hostile bytes can reach besides its input and its pipes: as little as this machine allows.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Program } from './program.ts';

/** How a program is started so that it reaches little. */
export interface Confinement {
  /** `limits`: none of the others works here, so only resource limits and a bare environment apply. */
  readonly by: 'bubblewrap' | 'namespaces' | 'setpriv' | 'limits';
  /** Prefix of the program's own command line. */
  readonly wrapper: readonly string[];
}

/**
 * Run by the shell that then becomes the program: no core file, no file written (pipes are not files), its own limits.
 */
const limitedStart = ({ limits }: Program) => `ulimit -c 0; ulimit -f 0; ${limits}; exec "$0" "$@"`;

/** What a Debian program needs to run. */
const SYSTEM_FILES = ['/usr', '/lib', '/lib64', '/bin', '/etc/ld.so.cache', '/etc/alternatives'];

/** Uids that neither Debian nor systemd assigns: 65520–65533. Two workers rarely share one. */
const FIRST_UID = 65_520;
const UIDS = 14;

/** Only PATH, to find the program; nothing else of the service's environment. */
const BARE_ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };

/** Ways to confine a program for a service that runs as `uid`, the strongest first. The last always works. */
export function confinements(program: Program, uid = process.getuid?.()): Confinement[] {
  const asRoot = uid === 0;
  const leave = asRoot ? switchToUnusedUid() : dropPrivileges();
  return [
    { by: 'bubblewrap', wrapper: [...inBubblewrap(program, asRoot), ...leave] },
    { by: 'namespaces', wrapper: [...inNamespaces(asRoot), ...leave] },
    { by: 'setpriv', wrapper: leave },
    { by: 'limits', wrapper: [] },
  ];
}

/**
 * Only the system's and the program's files are visible, read-only. As root no user namespace is needed: the uid
 * changes inside.
 */
function inBubblewrap({ files }: Program, asRoot: boolean): string[] {
  return [
    ['bwrap', '--die-with-parent'],
    ['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    // As root, bubblewrap stays as process 1: the decoder cannot inspect it, and everything ends when it is killed.
    asRoot ? ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]) : ['--as-pid-1'],
    [...SYSTEM_FILES, ...files].flatMap(bindReadOnly),
    ['--proc', '/proc', '--dev', '/dev', '--chdir', '/', '--'],
  ].flat();
}

/**
 * Binds a path read-only. Its parent folders are made explicitly; left to root's bubblewrap, only root could enter
 * them.
 */
function bindReadOnly(path: string): string[] {
  const above = path.split('/').slice(1, -1);
  const made = above.map((_, at) => `/${above.slice(0, at + 1).join('/')}`);
  return [...made.flatMap((folder) => ['--perms', '0755', '--dir', folder]), '--ro-bind-try', path, path];
}

/** The machine's files are visible, its network and its processes are not. */
function inNamespaces(asRoot: boolean): string[] {
  return [
    ['unshare', ...(asRoot ? [] : ['--user', '--map-current-user'])],
    ['--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ].flat();
}

/** Changes to an unused uid without capabilities. The decoder ends with its parent, as nobody reads its output then. */
function switchToUnusedUid(): string[] {
  const id = FIRST_UID + (process.pid % UIDS);
  const user = [`--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--bounding-set=-all'];
  return ['setpriv', ...user, ...dropPrivileges().slice(1)];
}

function dropPrivileges(): string[] {
  return ['setpriv', '--no-new-privs', '--inh-caps=-all', '--pdeathsig=KILL'];
}

/**
 * Starts `program` confined, in its own session and process group. Its resource limits are set by the innermost shell,
 * whose own exit codes are 126 and 127. End it with `killConfined`.
 */
export function spawnConfined(
  { wrapper }: Confinement,
  program: Program,
  args: readonly string[],
  stdio: SpawnOptions['stdio'],
) {
  const [command, ...rest] = [...wrapper, '/bin/sh', '-c', limitedStart(program), program.path, ...args];
  return spawn(command!, rest, { stdio, env: BARE_ENVIRONMENT, cwd: '/', detached: true });
}

/**
 * Sends SIGKILL to the whole group: if bubblewrap alone is killed while it starts, its child waits for it forever, with
 * all pipes open.
 */
export function killConfined({ pid, exitCode, signalCode }: ChildProcess): void {
  // Once it has ended, its process id may belong to another process.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const found = new Map<string, ReturnType<typeof tryOut>>();

/** The strongest confinement in which the program runs on this machine; tried only once. */
export function findConfinement(program: Program): Promise<Confinement> {
  const name = [program.path, ...program.trial].join(' ');
  let search = found.get(name);
  if (!search) {
    search = tryOut(program);
    found.set(name, search);
    // It runs in none, so it is not installed; it may be before the next one is needed.
    search.then(({ runs }) => runs || found.delete(name));
  }
  return search.then(({ confinement }) => confinement);
}

async function tryOut(program: Program): Promise<{ confinement: Confinement; runs: boolean }> {
  const all = confinements(program);
  for (const confinement of all) if (await runsIn(confinement, program)) return { confinement, runs: true };
  return { confinement: all.at(-1)!, runs: false };
}

/** Time in which the trial must end; a loaded machine needs seconds. */
const TRIAL_TIMEOUT_MS = 20_000;

function runsIn(confinement: Confinement, program: Program): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnConfined(confinement, program, program.trial, 'ignore');
    const deadline = setTimeout(() => killConfined(child), TRIAL_TIMEOUT_MS);
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    child.once('close', () => clearTimeout(deadline));
    child.once('error', () => clearTimeout(deadline));
  });
}
