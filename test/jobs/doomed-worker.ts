// A worker process for test/jobs/runner.test.ts: takes the job `orphaned`, says so, and never ends it.
import { createLogger } from '../../src/base/log.ts';
import { startJobRunner } from '../../src/jobs/runner.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { createWorkerLiveness } from '../../src/storage/postgres/worker-liveness.ts';

const connectionString = process.argv[2]!;
const log = createLogger({ level: 'silent', process: 'doomed' });
const orphaned = () => {
  console.log('taken');
  return new Promise<void>(() => {});
};
await startJobRunner({
  connectionString,
  liveness: createWorkerLiveness(connectionString, createDatabase(connectionString), log),
  log,
  lanes: [{ name: 'doomed', concurrency: 1, tasks: { orphaned } }],
});
