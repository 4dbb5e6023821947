// Loads the master keys: from the environment, a file, a module that uses a key management service, or in development a
// file created once in DATA_DIR.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { draftBeside, syncFolder, writeSynced } from '../base/durable-files.ts';
import { Fault } from '../base/errors.ts';
import { createMasterKeyRing, KEY_BYTES, type MasterKeys } from './master-key-ring.ts';
import { parseMasterKeys } from './master-key-text.ts';

const MASTER_KEY_FILE = 'master.key';

/** The part of the configuration that locates the master keys. */
export interface MasterKeySource {
  readonly MODE: 'development' | 'production';
  readonly MASTER_KEY?: string;
  readonly MASTER_KEY_FILE?: string;
  readonly MASTER_KEY_MODULE?: string;
  readonly dataDir: string;
}

/**
 * Opens the master keys of `MASTER_KEY`, of the file `MASTER_KEY_FILE`, or of the module `MASTER_KEY_MODULE`. Without
 * any of them, development uses the file `DATA_DIR/master.key` (mode 0600), created on the first call; concurrent
 * processes get the same key.
 * @throws Fault CONFIG_INVALID if production has no source, there is more than one, or the source holds no keys
 */
export async function openMasterKeys(source: MasterKeySource): Promise<MasterKeys> {
  const { MASTER_KEY: text, MASTER_KEY_FILE: file, MASTER_KEY_MODULE: module } = source;
  if ([text, file, module].filter(Boolean).length > 1) {
    throw new Fault(
      'CONFIG_INVALID',
      'only one of MASTER_KEY, MASTER_KEY_FILE and MASTER_KEY_MODULE may be set',
    );
  }
  if (module) return openModule(module);
  if (text) return ringOf(text, 'MASTER_KEY');
  if (file) return ringOf(await readGivenFile(file), `MASTER_KEY_FILE ${file}`);
  if (source.MODE === 'production') {
    throw new Fault(
      'CONFIG_INVALID',
      'one of MASTER_KEY, MASTER_KEY_FILE and MASTER_KEY_MODULE is required in production',
    );
  }
  const own = join(source.dataDir, MASTER_KEY_FILE);
  return ringOf(await readOrCreate(source.dataDir, own), own);
}

const ringOf = (text: string, source: string): MasterKeys =>
  createMasterKeyRing(parseMasterKeys(text, source), source);

/** Where the keys come from, in words for the operator. */
export function describeSource(source: MasterKeySource): string {
  const { MASTER_KEY_FILE: file, MASTER_KEY_MODULE: module } = source;
  if (source.MASTER_KEY) return 'MASTER_KEY';
  return file ?? module ?? join(source.dataDir, MASTER_KEY_FILE);
}

/** Calls the module's default export without arguments; it must return a {@link MasterKeys}. */
async function openModule(path: string): Promise<MasterKeys> {
  const invalid = (why: string, cause?: unknown) =>
    new Fault('CONFIG_INVALID', `MASTER_KEY_MODULE ${path} ${why}`, { cause });
  let made: Partial<MasterKeys> | undefined;
  try {
    const { default: make } = await import(pathToFileURL(resolve(path)).href);
    made = await make();
  } catch (error) {
    throw invalid(`cannot be loaded: ${(error as Error).message}`, error);
  }
  const { currentId, wrap, unwrap } = made ?? {};
  if (typeof currentId !== 'string' || typeof wrap !== 'function' || typeof unwrap !== 'function') {
    throw invalid('must export a default function that returns { currentId, wrap, unwrap }');
  }
  return made as MasterKeys;
}

async function readGivenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Fault('CONFIG_INVALID', `MASTER_KEY_FILE ${file} cannot be read: ${code}`, { cause: error });
  }
}

async function readOrCreate(dataDir: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await createKeyFile(dataDir, file);
  return readFile(file, 'utf8');
}

/** Losing this key loses every record, so it is synced to disk before anything is sealed with it. */
async function createKeyFile(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const draft = draftBeside(file);
  try {
    await writeSynced(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    // link, unlike rename, does not replace the file of a process that was faster.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dataDir);
}
