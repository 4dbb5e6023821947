import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMasterKeyRing, masterKeyId } from '../../src/keys/master-key-ring.ts';
import { type MasterKeySource, openMasterKeys } from '../../src/keys/master-key-source.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-key-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const open = (source: Partial<MasterKeySource>) => openMasterKeys({ MODE: 'production', dataDir, ...source });
const invalid = { code: 'CONFIG_INVALID' };

test('MASTER_KEY is accepted in base64 and base64url, with and without padding', async () => {
  const key = Buffer.alloc(32, 0xfb);
  for (const text of [key.toString('base64'), key.toString('base64url')]) {
    expect((await open({ MASTER_KEY: text })).currentId).toBe(masterKeyId(key));
  }
  expect(await readdir(dataDir)).toEqual([]);
});

test('of several keys, in a file or by value, the first wraps and all unwrap', async () => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const accountKey = randomBytes(32);
  const wrap = await createMasterKeyRing([old]).wrap('acct_1', accountKey);
  const [first, second] = [current, old].map((key) => key.toString('base64'));
  const file = join(dataDir, 'keys');
  await writeFile(file, `# since November\n${first}\n\n${second} # going\n`);
  for (const source of [{ MASTER_KEY_FILE: file }, { MASTER_KEY: `${first},${second}` }]) {
    const keys = await open(source);
    expect(keys.currentId).toBe(masterKeyId(current));
    expect(await keys.unwrap('acct_1', wrap)).toEqual(accountKey);
  }
});

describe('refuses', () => {
  const key = randomBytes(32).toString('base64');
  test.each([
    ['production without a key', {}],
    ['two sources', { MASTER_KEY: key, MASTER_KEY_FILE: 'keys' }],
    ['a file that is not there', { MASTER_KEY_FILE: '/nowhere/keys' }],
    ['a module that is not there', { MASTER_KEY_MODULE: '/nowhere/keys.mjs' }],
    ['a module of another kind', { MASTER_KEY_MODULE: resolve('vitest.config.ts') }],
    ['a short key', { MASTER_KEY: 'c2hvcnQ=' }],
    ['the same key twice', { MASTER_KEY: `${key},${key}` }],
    ['a key with a name', { MASTER_KEY: `2026-11:${key}` }],
  ])('%s', async (_what, source) => {
    const failure = await open(source).catch((error: Error) => error);
    expect(failure).toMatchObject(invalid);
    expect((failure as Error).message).toContain('MASTER_KEY');
    expect((failure as Error).message).not.toContain(key);
  });
});

test('development creates one key, once for any number of processes, readable only by its owner', async () => {
  const load = async () => (await open({ MODE: 'development' })).currentId;
  const ids = await Promise.all(Array.from({ length: 8 }, load));
  ids.push(await load());
  expect(new Set(ids).size).toBe(1);
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['master.key']);
});

test('a damaged file is refused, not replaced', async () => {
  await writeFile(join(dataDir, 'master.key'), 'half a key\n');
  await expect(open({ MODE: 'development' })).rejects.toMatchObject(invalid);
});

test('loads a module in place of a key management service', async () => {
  const ring = resolve('src/keys/master-key-ring.ts');
  const module = join(dataDir, 'kms.mts');
  await writeFile(
    module,
    `import { createMasterKeyRing } from ${JSON.stringify(ring)};
     export default async () => createMasterKeyRing([Buffer.alloc(32, 7)]);`,
  );
  const keys = await open({ MASTER_KEY_MODULE: module });
  const accountKey = randomBytes(32);
  expect(keys.currentId).toBe(masterKeyId(Buffer.alloc(32, 7)));
  expect(await keys.unwrap('a', await keys.wrap('a', accountKey))).toEqual(accountKey);
});
