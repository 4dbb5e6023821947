// The fenced shell blocks of README, guides, operations and privacy: which can run here, and which tests run them.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const projectRoot = resolve(import.meta.dirname, '..', '..');

/** Documents whose shell blocks are promises. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...['docs/guides', 'docs/operations', 'docs/privacy'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** The tests that run a document's blocks, each through `commandsOf` or `startCommands`. */
export const RUN_BY: Readonly<Record<string, string>> = {
  'README.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/devices.md': 'test/docs/guides.test.ts',
  'docs/guides/enrolment.md': 'test/docs/guides.test.ts',
  'docs/guides/login-auth0.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/login-entra.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/login-keycloak.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/login-okta.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/login.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/pictures.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/quickstart.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/guides/receipts.md': 'test/end-to-end/challenge.test.ts',
  'docs/guides/sandbox.md': 'test/docs/guides.test.ts',
  'docs/operations/assurance.md': 'test/slow/docs/shell-blocks.test.ts',
  'docs/operations/console.md': 'test/cli/console-openid.test.ts',
  'docs/privacy/requests.md': 'test/slow/docs/shell-blocks.test.ts',
};

/** Blocks that do not run here, by how they begin, and why. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm run setup && npm pack': 'packed by test/slow/packages/likeness.test.ts',
  'npm install ../likeness': 'installed by test/slow/packages/likeness.test.ts',
  'docker build': 'needs a registry and a cluster',
  'kubectl -n likeness-au exec': 'needs a cluster',
  'CLUSTER=$DATA_DIR': 'needs a pg_dump of PostgreSQL 18, which Debian 12 does not have',
  'createdb likeness': 'needs the file of that pg_dump',
  'for file in "$DATA_DIR"': 'needs the aws program and a bucket',
};

/** A line that starts the service, which runs until it is stopped. */
const START = /^(\w+=\S+ )*npm start\b/;

/** The commands of every shell block of a document, in order. Lines of a console without a dollar sign are answers. */
export function blocksOf(document: string): string[] {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  return [...text.matchAll(/^```(sh|bash|console)\n(.*?)^```$/gms)]
    .map(([, language, lines]) =>
      language === 'console'
        ? [...lines!.matchAll(/^\$ (.*\n)/gm)].map(([, command]) => command!).join('')
        : lines!,
    )
    .filter((commands) => commands !== '');
}

/** The blocks of a document that can run here and end, in order. */
export function commandsOf(document: string): string[] {
  const left = Object.keys(NOT_RUN);
  return blocksOf(document).filter(
    (commands) => !START.test(commands) && !left.some((begin) => commands.startsWith(begin)),
  );
}

/** Every command by which the documents start the service. */
export function startCommands(): string[] {
  const lines = DOCUMENTS.flatMap(blocksOf).flatMap((commands) => commands.split('\n'));
  return [...new Set(lines.filter((line) => START.test(line)).map((line) => line.replace(/\s+#.*/, '')))];
}
