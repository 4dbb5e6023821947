// What `npm test` runs: the checks, as many at a time as there are processors, then the tests, which a failed check bars.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const types = (title, project) => ({
  title,
  program: 'typescript/bin/tsc',
  args: ['--noEmit', '-p', project],
});

// The slowest first.
const checks = [
  types('types of tests and benches', 'test/tsconfig.json'),
  types('types', 'tsconfig.json'),
  types('types of the page', 'web/capture/tsconfig.json'),
  types('types of the console', 'web/console/tsconfig.json'),
  types('types of the examples', 'examples/tsconfig.json'),
  {
    title: 'format and lint',
    program: '@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  {
    title: 'rooms',
    program: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', '.dependency-cruiser.cjs', 'bin', 'src', 'web', 'test', 'bench', 'examples'],
  },
  { title: 'unused code', program: 'knip/bin/knip.js', args: [] },
];

/** Runs every check, then the tests. Resolves with the exit code. With arguments, only the tests that they name. */
export async function runChecks(root, vitestArgs) {
  if (vitestArgs.length === 0) {
    const waiting = [...checks];
    const failed = await Promise.all(
      Array.from({ length: availableParallelism() }, () => runAll(root, waiting)),
    );
    if (failed.some(Boolean)) return 1;
  }
  say('tests');
  return runTests(root, vitestArgs.length === 0 ? ['--project=!slow'] : vitestArgs);
}

/** Runs vitest with these arguments. Answers its exit code. */
export function runTests(root, vitestArgs) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return (
    spawnSync(process.execPath, [vitest, 'run', ...vitestArgs], { cwd: root, stdio: 'inherit' }).status ?? 1
  );
}

/** Takes checks from the list until it is empty. Resolves with true when one of them failed. */
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

function say(text) {
  process.stderr.write(`likeness: ${text}\n`);
}
