import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReadiness } from '../../src/composition/readiness.ts';
import { createDiskBlobs } from '../../src/storage/assets/disk-blobs.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { createTestDatabase } from '../support/database.ts';
import { roomFor } from '../support/storage-room.ts';

test('is ready while database and asset store answer, and says which of them does not', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'likeness-ready-'));
  const away = createDatabase('postgres://nobody@127.0.0.1:1/nothing');
  try {
    const store = createDiskBlobs(join(folder, 'assets'));
    const roomy = roomFor(database.db, folder);
    const check = (db = database.db, assets = store, room = roomy) =>
      createReadiness(db, assets, room).check();
    const all = { database: true, assets: true, space: true };
    expect(await check()).toEqual({ ready: true, parts: all });
    expect(await check(away)).toEqual({ ready: false, parts: { ...all, database: false } });
    const url = new URL(database.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const standby = createDatabase(url.href);
    expect(await check(standby).finally(() => standby.destroy())).toMatchObject({ ready: false });
    const full = roomFor(database.db, folder, { minFreeBytes: Number.MAX_SAFE_INTEGER });
    expect(await check(database.db, store, full)).toEqual({ ready: false, parts: { ...all, space: false } });
    await writeFile(join(folder, 'a-file'), '');
    const broken = createDiskBlobs(join(folder, 'a-file', 'assets'));
    expect(await check(database.db, broken)).toEqual({
      ready: false,
      parts: { ...all, assets: false },
    });
    // A store that hangs counts as unavailable.
    const hanging = { ...store, check: () => new Promise<void>(() => {}) };
    expect((await check(database.db, hanging)).parts.assets).toBe(false);
  } finally {
    await away.destroy();
    await database.drop();
    await rm(folder, { recursive: true });
  }
}, 30_000);

test('checks once for all concurrent requests, and again for a later one', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'likeness-ready-'));
  try {
    const store = createDiskBlobs(join(folder, 'assets'));
    let looks = 0;
    const check = () => {
      looks += 1;
      return store.check();
    };
    const readiness = createReadiness(database.db, { check }, roomFor(database.db, folder));
    const answers = await Promise.all(Array.from({ length: 100 }, () => readiness.check()));
    expect(answers.every(({ ready }) => ready)).toBe(true);
    expect(looks).toBe(1);
    expect(await readiness.check()).toMatchObject({ ready: true });
    expect(looks).toBe(2);
  } finally {
    await database.drop();
    await rm(folder, { recursive: true });
  }
}, 30_000);
