// `npm run test:node -- 22`: the tests on another line of Node.js, whose program comes from npm into build/. Without names
// of tests it runs those of what every line must do.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runTests } from './checks.js';
import { say } from './programs.js';

/** The exit code where the program cannot be had: there is no package for this machine, or no registry. */
const NOT_HAD = 3;

/**
 * A service that starts, a recording judged and its webhook delivered, through SIGTERM and kill -9; and the rooms that
 * Node.js itself matters to: sockets, processes, cryptography, native programs.
 */
const PROOF = [
  'test/slow/end-to-end/kill.test.ts',
  'test/slow/confined/',
  'test/evaluation/video/',
  ...['http', 'jobs', 'keys', 'models', 'outbound', 'passkeys', 'pictures', 'webhook'].map(testsOf),
];

function testsOf(room) {
  return `test/${room}/`;
}

/** Returns the exit code of the tests. */
export function runOnLine(root, [line, ...tests]) {
  if (!/^\d+$/.test(line ?? '')) {
    say('which line of Node.js? For example: npm run test:node -- 22');
    return 1;
  }
  const program = fetchNode(join(root, 'build', 'node', line), line);
  if (!program) return NOT_HAD;
  // Programs that tests start by the name `node`, such as `npm start`, are of this line, too.
  process.env.PATH = [dirname(program), process.env.PATH].join(delimiter);
  say(`Node.js ${spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  const areNamed = tests.some((each) => !each.startsWith('-'));
  return runTests(root, areNamed ? tests : [...PROOF, ...tests], program);
}

/** The newest program of the line that npm offers; null if it cannot be had. */
function fetchNode(folder, line) {
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = [
    'install',
    `${name}@${line}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status === 0 && existsSync(program)) return program;
  say(`Node.js ${line} cannot be had here: npm did not install ${name}@${line}`);
  return null;
}
