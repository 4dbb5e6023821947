// Free space on real disks, and what an account may use of it.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { createStorageRoom } from '../../../src/challenge/assets/storage-room.ts';
import { foldStoredBytes, readStoredBytes } from '../../../src/challenge/tables/stored-bytes.ts';
import { createDiskBlobs } from '../../../src/storage/assets/disk-blobs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { CAN_MOUNT, mountSmallDisk } from '../../support/small-disk.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'likeness-room-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function makeAccount(): Promise<string> {
  const id = newId('account');
  const row = { id, name: id, display_name: 'a', wrapped_key: Buffer.of(), master_key_id: 'k' };
  await database.db.insertInto('account').values(row).execute();
  return id;
}

const asset = (account_id: string, size_bytes: number) => ({
  id: newId('asset'),
  account_id,
  size_bytes,
  kind: 'best_frame' as const,
  mime_type: 'image/bmp',
  sealed_key: Buffer.of(1),
});

describe("an account's bytes", () => {
  test('are those of its assets, whatever is stored, deleted and folded meanwhile', async () => {
    const accounts = [await makeAccount(), await makeAccount()];
    const held = new Map(accounts.map((id) => [id, [] as { id: string; size_bytes: number }[]]));
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ put: fc.array(fc.nat(2_000_000_000), { minLength: 1, maxLength: 5 }) }),
      },
      { weight: 2, arbitrary: fc.record({ remove: fc.nat(5) }) },
      { weight: 1, arbitrary: fc.constant('fold' as const) },
    );
    const steps = fc.array(fc.tuple(fc.constantFrom(...accounts), step), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        for (const [account, what] of all) {
          const own = held.get(account)!;
          if (what === 'fold') await foldStoredBytes(database.db, 1000);
          else if ('put' in what) {
            const rows = what.put.map((size) => asset(account, size));
            await database.db.insertInto('asset').values(rows).execute();
            own.push(...rows);
          } else {
            const gone = own.splice(0, what.remove).map(({ id }) => id);
            if (gone.length > 0) await database.db.deleteFrom('asset').where('id', 'in', gone).execute();
          }
        }
        for (const account of accounts) {
          const sum = held.get(account)!.reduce((total, { size_bytes }) => total + size_bytes, 0);
          expect(await readStoredBytes(database.db, account)).toBe(sum);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('are folded into one row by any number of processes, and read correctly meanwhile', async () => {
    const account = await makeAccount();
    for (let count = 0; count < 120; count++) {
      await database.db.insertInto('asset').values(asset(account, 10)).execute();
    }
    const reading = Array.from({ length: 20 }, () => readStoredBytes(database.db, account));
    await Promise.all([foldStoredBytes(database.db, 40), foldStoredBytes(database.db, 1000), ...reading]);
    for (const read of await Promise.all(reading)) expect(read).toBe(1200);
    const rows = await database.db
      .selectFrom('stored_bytes')
      .select('bytes')
      .where('account_id', '=', account)
      .execute();
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(await readStoredBytes(database.db, account)).toBe(1200);
  });

  test('are deleted with their account', async () => {
    const account = await makeAccount();
    await database.db.insertInto('asset').values(asset(account, 10)).execute();
    await database.db.deleteFrom('account').where('id', '=', account).execute();
    expect(await readStoredBytes(database.db, account)).toBe(0);
  });
});

describe('a quota', () => {
  test('refuses an account that has no room for another upload, and no other account', async () => {
    const [full, other] = [await makeAccount(), await makeAccount()];
    const limits = { minFreeBytes: 0, accountQuotaBytes: 1000, maxUploadBytes: 100 };
    const open = () =>
      createStorageRoom(
        { db: database.db, clock: systemClock },
        { growing: [folder], assets: folder },
        limits,
      );
    await database.db.insertInto('asset').values(asset(full, 900)).execute();
    expect(await open().refusal(full)).toBeNull();
    await database.db.insertInto('asset').values(asset(full, 1)).execute();
    expect(await open().refusal(full)).toBe('account_full');
    expect(await open().refusal(other)).toBeNull();
  });

  test("defaults to half of the assets' disk, and to none where they are stored elsewhere", async () => {
    const limits = { minFreeBytes: 0, accountQuotaBytes: null, maxUploadBytes: 100 };
    const onDisk = createStorageRoom(
      { db: database.db, clock: systemClock },
      { growing: [folder], assets: join(folder, 'not', 'yet') },
      limits,
    );
    expect(await onDisk.accountQuotaBytes()).toBeGreaterThan(1e6);
    const elsewhere = createStorageRoom(
      { db: database.db, clock: systemClock },
      { growing: [], assets: null },
      limits,
    );
    expect(await elsewhere.accountQuotaBytes()).toBeNull();
    expect(await elsewhere.hasSpace()).toBe(true);
  });
});

describe.skipIf(!CAN_MOUNT)('a disk that fills (needs root, who may mount a tmpfs)', () => {
  test('is reported full before it is, and has space again when something is deleted', async () => {
    const disk = mountSmallDisk(16);
    try {
      const limits = { minFreeBytes: 4_000_000, accountQuotaBytes: null, maxUploadBytes: 100 };
      const room = createStorageRoom(
        { db: database.db, clock: systemClock },
        { growing: [disk.folder], assets: disk.folder },
        limits,
      );
      const account = await makeAccount();
      expect(await room.accountQuotaBytes()).toBe((16 * 2 ** 20) / 2);
      expect(await room.refusal(account)).toBeNull();
      await writeFile(join(disk.folder, 'filler'), randomBytes(13_000_000));
      await delay(1_100);
      expect(await room.hasSpace()).toBe(false);
      expect(await room.refusal(account)).toBe('storage_full');
      await rm(join(disk.folder, 'filler'));
      await delay(1_100);
      expect(await room.refusal(account)).toBeNull();
    } finally {
      disk.remove();
    }
  });

  test('fails a write with an error and leaves nothing of it', async () => {
    const disk = mountSmallDisk(4);
    try {
      const blobs = createDiskBlobs(join(disk.folder, 'assets'));
      const fits = newId('asset');
      await blobs.write(fits, randomBytes(1_000_000));
      const tooLarge = newId('asset');
      await expect(blobs.write(tooLarge, randomBytes(6_000_000))).rejects.toMatchObject({
        code: 'ASSET_STORE_FAILED',
        message: expect.stringContaining('ENOSPC'),
      });
      expect(await blobs.read(tooLarge)).toBeUndefined();
      expect(await readdir(join(disk.folder, 'assets', tooLarge.slice(-2)))).not.toContainEqual(
        expect.stringContaining(tooLarge),
      );
      await blobs.write(newId('asset'), randomBytes(1_000_000));
    } finally {
      disk.remove();
    }
  });
});
