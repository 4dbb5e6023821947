// What every blob store must do, run on each adapter.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { type ByteRange, collectBytes } from '../../../src/base/sized-bytes.ts';
import type { BlobStore } from '../../../src/storage/assets/blob-store.ts';

export function testBlobStore(name: string, open: () => BlobStore): void {
  const read = async (id: string, range?: ByteRange) => {
    const stored = await open().read(id, range);
    return stored && collectBytes(stored);
  };
  const list = async (before: Date) => {
    const ids: string[] = [];
    for await (const id of open().listOlderThan(before)) ids.push(id);
    return ids;
  };

  describe(`blob store ${name}`, () => {
    test.each([0, 1, 65_536, 3_000_001])('returns %i bytes unchanged', async (length) => {
      const [id, bytes] = [newId('asset'), randomBytes(length)];
      await open().write(id, bytes);
      expect((await read(id))?.equals(bytes)).toBe(true);
    });

    test.each([
      1, 65_536, 5_000_001,
    ])('accepts %i bytes as a stream, in pieces of any size', async (length) => {
      const [id, bytes] = [newId('asset'), randomBytes(length)];
      const chunks = async function* () {
        for (let at = 0; at < length; at += 50_021) yield bytes.subarray(at, at + 50_021);
      };
      await open().write(id, { sizeBytes: length, chunks: chunks() });
      expect((await read(id))?.equals(bytes)).toBe(true);
    });

    test.each([1000, 5_000_000])('stores nothing of %i bytes whose stream breaks off', async (sizeBytes) => {
      const id = newId('asset');
      const chunks = async function* () {
        yield randomBytes(sizeBytes - 1);
        throw new Error('no more');
      };
      await expect(open().write(id, { sizeBytes, chunks: chunks() })).rejects.toMatchObject({
        code: 'ASSET_STORE_FAILED',
      });
      expect(await read(id)).toBeUndefined();
      expect(await list(new Date(Date.now() + 5_000))).not.toContain(id);
    });

    test('returns a part of the bytes', async () => {
      const [id, bytes] = [newId('asset'), randomBytes(200_000)];
      await open().write(id, bytes);
      for (const [from, to] of [
        [0, 1],
        [0, 199_999],
        [70_000, 150_000],
        [199_999, 199_999],
      ] as const) {
        expect((await read(id, { from, to }))?.equals(bytes.subarray(from, to + 1))).toBe(true);
      }
    });

    test('allows a read to stop before the end', async () => {
      const id = newId('asset');
      await open().write(id, randomBytes(3_000_000));
      for (let count = 0; count < 100; count++) (await open().read(id))!.destroy();
      for await (const chunk of (await open().read(id))!) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    });

    test('a second write replaces the first', async () => {
      const id = newId('asset');
      await open().write(id, Buffer.from('first and longer'));
      await open().write(id, Buffer.from('second'));
      expect((await read(id))?.toString()).toBe('second');
    });

    test('reads a missing blob as nothing, and can remove it', async () => {
      const id = newId('asset');
      expect(await read(id)).toBeUndefined();
      await open().remove(id);
      await open().write(id, Buffer.from('x'));
      await open().remove(id);
      expect(await read(id)).toBeUndefined();
    });

    test('answers a check', async () => {
      await open().check();
    });

    test('keeps a mark, which is not a blob', async () => {
      const mark = randomBytes(16).toString('hex');
      await open().writeMark(mark);
      expect(await open().readMark()).toBe(mark);
      await open().check();
      for (const id of await list(new Date(Date.now() + 5_000))) expect(id).not.toContain('store');
    });

    test('lists blobs older than a given time', async () => {
      const [older, newer] = [newId('asset'), newId('asset')];
      await open().write(older, Buffer.from('x'));
      // Object stores keep times to the second.
      await delay(1100);
      const between = new Date();
      await delay(1100);
      await open().write(newer, Buffer.from('x'));
      const ids = await list(between);
      expect(ids).toContain(older);
      expect(ids).not.toContain(newer);
      expect(await list(new Date(Date.now() + 5_000))).toEqual(expect.arrayContaining([older, newer]));
    });

    test.each([
      '../../etc/passwd',
      'a/b',
      '',
      '.',
      'ast_1.part',
      'AST',
      'a'.repeat(65),
    ])('refuses %j as an id', async (id) => {
      const store = open();
      await expect(store.write(id, Buffer.from('x'))).rejects.toMatchObject({ code: 'INVARIANT' });
      await expect(store.read(id)).rejects.toMatchObject({ code: 'INVARIANT' });
      await expect(store.remove(id)).rejects.toMatchObject({ code: 'INVARIANT' });
    });
  });
}
