// What every blob store must do; run on each adapter.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import type { BlobStore } from '../../src/storage/assets/blob-store.ts';

export function testBlobStore(name: string, open: () => BlobStore): void {
  const list = async (before: Date) => {
    const ids: string[] = [];
    for await (const id of open().listOlderThan(before)) ids.push(id);
    return ids;
  };

  describe(`blob store ${name}`, () => {
    test.each([0, 1, 65_536, 3_000_001])('gives %i bytes back as they were', async (length) => {
      const [id, bytes] = [newId('asset'), randomBytes(length)];
      await open().write(id, bytes);
      expect((await open().read(id))?.equals(bytes)).toBe(true);
    });

    test('a second write replaces the first', async () => {
      const id = newId('asset');
      await open().write(id, Buffer.from('first and longer'));
      await open().write(id, Buffer.from('second'));
      expect((await open().read(id))?.toString()).toBe('second');
    });

    test('what is not there reads as nothing, and can be removed', async () => {
      const id = newId('asset');
      expect(await open().read(id)).toBeUndefined();
      await open().remove(id);
      await open().write(id, Buffer.from('x'));
      await open().remove(id);
      expect(await open().read(id)).toBeUndefined();
    });

    test('answers when it is asked whether it is there', async () => {
      await open().check();
    });

    test('lists what is older than a moment', async () => {
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
