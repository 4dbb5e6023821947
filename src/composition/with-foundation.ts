// For commands that need the database: opens it, whether or not the service runs, and closes it again.
import { createLogger } from '../base/log.ts';
import { readConfig } from '../config/read-config.ts';
import { type Foundation, openFoundation } from './foundation.ts';

/** Runs `work` on the deployment that the environment describes. */
export async function withFoundation<T>(work: (foundation: Foundation) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  // The service's info log would be noise next to a command's output.
  const level = config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL;
  const foundation = await openFoundation(config, createLogger({ level, process: 'cli' }));
  try {
    return await work(foundation);
  } finally {
    await foundation.close();
  }
}
