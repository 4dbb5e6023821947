// Set-up for `npm start`, `npm test` and `npm run setup`. It uses only built-in modules, so that it runs before
// anything is installed. Every step declares its inputs and outputs and is skipped if it is up to date. A missing
// program that set-up cannot install is reported with the command that installs it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, needProgram, offerPrograms, quietly, say } from './programs.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const stampsFile = join(root, 'build', 'stamps.json');

const steps = {
  packages: {
    title: 'npm packages',
    note: ' (half a gigabyte to download)',
    // Only the lock file: a changed script in package.json is no reason to reinstall everything.
    inputs: ['package-lock.json'],
    outputs: ['node_modules/.package-lock.json'],
    // No dependency needs its install script, and one of them would download GPU libraries.
    run: () => quietly('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
  },
  server: {
    title: 'server build',
    inputs: ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    outputs: ['dist/cli/program.js'],
    run: () => {
      removeOrphans();
      return command(process.execPath, [
        join(root, 'node_modules/typescript/bin/tsc'),
        '-p',
        'tsconfig.build.json',
      ]);
    },
  },
  page: {
    title: 'capture page',
    inputs: ['web/capture', 'web/qr', 'src/contract', 'package-lock.json'],
    outputs: ['build/web/capture/index.html'],
    run: () => buildPage('web/capture/vite.config.ts'),
  },
  console: {
    title: 'console page',
    inputs: [
      'web/console',
      'web/capture/build',
      'src/contract',
      'src/plot',
      'src/oidc',
      'src/composition/page',
      'package-lock.json',
    ],
    outputs: ['build/web/console/index.html'],
    run: () => buildPage('web/console/vite.config.ts'),
  },
  reference: {
    title: 'API page',
    inputs: ['web/reference', 'web/capture/build', 'package-lock.json'],
    outputs: ['build/web/reference/index.html'],
    run: () => buildPage('web/reference/vite.config.ts'),
  },
  models: {
    title: 'face models',
    note: ' (compiled to ONNX, once)',
    inputs: ['src/models', 'package-lock.json'],
    outputs: ['build/models/manifest.json'],
    run: () => command(process.execPath, ['dist/cli/program.js', 'models', 'compile']),
  },
};

/** Runs every step that is not up to date, in order. */
async function setUp(names) {
  const stamps = existsSync(stampsFile) ? JSON.parse(readFileSync(stampsFile, 'utf8')) : {};
  for (const name of names) {
    const step = steps[name];
    const stamp = fingerprint(step.inputs);
    if (stamps[name] === stamp && step.outputs.every((file) => existsSync(join(root, file)))) continue;
    say(`${step.title}${step.note ?? ''} …`);
    const startedAt = Date.now();
    if (!(await step.run()))
      fail(`${step.title}: failed (see above). Fix that and run the same command again.`);
    // The stamps are outside node_modules, which `npm ci` wipes.
    stamps[name] = fingerprint(step.inputs);
    mkdirSync(dirname(stampsFile), { recursive: true });
    writeFileSync(`${stampsFile}.${process.pid}`, JSON.stringify(stamps, null, 2));
    renameSync(`${stampsFile}.${process.pid}`, stampsFile);
    say(`${step.title}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  }
}

function fingerprint(paths) {
  // Not the version of Node.js: what the steps make is the same on each, and so are the native parts of the packages.
  const hash = createHash('sha256');
  for (const path of paths) addToFingerprint(hash, path);
  return hash.digest('hex');
}

function addToFingerprint(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addToFingerprint(hash, join(path, name));
  } else {
    hash.update(path).update(readFileSync(full));
  }
}

function command(program, args, environment = {}) {
  const done = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...environment },
  });
  return done.status === 0;
}

/** Removes what an earlier build made of sources that are gone: it would count as code that judges. */
function removeOrphans() {
  const dist = join(root, 'dist');
  const built = existsSync(dist) ? readdirSync(dist, { recursive: true }) : [];
  for (const file of built) {
    const source = join(root, 'src', file.replace(/(\.d\.ts|\.js(\.map)?)$/, '.ts'));
    if (/\.(ts|js|map)$/.test(file) && !existsSync(source)) rmSync(join(dist, file));
  }
}

function buildPage(config) {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  return command(process.execPath, [vite, 'build', '-c', config, '--logLevel', 'warn']);
}

/** Runs a TypeScript file of the project; returns its exit code. */
function runSource(file, args) {
  const node = ['--import', 'tsx', file, ...args];
  return spawnSync(process.execPath, node, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function needNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`);
  }
}

/** Steps of tasks that need no page in a browser. */
const withoutPages = ['packages', 'server', 'models'];
const everything = ['packages', 'server', 'page', 'console', 'reference', 'models'];
// Containers find each other by name only with netavark and aardvark-dns.
const containers = ['podman', 'netavark', 'aardvark-dns', 'runc', 'mmdebstrap', 'unzip', 'caddy'];

const checks = () => import('./checks.js');

/** Each task: the programs and steps that it needs, and `run`, which returns the exit code. */
const tasks = {
  setup: {
    programs: ['ffmpeg'],
    run: () => {
      say('everything is in place');
      return 0;
    },
  },
  serve: {
    programs: ['ffmpeg'],
    // Runs in this process, so that signals reach the service and its exit code is this process's.
    run: async (args) => {
      const { runProgram } = await import('../dist/cli/program.js');
      await runProgram(['serve', ...args]);
      return process.exitCode;
    },
  },
  test: {
    programs: ['ffmpeg', 'chromium'],
    run: async (args) => (await checks()).runChecks(root, args),
  },
  'test:slow': {
    programs: ['ffmpeg', 'chromium'],
    offers: true,
    run: async (args) => (await checks()).runTests(root, ['--project=slow', '--project=slow-apart', ...args]),
  },
  'test:node': {
    programs: ['ffmpeg', 'chromium'],
    run: async (args) => (await import('./node-lines.js')).runOnLine(root, args),
  },
  'test:deploy': {
    programs: [...containers, 'ffmpeg'],
    steps: withoutPages,
    run: async (args) => (await checks()).runTests(root, ['--project=slow-deploy', ...args]),
  },
  torture: { programs: ['ffmpeg'], run: (args) => runSource('test/torture/run.ts', args) },
  figures: { steps: ['packages'], run: (args) => runSource('bench/figures.ts', args) },
  bench: { programs: ['ffmpeg', 'chromium'], run: (args) => runSource('bench/run.ts', args) },
  'bench:inject': { programs: ['ffmpeg', 'chromium'], run: (args) => runSource('bench/inject.ts', args) },
  'bench:templates': { steps: withoutPages, run: (args) => runSource('bench/templates.ts', args) },
  'bench:rows': { steps: withoutPages, run: (args) => runSource('bench/rows.ts', args) },
  'bench:pad': {
    programs: ['ffmpeg'],
    run: (args) => runSource('bench/attacks/generate.ts', args) || runSource('bench/pad.ts', ['--write']),
  },
};

const [name = 'setup', ...args] = process.argv.slice(2);
needNode();
if (!Object.hasOwn(tasks, name)) fail(`unknown task ${name}: ${Object.keys(tasks).join(', ')}`);
const { programs = [], offers = false, steps: needed = everything, run } = tasks[name];
for (const program of programs) await needProgram(program);
if (offers) await offerPrograms();
await setUp(needed);
process.exitCode = await run(args);
