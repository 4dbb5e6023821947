// Encrypted assets as files: DATA_DIR/assets/xy/ID, where xy are the last two characters of the id.
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { draftBeside, syncFolder, writeSynced } from '../../base/durable-files.ts';
import { Fault } from '../../base/errors.ts';
import { type ByteRange, type SizedBytes, sizedBytes } from '../../base/sized-bytes.ts';
import { type BlobStore, isBlobId } from './blob-store.ts';

const DRAFT_ENDING = '.part';
/** Next to the shards; no id begins with a dot. */
const MARK_FILE = '.likeness-store';

/** Keeps blobs below `root`, which is created with mode 0700 on the first write. */
export function createDiskBlobs(root: string): BlobStore {
  const pathOf = (id: string): string => {
    if (!isBlobId(id)) throw new Fault('INVARIANT', 'not an asset id');
    return join(root, id.slice(-2), id);
  };
  return {
    write: (id, bytes) => guarded(() => writeDurably(root, pathOf(id), bytes)),
    read: (id, range) => guarded(() => openToRead(pathOf(id), range)),
    remove: (id) =>
      guarded(async () => {
        const path = pathOf(id);
        await rm(path, { force: true });
        await ifExists(syncFolder(dirname(path)));
      }),
    listOlderThan: (before) => listOlderThan(root, before),
    check: () =>
      guarded(async () => {
        await mkdir(root, { recursive: true, mode: 0o700 });
        await access(root, constants.W_OK | constants.X_OK);
      }),
    readMark: () => guarded(() => ifExists(readFile(join(root, MARK_FILE), 'utf8'))),
    writeMark: (mark) => guarded(() => writeDurably(root, join(root, MARK_FILE), Buffer.from(mark))),
  };
}

async function openToRead(path: string, range: ByteRange | undefined): Promise<Readable | undefined> {
  const file = await ifExists(open(path, 'r'));
  // `end` is inclusive. The stream closes the file, whether it is read to its end or destroyed.
  return file?.createReadStream(range && { start: range.from, end: range.to });
}

async function writeDurably(root: string, path: string, bytes: Uint8Array | SizedBytes): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = draftBeside(path) + DRAFT_ENDING;
  try {
    await writeSynced(draft, sizedBytes(bytes).chunks);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
  if (!made) return;
  await syncFolder(root);
  await syncFolder(dirname(root));
}

async function* listOlderThan(root: string, before: Date): AsyncIterable<string> {
  for (const shard of (await guarded(() => ifExists(readdir(root)))) ?? []) {
    if (shard.startsWith(MARK_FILE)) continue;
    for (const name of (await guarded(() => ifExists(readdir(join(root, shard))))) ?? []) {
      const path = join(root, shard, name);
      const found = await guarded(() => ifExists(stat(path)));
      if (!found || found.mtime >= before) continue;
      if (name.endsWith(DRAFT_ENDING)) await guarded(() => rm(path, { force: true }));
      else if (isBlobId(name)) yield name;
    }
  }
}

async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('ASSET_STORE_FAILED', (error as NodeJS.ErrnoException).code, { cause: error });
  }
}
