// Where the master key comes from: the environment, or in development a file made once in DATA_DIR.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../base/errors.ts';
import { KEY_BYTES } from './master-key-ring.ts';

const MASTER_KEY_FILE = 'master.key';

/** The part of the configuration that says where the master key is. */
export interface MasterKeySource {
  readonly MODE: 'development' | 'production';
  readonly MASTER_KEY?: string;
  readonly dataDir: string;
}

/**
 * The master key: `MASTER_KEY`, else in development the file `DATA_DIR/master.key` (mode 0600), made on the first call;
 * processes that call at once get the same one.
 * @throws Fault CONFIG_INVALID when there is none in production, or the file does not hold 32 bytes in base64.
 */
export async function loadMasterKey(source: MasterKeySource): Promise<Buffer> {
  if (source.MASTER_KEY) return decodeMasterKey(source.MASTER_KEY, 'MASTER_KEY');
  if (source.MODE === 'production') throw new Fault('CONFIG_INVALID', 'MASTER_KEY is required in production');
  const file = join(source.dataDir, MASTER_KEY_FILE);
  try {
    return decodeMasterKey(await readFile(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await createKeyFile(source.dataDir, file);
  return decodeMasterKey(await readFile(file, 'utf8'), file);
}

/** Reads 32 bytes of base64 or base64url. `name` is for the fault: the text itself is never repeated. */
function decodeMasterKey(text: string, name: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed) || key.length !== KEY_BYTES) {
    throw new Fault('CONFIG_INVALID', `${name} must be 32 bytes in base64 (openssl rand -base64 32)`);
  }
  return key;
}

/** Losing this key loses every record: it is on disk, under its name, before anything is sealed with it. */
async function createKeyFile(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
    await handle.sync();
    // link, unlike rename, leaves the file of a process that was first.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  const folder = await open(dataDir, 'r');
  await folder.sync().finally(() => folder.close());
}
