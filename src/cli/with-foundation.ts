// For commands that need the database: opens it, whether or not the service runs, and closes it again.
import { createLogger } from '../base/log.ts';
import { type Foundation, openFoundation } from '../composition/foundation.ts';
import { readConfig } from '../config/read-config.ts';
import type { MigrationPolicy } from '../storage/open-database.ts';

/**
 * Runs `work` on the deployment that the environment describes. Unlike a service, a command never waits for migrations,
 * because someone is waiting for its output.
 */
export async function withFoundation<T>(
  work: (foundation: Foundation) => Promise<T>,
  policy?: MigrationPolicy,
): Promise<T> {
  const read = readConfig(process.env);
  const config = { ...read, MIGRATIONS: policy ?? (read.MIGRATIONS === 'wait' ? 'refuse' : read.MIGRATIONS) };
  // The service's info log would be noise next to a command's output.
  const level = config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL;
  const foundation = await openFoundation(
    config,
    createLogger({ level, format: config.LOG_FORMAT, process: 'cli' }),
  );
  try {
    return await work(foundation);
  } finally {
    await foundation.close();
  }
}
