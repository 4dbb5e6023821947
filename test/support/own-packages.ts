// npm packages that a single test needs and that are too large for everybody to install: pinned by a lock file beside
// the test, and installed below build/ by the first run.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages of `from` (package.json and package-lock.json) into `into`, once.
 * @throws if npm fails
 */
export function installPackages(from: string, into: string, flags: readonly string[] = []): void {
  // npm writes this file when it has finished.
  if (existsSync(join(into, 'node_modules', '.package-lock.json'))) return;
  mkdirSync(into, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(from, file), join(into, file));
  execFileSync('npm', ['ci', ...FLAGS, ...flags], { cwd: into, stdio: 'inherit' });
}
