// Bytes as an open file that stands in no folder, not even while it is written.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../src/evaluation/video/source.ts';

let tempDir: string;
beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'source-'));
});
afterAll(() => rm(tempDir, { recursive: true, force: true }));

/** Bytes that the file system takes one by one, so that the test can look in between. */
function inPieces(length: number, pieces: () => AsyncGenerator<Uint8Array>): Uint8Array {
  return Object.assign(pieces(), { length }) as unknown as Uint8Array;
}

describe('openSource', () => {
  it('has no file in any folder while it writes the bytes, and reads them back', async () => {
    const seen: string[][] = [];
    const video = inPieces(6, async function* () {
      for (const piece of ['one', 'two']) {
        seen.push(await readdir(tempDir, { recursive: true }));
        yield Buffer.from(piece);
      }
    });
    const { handle, sizeBytes } = await openSource(video, tempDir);
    try {
      expect(seen).toEqual([[], []]);
      expect(sizeBytes).toBe(6);
      expect(await handle.readFile('utf8')).toBe('onetwo');
      expect((await handle.stat()).nlink).toBe(0);
      await expect(handle.write('x')).rejects.toThrow('EBADF');
    } finally {
      await handle.close();
    }
  });

  it('leaves nothing where the writing fails', async () => {
    const video = inPieces(3, async function* () {
      yield Buffer.from('one');
      throw new Error('the disk is full');
    });
    await expect(openSource(video, tempDir)).rejects.toThrow('the disk is full');
    expect(await readdir(tempDir)).toEqual([]);
  });
});
