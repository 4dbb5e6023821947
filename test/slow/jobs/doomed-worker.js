// A worker process for test/jobs/runner.test.ts: takes the job `orphaned`, says so, and never ends it.
import { createLogger } from '../../../dist/base/log.js';
import { startJobRunner } from '../../../dist/jobs/runner.js';
import { createWorkerPresence } from '../../../dist/storage/postgres/coordination/worker-presence.js';
import { createDatabase } from '../../../dist/storage/postgres/database.js';

const connectionString = process.argv[2];
const log = createLogger({ level: 'silent', process: 'doomed' });
const orphaned = () => {
  console.log('taken');
  return new Promise(() => {});
};
await startJobRunner({
  connectionString,
  presence: createWorkerPresence(connectionString, createDatabase(connectionString), log),
  log,
  lanes: [{ name: 'doomed', concurrency: 1, tasks: { orphaned } }],
});
