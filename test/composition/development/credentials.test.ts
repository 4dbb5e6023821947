// Development mode's account: one for all processes of one folder, however many start at once.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../src/base/log.ts';
import {
  DEV_CREDENTIALS_FILE,
  ensureDevCredentials,
} from '../../../src/composition/development/credentials.ts';
import { type Foundation, openFoundation } from '../../../src/composition/foundation.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'likeness-credentials-'));
let database: TestDatabase;
let foundations: Foundation[];

beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url });
  const log = createLogger({ level: 'silent', process: 'test' });
  // Each is the foundation of one process.
  foundations = await Promise.all([1, 2, 3, 4].map(() => openFoundation(config, log)));
});
afterAll(async () => {
  await Promise.all(foundations.map((foundation) => foundation.close()));
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('is created once by processes that start at once on one folder, and kept for the next start', async () => {
  const made = await Promise.all(
    foundations.map((foundation) => ensureDevCredentials(foundation, 'http://127.0.0.1:8080')),
  );
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(made.map(({ credentials }) => credentials.api_key)).size).toBe(1);
  const names = (await foundations[0]!.accounts.list()).map(({ name }) => name);
  expect(names.filter((name) => !name.includes('sandbox'))).toEqual(['development']);
  expect(statSync(join(dataDir, DEV_CREDENTIALS_FILE)).mode & 0o777).toBe(0o600);
  const again = await ensureDevCredentials(foundations[1]!, 'http://127.0.0.1:8081');
  expect(again).toMatchObject({ isNew: false, credentials: { base_url: 'http://127.0.0.1:8081' } });
  expect(again.credentials.api_key).toBe(made[0]!.credentials.api_key);
});
