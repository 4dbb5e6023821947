// A deployment for the diagnosis: a database with one account, a data folder and a master key.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { runDiagnosis } from '../../src/doctor/run-diagnosis.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Call once in a file. `diagnose` gives the checks by name. */
export function useDeployment() {
  let database: TestDatabase;
  let dataDir: string;
  const masterKey = randomBytes(32);

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'likeness-doctor-'));
    const { wrapped, masterKeyId } = await createMasterKeyRing([masterKey]).wrap('acct_1', randomBytes(32));
    await database.db
      .insertInto('account')
      .values({
        id: 'acct_1',
        name: 'a',
        display_name: 'a',
        wrapped_key: wrapped,
        master_key_id: masterKeyId,
      })
      .execute();
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const diagnose = async (
    environment: Record<string, string> = {},
    modelsDir = join(dataDir, 'no-models'),
  ) => {
    const checks = await runDiagnosis(() => ({
      ...readConfig({
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        MASTER_KEY: masterKey.toString('base64'),
        ...environment,
      }),
      modelsDir,
    }));
    return Object.fromEntries(checks.map(({ name, ...check }) => [name, check]));
  };
  return {
    get database() {
      return database;
    },
    get dataDir() {
      return dataDir;
    },
    diagnose,
  };
}
