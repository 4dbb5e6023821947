// What `npm test` runs, in order; the first that fails ends it. Arguments are handed to vitest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const checks = [
  { title: 'types', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', 'tsconfig.json'] },
  {
    title: 'types of tests and benches',
    program: 'typescript/bin/tsc',
    args: ['--noEmit', '-p', 'test/tsconfig.json'],
  },
  {
    title: 'types of the page',
    program: 'typescript/bin/tsc',
    args: ['--noEmit', '-p', 'web/capture/tsconfig.json'],
  },
  {
    title: 'types of the console',
    program: 'typescript/bin/tsc',
    args: ['--noEmit', '-p', 'web/console/tsconfig.json'],
  },
  {
    title: 'types of the examples',
    program: 'typescript/bin/tsc',
    args: ['--noEmit', '-p', 'examples/tsconfig.json'],
  },
  {
    title: 'format and lint',
    program: '@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  {
    title: 'rooms',
    program: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', '.dependency-cruiser.cjs', 'src', 'web'],
  },
  { title: 'unused code', program: 'knip/bin/knip.js', args: [] },
];

/** Runs every check, then the tests. Returns the exit code. With arguments, only the tests that they name. */
export function runChecks(root, vitestArgs) {
  const tests = { title: 'tests', program: 'vitest/vitest.mjs', args: ['run', ...vitestArgs] };
  for (const check of vitestArgs.length > 0 ? [tests] : [...checks, tests]) {
    process.stderr.write(`\nlikeness: ${check.title}\n`);
    const done = spawnSync(process.execPath, [join(root, 'node_modules', check.program), ...check.args], {
      cwd: root,
      stdio: 'inherit',
    });
    if (done.status !== 0) {
      process.stderr.write(`likeness: ${check.title} failed\n`);
      return done.status ?? 1;
    }
  }
  return 0;
}
