// The foundation of every role and most CLI commands: database, master keys, custody and accounts.
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { openMasterKeys } from '../keys/master-key-source.ts';
import { openDatabase } from '../storage/open-database.ts';
import { composeFoundation } from './compose-foundation.ts';
import { explainFullDisk, prepareDataDir } from './data-dir.ts';
import { requireMasterKey } from './require-master-key.ts';

/** The parts that are open while a process runs: configuration, log, clock, database, keys and accounts. */
export type Foundation = Readonly<ReturnType<typeof composeFoundation>>;

/**
 * Opens the database (starting and migrating it if needed) and the keys.
 * @throws Fault of the data folder, the database, the master key (also if it does not fit this database) or the
 * configuration
 */
export async function openFoundation(config: Config, log: Logger): Promise<Foundation> {
  await prepareDataDir(config);
  const { masterKeys, database } = await openKeysAndDatabase(config, log).catch(async (error) => {
    throw await explainFullDisk(config, error);
  });
  const foundation = composeFoundation({ config, log, clock: systemClock, database, masterKeys });
  try {
    await requireMasterKey(database.db, foundation.keys, log);
  } catch (error) {
    await foundation.close();
    throw error;
  }
  return foundation;
}

async function openKeysAndDatabase(config: Config, log: Logger) {
  const masterKeys = await openMasterKeys(config);
  const database = await openDatabase(config, log, {
    maxConnections: config.limits.databaseConnections[config.ROLE],
    applicationName: `likeness ${config.ROLE}`,
  });
  return { masterKeys, database };
}
