// The base images of deploy/Dockerfile. Present images are used (`podman pull` brings the official ones); otherwise
// they are made from Debian's packages and node's npm package, with the certificates that this machine trusts.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { podmanVerbose } from './containers.ts';
import { installTools } from './tools.ts';

export const DEBIAN = 'docker.io/library/debian:bookworm-slim';
const NODE = 'docker.io/library/node:22-bookworm-slim';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const SOURCES = '/etc/apt/sources.list.d/debian.sources';
/** What the official slim image leaves out, too. */
const LEFT_OUT = ['doc/*', 'man/*', 'locale/*', 'info/*'];

/** Makes the images that are missing. */
export function makeBaseImages(): void {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-images-'));
  try {
    if (!isThere(DEBIAN)) makeDebian(folder);
    if (!isThere(NODE)) makeNode(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isThere = (image: string): boolean => spawnSync('podman', ['image', 'exists', image]).status === 0;

function makeDebian(folder: string): void {
  const tar = join(folder, 'debian.tar');
  // Copies of this machine's files, as the chroot has neither.
  const copies = [CERTIFICATES, SOURCES].map(
    (file) => `mkdir -p "$1${dirname(file)}" && cp ${file} "$1${file}"`,
  );
  const done = spawnSync(
    'mmdebstrap',
    [
      ['--variant=minbase'],
      // As in the official image. Otherwise a package that merges /usr brings 50 MB of Perl.
      ['--include=usr-is-merged', '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr'],
      LEFT_OUT.map((path) => `--dpkgopt=path-exclude=/usr/share/${path}`),
      [
        '--dpkgopt=path-include=/usr/share/doc/*/copyright',
        `--customize-hook=rm -f "$1"/etc/apt/sources.list "$1"/etc/apt/sources.list.d/*; ${copies.join('; ')}`,
      ],
      ['bookworm', tar, SOURCES],
    ].flat(),
    { stdio: ['ignore', 2, 2] },
  );
  if (done.status !== 0) throw new Error('mmdebstrap failed');
  podmanVerbose(['import', '--change', 'CMD=["bash"]', tar, DEBIAN], folder);
}

function makeNode(folder: string): void {
  const { nodeFolder } = installTools();
  mkdirSync(join(folder, 'node'));
  copyFileSync(join(nodeFolder, 'bin', 'node'), join(folder, 'node', 'node'));
  const npm = dirname(dirname(realpathSync(spawnSync('which', ['npm'], { encoding: 'utf8' }).stdout.trim())));
  cpSync(npm, join(folder, 'node', 'npm'), { recursive: true });
  const lines = [
    `FROM ${DEBIAN}`,
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
  ];
  writeFileSync(join(folder, 'node', 'Containerfile'), lines.join('\n'));
  podmanVerbose(['build', '--isolation=oci', '--pull=never', '-t', NODE, '.'], join(folder, 'node'));
}
