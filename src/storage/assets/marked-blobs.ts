// Distinguishes the asset store from whatever else may be in its place: an empty mount point, another bucket or another
// deployment's folder lacks the mark that set-up left. "No such asset" would be wrong there, and a write would be lost
// as soon as the real store is back.
import { randomBytes } from 'node:crypto';
import { Fault } from '../../base/errors.ts';
import type { BlobStore } from './blob-store.ts';

/** What the database knows about its asset store. */
export interface StoreMarks {
  read(): Promise<{ readonly mark: string; readonly placed: boolean } | null>;
  /** Does the work in one process of this deployment at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Records the mark, not placed yet, unless there is one already. */
  propose(mark: string): Promise<void>;
  /** Records that the mark is in the store. */
  confirm(): Promise<void>;
  /** Ids of some assets that should be in the store, the newest. */
  newestAssets(): Promise<string[]>;
}

const MARK_BYTES = 16;
const ADOPT = 'if it is the right one, run `likeness assets adopt`';

/**
 * Wraps a store so that it answers only while it is the one of this database; otherwise it rejects with
 * ASSET_STORE_FAILED. The first use sets it up.
 * @param options.trustMs how long a mark that was read is trusted. 0 if reading it costs nothing, as on a disk
 */
export function withMark(blobs: BlobStore, marks: StoreMarks, options: { trustMs: number }): BlobStore {
  let expected: string | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;
  const verify = async (): Promise<void> => {
    expected ??= await setUp(blobs, marks);
    if (performance.now() - seenAt < options.trustMs) return;
    const found = await blobs.readMark();
    if (found !== expected) throw new Fault('ASSET_STORE_FAILED', describe(found));
    seenAt = performance.now();
  };
  return {
    ...blobs,
    write: async (id, bytes) => {
      await verify();
      await blobs.write(id, bytes);
    },
    read: async (id, range) => {
      const found = await blobs.read(id, range);
      // Checked only where it matters: bytes that are found are authenticated by their seal.
      if (!found) await verify();
      return found;
    },
    remove: async (id) => {
      await verify();
      await blobs.remove(id);
    },
    listOlderThan: async function* (before) {
      await verify();
      yield* blobs.listOlderThan(before);
    },
    check: async () => {
      await blobs.check();
      await verify();
    },
  };
}

/** Makes the configured place the store of this database, whatever it contains. */
export function adoptStore(blobs: BlobStore, marks: StoreMarks): Promise<void> {
  return marks.alone(async () => {
    await marks.propose(newMark());
    await place(blobs, marks);
  });
}

/**
 * Counts how many of the newest assets that should be in the store are there. A copy of a folder in a bucket has them
 * under other keys.
 */
export async function countNewest(
  blobs: BlobStore,
  marks: StoreMarks,
): Promise<{ readonly asked: number; readonly found: number }> {
  const ids = await marks.newestAssets();
  let found = 0;
  for (const id of ids) {
    const asset = await blobs.read(id);
    asset?.destroy();
    if (asset) found += 1;
  }
  return { asked: ids.length, found };
}

/** The mark of this database's store; creates and places it if there is none yet. */
async function setUp(blobs: BlobStore, marks: StoreMarks): Promise<string> {
  const known = await marks.read();
  if (known?.placed) return known.mark;
  return marks.alone(async () => {
    const now = await marks.read();
    if (now?.placed) return now.mark;
    if (!now) {
      await refuseForeignStore(blobs, marks);
      await marks.propose(newMark());
    }
    return place(blobs, marks);
  });
}

/** A database without a mark does not get one if the store belongs to another database or lacks its assets. */
async function refuseForeignStore(blobs: BlobStore, marks: StoreMarks): Promise<void> {
  if ((await blobs.readMark()) !== undefined)
    throw new Fault('ASSET_STORE_FAILED', `it carries the mark of another database; ${ADOPT}`);
  const { asked, found } = await countNewest(blobs, marks);
  if (asked > 0 && found === 0)
    throw new Fault('ASSET_STORE_FAILED', `it does not contain the newest assets; ${ADOPT}`);
}

async function place(blobs: BlobStore, marks: StoreMarks): Promise<string> {
  const { mark } = (await marks.read())!;
  await blobs.writeMark(mark);
  await marks.confirm();
  return mark;
}

const newMark = (): string => randomBytes(MARK_BYTES).toString('hex');

function describe(found: string | undefined): string {
  return found === undefined
    ? `it lacks the mark of this database's assets: it is not mounted, or it is a different store; ${ADOPT}`
    : `it carries the mark of another database; ${ADOPT}`;
}
