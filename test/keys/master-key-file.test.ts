import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMasterKey } from '../../src/keys/master-key-file.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-key-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('MASTER_KEY counts, in base64 and base64url, with and without padding', async () => {
  const key = Buffer.alloc(32, 0xfb);
  for (const text of [key.toString('base64'), key.toString('base64url')]) {
    expect(await loadMasterKey({ MODE: 'production', MASTER_KEY: text, dataDir })).toEqual(key);
  }
  expect(await readdir(dataDir)).toEqual([]);
});

test('production without one is refused', async () => {
  await expect(loadMasterKey({ MODE: 'production', dataDir })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  });
});

test('development makes one, once, for any number of processes, readable by its owner alone', async () => {
  const load = () => loadMasterKey({ MODE: 'development', dataDir });
  const keys = await Promise.all(Array.from({ length: 8 }, load));
  keys.push(await load());
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['master.key']);
});

test('a damaged file is refused, not replaced', async () => {
  await writeFile(join(dataDir, 'master.key'), 'half a key\n');
  await expect(loadMasterKey({ MODE: 'development', dataDir })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  });
});
