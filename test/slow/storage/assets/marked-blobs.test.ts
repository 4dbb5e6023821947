// An unavailable asset store is distinguished from a missing asset, on real folders and a real database.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../src/base/ids.ts';
import { collectBytes } from '../../../../src/base/sized-bytes.ts';
import { createStoreMarks } from '../../../../src/challenge/tables/asset-store-marks.ts';
import type { BlobStore } from '../../../../src/storage/assets/blob-store.ts';
import { createDiskBlobs } from '../../../../src/storage/assets/disk-blobs.ts';
import { adoptStore, withMark } from '../../../../src/storage/assets/marked-blobs.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'likeness-marked-'));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const root = () => join(folder, 'assets');
const away = { code: 'ASSET_STORE_FAILED', message: expect.stringContaining('assets adopt') };
/** The store as another process opens it. */
const open = (path = root()): BlobStore =>
  withMark(createDiskBlobs(path), createStoreMarks(database.db), { trustMs: 0 });
const readBack = async (store: BlobStore, id: string) => {
  const found = await store.read(id);
  return found && (await collectBytes(found)).toString();
};
const markFile = () => join(root(), '.likeness-store');

async function addAssetRow(): Promise<string> {
  const id = newId('asset');
  const account = {
    id: 'acct_1',
    name: 'a',
    display_name: 'a',
    wrapped_key: Buffer.of(),
    master_key_id: 'k',
  };
  await database.db
    .insertInto('account')
    .values(account)
    .onConflict((each) => each.doNothing())
    .execute();
  const asset = { id, account_id: 'acct_1', kind: 'best_frame', mime_type: 'image/bmp' } as const;
  await database.db
    .insertInto('asset')
    .values({ ...asset, size_bytes: 1, sealed_key: Buffer.of(1) })
    .execute();
  return id;
}

test('the first use marks the store, once for any number of processes', async () => {
  const [id, missing] = [newId('asset'), newId('asset')];
  await Promise.all(Array.from({ length: 5 }, () => open().check()));
  const mark = await readFile(markFile(), 'utf8');
  expect(mark).toMatch(/^[0-9a-f]{32}$/);
  await open().write(id, Buffer.from('x'));
  expect(await readBack(open(), id)).toBe('x');
  expect(await open().read(missing)).toBeUndefined();
  await open().remove(id);
  expect(await open().read(id)).toBeUndefined();
  expect(await readFile(markFile(), 'utf8')).toBe(mark);
});

test('while its mount is missing, nothing reads as missing, is written to the mount point, or is deleted', async () => {
  const id = newId('asset');
  const store = open();
  await store.write(id, Buffer.from('x'));
  for (const mountPoint of [true, false]) {
    await rename(root(), `${root()}.away`);
    if (mountPoint) await mkdir(root());
    for (const process of [store, open()]) {
      await expect(process.read(id)).rejects.toMatchObject(away);
      await expect(process.write(newId('asset'), Buffer.from('y'))).rejects.toMatchObject(away);
      await expect(process.remove(id)).rejects.toMatchObject(away);
      await expect(process.check()).rejects.toMatchObject(away);
      await expect(process.listOlderThan(new Date())[Symbol.asyncIterator]().next()).rejects.toMatchObject(
        away,
      );
    }
    expect(await readdir(root()).catch(() => [])).toEqual([]);
    await rm(root(), { recursive: true, force: true });
    await rename(`${root()}.away`, root());
    expect(await readBack(store, id)).toBe('x');
    await store.check();
  }
});

test('another store in its place is refused until it is adopted', async () => {
  const id = newId('asset');
  const store = open();
  await store.write(id, Buffer.from('x'));
  await rm(root(), { recursive: true });
  await mkdir(root());
  await writeFile(markFile(), 'f'.repeat(32));
  await expect(store.read(id)).rejects.toMatchObject(away);
  await expect(open().check()).rejects.toMatchObject(away);
  await adoptStore(createDiskBlobs(root()), createStoreMarks(database.db));
  await store.check();
  // Now the asset is known to be missing.
  expect(await store.read(id)).toBeUndefined();
});

test('for a database without a mark, its own store is marked, and a place without its assets is not', async () => {
  const [lost, kept] = [await addAssetRow(), await addAssetRow()];
  await mkdir(root());
  await expect(open().check()).rejects.toMatchObject(away);
  await expect(open().read(lost)).rejects.toMatchObject(away);
  await createDiskBlobs(root()).write(kept, Buffer.from('x'));
  const store = open();
  await store.check();
  expect(await store.read(lost)).toBeUndefined();
});

test("a new database does not take over another's store", async () => {
  await open().check();
  const other = await createTestDatabase();
  try {
    const marks = createStoreMarks(other.db);
    const theirs = withMark(createDiskBlobs(root()), marks, { trustMs: 0 });
    await expect(theirs.check()).rejects.toMatchObject(away);
    expect(await marks.read()).toBeNull();
  } finally {
    await other.drop();
  }
});

test('a crash between the mark in the database and the mark in the store is repaired', async () => {
  const marks = createStoreMarks(database.db);
  await marks.propose('a'.repeat(32));
  await open().check();
  expect(await readFile(markFile(), 'utf8')).toBe('a'.repeat(32));
  expect(await marks.read()).toEqual({ mark: 'a'.repeat(32), placed: true });
});

test('where a check is expensive, a mark is trusted for a while', async () => {
  let looked = 0;
  const disk = createDiskBlobs(root());
  const counting: BlobStore = {
    ...disk,
    readMark: () => {
      looked++;
      return disk.readMark();
    },
  };
  const store = withMark(counting, createStoreMarks(database.db), { trustMs: 60_000 });
  await store.check();
  looked = 0;
  for (let count = 0; count < 5; count++) await store.write(newId('asset'), Buffer.from('x'));
  expect(looked).toBe(0);
});
