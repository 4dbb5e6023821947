// The doctor's checks of the decoders: whether ffmpeg is installed, and what a compromised decoder could reach, which a
// probe tests in its place.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Confinement } from '../confined/confinement.ts';
import { probeConfinement, type Reach } from '../confined/confinement-probe.ts';
import { diskFolder } from '../storage/assets/open-blob-store.ts';
import type { Finding } from './check.ts';

const MEND =
  'apt-get install -y bubblewrap, and start as root or on a system that allows user namespaces; see docs/operations/decoder.md';

/** The variables of a bare environment: the search path, the locale, and PWD, which the shell adds. */
const BARE = ['PATH', 'LC_ALL', 'PWD'];

const STARTED_BY = {
  bubblewrap: 'in bubblewrap',
  namespaces: 'in namespaces of its own',
  setpriv: 'by setpriv',
  limits: 'under resource limits',
} as const;

/** Reports which ffmpeg is on the PATH. */
export async function checkFfmpeg(): Promise<Finding> {
  const { stdout } = await promisify(execFile)('ffmpeg', ['-hide_banner', '-version']);
  return { status: 'ok', detail: stdout.split(' Copyright')[0]! };
}

/** Reports what the confinement of a decoder prevents, and warns about what it does not. */
export async function checkDecoder(config: Config, confinement: Confinement): Promise<Finding> {
  const reach = await withPrivateFile((path) =>
    probeConfinement(confinement, [path, ...privateFiles(config)]),
  );
  const runs = `runs ${STARTED_BY[confinement.by]}`;
  if (!reach)
    return { status: 'notEvaluated', detail: `${runs}; what it can reach can be checked on Linux only` };
  const parts = describe(reach);
  const open = parts.filter(({ holds }) => !holds).map(({ otherwise }) => otherwise);
  const held = parts.filter(({ holds }) => holds).map(({ words }) => words);
  const calls = reach.filtered ? 'system calls filtered' : 'system calls not filtered';
  const detail = `${runs} as uid ${reach.uid}: ${[...held, calls].join(', ')}`;
  if (open.length === 0) return { status: 'ok', detail };
  return { status: 'warning', detail: `${detail}; but ${open.join(', ')}`, mend: MEND };
}

function describe(reach: Reach) {
  return [
    { holds: !reach.privileges, words: 'no privileges', otherwise: 'it can gain privileges' },
    { holds: !reach.network, words: 'no network', otherwise: 'it can reach the network' },
    {
      holds: reach.processes === 0,
      words: 'no other process',
      otherwise: `it can read the environment of ${reach.processes} other processes`,
    },
    {
      holds: reach.files.length === 0,
      words: 'no private file',
      otherwise: `it can read the private files of its user, including ${reach.files.join(', ')}`,
    },
    {
      holds: reach.variables.every((name) => BARE.includes(name)),
      words: 'a bare environment',
      otherwise: `it has the variables ${reach.variables.join(', ')}`,
    },
  ];
}

/** Calls `use` with a file that only this process's user may read, because there may be no key or asset yet. */
async function withPrivateFile<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-doctor-'));
  try {
    const path = join(folder, 'private');
    await writeFile(path, 'nothing', { mode: 0o600 });
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Paths of keys, database and assets. */
function privateFiles(config: Config): string[] {
  const { dataDir, MASTER_KEY_FILE: keyFile, MASTER_KEY_MODULE: keyModule } = config;
  const own = [join(dataDir, 'master.key'), join(dataDir, 'postgres', 'cluster'), diskFolder(config)];
  return [...own, keyFile, keyModule].filter((path) => path !== undefined && path !== null);
}
