// What the set-up needs from the system: programs, which it installs if possible, and output on the terminal. Uses only
// built-in modules.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const downloadNotes = { ffmpeg: ' (200 MB to download)', chromium: ' (200 MB to download)' };
/** Packages that come with a program's: what reads strangers' videos is confined best by bubblewrap. */
const companions = { ffmpeg: ['bubblewrap'] };

/**
 * Checks that a program is installed; if not, installs the Debian package of that name and its companions where
 * possible, or fails.
 */
export async function needProgram(program) {
  if (isInstalled(program)) return;
  if (process.platform === 'darwin') fail(`${program} is missing. Install it with: brew install ${program}`);
  if (!isInstalled('apt-get')) {
    fail(
      `${program} is missing. Install it with this system's package manager, then run the same command again.`,
    );
  }
  const packages = [program, ...(companions[program] ?? [])];
  const manual = `apt-get update && apt-get install -y ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) fail(`${program} is missing. Install it with: sudo sh -c '${manual}'`);
  say(
    `${program} is missing: installing Debian's ${packages.join(' and ')}${downloadNotes[program] ?? ''} …`,
  );
  if (!(await installPackages(packages)) || !isInstalled(program))
    fail(`${program} could not be installed. Do it by hand: ${manual}`);
}

/**
 * What some slow tests need: browsers besides Chromium, with the packages that WebKit's recorder and display need, and
 * proxies.
 */
const offered = [
  { program: 'firefox-esr', packages: ['firefox-esr'] },
  {
    program: 'WebKitWebDriver',
    packages: [
      'webkit2gtk-driver',
      'xvfb',
      'gstreamer1.0-plugins-bad',
      'gstreamer1.0-plugins-ugly',
      'gstreamer1.0-libav',
    ],
  },
  { program: 'nginx', packages: ['nginx-light'] },
  { program: 'caddy', packages: ['caddy'] },
];

/** Installs what is missing where possible. It never fails: tests of a missing program are skipped by name. */
export async function offerPrograms() {
  const missing = offered.filter(({ program }) => !isInstalled(program));
  if (missing.length === 0) return;
  const packages = missing.flatMap((each) => each.packages);
  const manual = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (!isInstalled('apt-get') || process.getuid?.() !== 0) {
    const names = missing.map(({ program }) => program).join(', ');
    return say(`tests of ${names} are skipped. On Debian: sudo ${manual}`);
  }
  say(`installing programs for the tests: ${packages.join(' ')} (up to 130 MB to download) …`);
  if (!(await installPackages(packages)))
    say(`not all could be installed: what is missing is skipped. By hand: ${manual}`);
}

/** Installs Debian packages; false if that failed. */
async function installPackages(packages) {
  // At this run level no service is started after the installation: the tests start their own.
  const environment = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return (
    (await quietly('apt-get', ['update'], environment)) &&
    (await quietly('apt-get', ['install', '-y', '--no-install-recommends', ...packages], environment))
  );
}

/** Where Debian installs programs that only podman calls, and servers, which not everybody has on the PATH. */
const BESIDES_PATH = ['/usr/lib/podman', '/usr/sbin'];

function isInstalled(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...BESIDES_PATH];
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** Runs a program and shows its output only if it fails. On a terminal it shows the elapsed seconds. */
export function quietly(program, args, environment = {}) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  const startedAt = Date.now();
  const clock = process.stderr.isTTY
    ? setInterval(() => write(`\r${Math.round((Date.now() - startedAt) / 1000)} s `), 1_000)
    : null;
  return new Promise((done) => {
    const end = (succeeded) => {
      if (clock) write('\r');
      clearInterval(clock);
      if (!succeeded) write(printed);
      done(succeeded);
    };
    child.once('error', () => end(false));
    child.once('close', (code) => end(code === 0));
  });
}

export function say(message) {
  write(`likeness: ${message}\n`);
}

function write(text) {
  process.stderr.write(text);
}

export function fail(message) {
  say(message);
  process.exit(1);
}
