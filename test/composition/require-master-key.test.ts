// A start with the wrong keys: refused if they open nothing, logged if they open only a part.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { openFoundation } from '../../src/composition/foundation.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { masterKeyId } from '../../src/keys/master-key-ring.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const newKey = () => randomBytes(32).toString('base64');
const [first, second] = [newKey(), newKey()];
const idOf = (key: string) => masterKeyId(Buffer.from(key, 'base64'));
let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-keys-'));
});
afterAll(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function open(masterKey: string) {
  const log = createLogger({ level: 'silent', process: 'test' });
  const error = vi.spyOn(log, 'error');
  const environment = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey };
  return openFoundation(readConfig(environment), log).then((foundation) => ({ foundation, error }));
}

async function createAccount(masterKey: string, name: string): Promise<void> {
  const { foundation } = await open(masterKey);
  const created = await foundation.accounts.create({ name, displayName: name }, 'operator');
  await foundation.close();
  expect(created.status).toBe('created');
}

test('accepts any key before the first account', async () => {
  await open(newKey()).then(({ foundation }) => foundation.close());
});

test('does not start with a key that opens no account', async () => {
  await createAccount(first, 'shop');
  const refused = new RegExp(`does not hold: master key ${idOf(first)}; set MASTER_KEY`);
  await expect(open(second)).rejects.toThrow(refused);
  const { foundation, error } = await open(first);
  expect(error).not.toHaveBeenCalled();
  await foundation.close();
});

test('serves what opens and logs the missing key, where an old key was removed too early', async () => {
  await createAccount(`${second},${first}`, 'bank');
  const { foundation, error } = await open(second);
  expect(error).toHaveBeenCalledWith(
    { master_keys: [idOf(first)] },
    expect.stringMatching(/cannot be opened/),
  );
  await foundation.close();
});
