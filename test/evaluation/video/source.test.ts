// Bytes as an open file that is in no folder, not even while it is written.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUnlinked } from '../../../src/evaluation/video/source.ts';

let tempDir: string;
beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'source-'));
});
afterAll(() => rm(tempDir, { recursive: true, force: true }));

describe('writeUnlinked', () => {
  it('has no file in any folder while it writes the bytes, and reads them back', async () => {
    const seen: string[][] = [];
    const video = async function* () {
      for (const piece of ['one', 'two']) {
        seen.push(await readdir(tempDir, { recursive: true }));
        yield Buffer.from(piece);
      }
    };
    const handle = await writeUnlinked(video(), tempDir);
    try {
      expect(seen).toEqual([[], []]);
      expect(await handle.readFile('utf8')).toBe('onetwo');
      expect((await handle.stat()).nlink).toBe(0);
      await expect(handle.write('x')).rejects.toThrow('EBADF');
    } finally {
      await handle.close();
    }
  });

  it('leaves nothing if the writing fails', async () => {
    const video = async function* () {
      yield Buffer.from('one');
      throw new Error('the disk is full');
    };
    await expect(writeUnlinked(video(), tempDir)).rejects.toThrow('the disk is full');
    expect(await readdir(tempDir)).toEqual([]);
  });
});
