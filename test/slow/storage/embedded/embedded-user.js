// A process that uses the embedded database until it is killed; started by crashes.test.ts.
import { createLogger } from '../../../../dist/base/log.js';
import { startEmbeddedPostgres } from '../../../../dist/storage/embedded/server.js';

const server = await startEmbeddedPostgres({
  dataDir: process.argv[2],
  log: createLogger({ level: 'silent', process: 'test' }),
});
process.once('SIGTERM', () => void server.stop());
process.stdout.write(`${server.connectionString}\n`);
