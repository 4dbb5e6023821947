// The list of what a deployment runs, for an audit where `npm audit` is refused. `npx vitest run
// test/docs/dependencies.test.ts -u` writes it anew; its packages then count as not looked up yet.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const LIST = join(root, 'docs/operations/dependencies.txt');
const LOOKED_UP = '# advisories looked up on: ';

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** `name version` of every package that is installed without development packages, sorted. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path.includes('node_modules/') && !dev && !devOptional,
  );
  const named = installed.map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`);
  return [...new Set(named)].sort();
}

it('name every package of the lock file, and when its advisories were looked up', async () => {
  const packages = productionPackages();
  expect(packages.length).toBeGreaterThan(100);
  const [first = '', ...listed] = existsSync(LIST) ? readFileSync(LIST, 'utf8').trimEnd().split('\n') : [];
  const isSame = listed.join() === packages.join();
  const date = isSame && first.startsWith(LOOKED_UP) ? first : `${LOOKED_UP}never`;
  await expect(`${[date, ...packages].join('\n')}\n`).toMatchFileSnapshot(LIST);
});
