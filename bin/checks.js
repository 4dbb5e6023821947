// What `npm test` runs: the checks, as many at a time as there are processors, and, if all pass, the tests.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { say } from './programs.js';

/** A type check that skips files unchanged since the last run; `build` names the compiler's build info file. */
const types = (title, project, build) => ({
  title,
  program: 'typescript/bin/tsc',
  args: ['--noEmit', '--incremental', '--tsBuildInfoFile', `build/types/${build}.tsbuildinfo`, '-p', project],
});

// Slowest first. The types of src are checked by its build, which set-up keeps up to date.
const checks = [
  types('types of tests and benches', 'test/tsconfig.json', 'test'),
  types('types of the capture page', 'web/capture/tsconfig.json', 'capture'),
  types('types of the console', 'web/console/tsconfig.json', 'console'),
  types('types of the API page', 'web/reference/tsconfig.json', 'reference'),
  types('types of the element', 'web/element/tsconfig.json', 'element'),
  types('types of the examples', 'examples/tsconfig.json', 'examples'),
  {
    title: 'format and lint',
    program: '@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  {
    title: 'module boundaries',
    program: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: [
      '--config',
      '.dependency-cruiser.cjs',
      'bin',
      'src',
      'web',
      'packages',
      'test',
      'bench',
      'examples',
    ],
  },
  { title: 'unused code', program: 'knip/bin/knip.js', args: [] },
  { title: 'code that only tests use', program: 'knip/bin/knip.js', args: ['--production'] },
];

/**
 * Runs every check, then all tests except the slow ones, and lists the tests left out. Resolves with the exit code. If
 * the arguments name tests, only those run.
 */
export async function runChecks(root, vitestArgs) {
  if (vitestArgs.some((arg) => !arg.startsWith('-'))) return runTests(root, vitestArgs);
  const waiting = [...checks];
  const failed = await Promise.all(
    Array.from({ length: availableParallelism() }, () => runAll(root, waiting)),
  );
  if (failed.some(Boolean)) return 1;
  const exitCode = runTests(root, ['--project=!slow*', ...vitestArgs]);
  say(`left out, as they take minutes (npm run test:slow): ${slowTests(root).join(', ')}`);
  return exitCode;
}

/** Names of the test files of `npm run test:slow`. */
function slowTests(root) {
  const files = readdirSync(join(root, 'test/slow'), { recursive: true });
  return files.filter((file) => file.endsWith('.test.ts')).sort();
}

/** Runs vitest with these arguments, on this program of Node.js. Returns its exit code. */
export function runTests(root, vitestArgs, node = process.execPath) {
  say('tests');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return spawnSync(node, [vitest, 'run', ...vitestArgs], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/** Takes checks from the list until it is empty. Resolves with true if one of them failed. */
async function runAll(root, waiting) {
  let failed = false;
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const { title, program, args } = check;
    const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: root });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
    const [code] = await once(child, 'close');
    say(code === 0 ? title : `${title} failed\n${printed}`);
    failed ||= code !== 0;
  }
  return failed;
}
