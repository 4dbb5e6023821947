// What a test's services are built on: a fresh database, a folder and keys of its own, and a configuration read by the
// service's own reader.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createLogger, type Logger } from '../../src/base/log.ts';
import { composeFoundation } from '../../src/composition/compose-foundation.ts';
import type { Foundation } from '../../src/composition/foundation.ts';
import { LIMITS, type Limits } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { templatePackId } from '../../src/evaluation/recognition/operating-point.ts';
import { openMasterKeys } from '../../src/keys/master-key-source.ts';
import { readPack } from '../../src/models/packs/read-pack.ts';
import { createReports } from '../../src/storage/postgres/database.ts';
import { createTestDatabase } from './database.ts';

const MODELS_DIR = resolve(import.meta.dirname, '..', '..', 'build', 'models');
/** The default pack, which makes the templates of a deployment that does not choose another. */
export const PACK = templatePackId(readPack('mobilefacenet', MODELS_DIR));

export interface TestFoundation extends Foundation {
  /** The variables behind `config`; another process with the same ones works on the same deployment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Closes and drops the database, and removes the folder. */
  close(): Promise<void>;
}

export interface TestFoundationOptions {
  /** Variables that differ from their default. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Limits that differ from a deployment's. */
  readonly limits?: Partial<Limits>;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: silent. */
  readonly log?: Logger;
}

export async function createTestFoundation(options: TestFoundationOptions = {}): Promise<TestFoundation> {
  const database = await createTestDatabase();
  // No sweep notes that this service is there.
  await database.db.updateTable('service_presence').set({ at: sql`now() + interval '1 day'` }).execute();
  const reports = createReports(database.url);
  const dataDir = await mkdtemp(join(tmpdir(), 'likeness-room-'));
  const environment = {
    MODE: 'development',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...options.environment,
  };
  // So that the tests run however full the machine's disk is, and whatever their rate is.
  const rates = {
    keyRatePerMinute: 1_000_000,
    pageRatePerMinute: 1_000_000,
    wrongKeyRatePerMinute: 1_000_000,
  };
  const disk = { minFreeDiskBytes: 0, accountStorageBytes: 1e12 };
  const config = { ...readConfig(environment), limits: { ...LIMITS, ...rates, ...disk, ...options.limits } };
  const foundation = composeFoundation({
    config,
    log: options.log ?? createLogger({ level: 'silent', process: 'test' }),
    clock: options.clock ?? systemClock,
    database: {
      db: database.db,
      reports,
      connectionString: database.url,
      directConnectionString: database.url,
      close: () => reports.destroy().then(database.drop),
    },
    masterKeys: await openMasterKeys(config),
  });
  return {
    ...foundation,
    environment,
    close: async () => {
      await foundation.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
