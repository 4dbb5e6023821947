// A measurement that needs only a database can be run on its own: node --import tsx bench/NAME.ts
import { createLogger } from '../src/base/log.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded/server.ts';
import { newDataDir, removeDataDir } from '../test/support/running-service.ts';
import { render, type Section } from './report.ts';

/** The database of a measurement, and the folder of its master key. */
export interface BenchDatabase {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** Measures on a separate PostgreSQL and prints the table, if this process was started with exactly that file. */
export async function runAlone(
  file: string,
  measure: (database: BenchDatabase) => Promise<Section>,
): Promise<void> {
  if (process.argv[1] !== file) return;
  const dataDir = newDataDir();
  const log = createLogger({ level: 'warn', process: 'bench' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    const section = await measure({ databaseUrl: postgres.connectionString, dataDir });
    process.stdout.write(`${render(section)}\n`);
  } finally {
    await postgres.stop();
    removeDataDir(dataDir);
  }
}
