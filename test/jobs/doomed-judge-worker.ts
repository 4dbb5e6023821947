// A worker process for test/jobs/judge.test.ts, on the deployment that its environment names: takes judge jobs as the
// worker role does; one video kills it (SIGKILL) in the middle of its judgement. Argument: SHA-256 of that video (hex).
import { createHash } from 'node:crypto';
import { createLogger } from '../../src/base/log.ts';
import { openFoundation } from '../../src/composition/foundation.ts';
import { composeServices } from '../../src/composition/services.ts';
import { createJudgeTask, JUDGE_TASK } from '../../src/jobs/judge.ts';
import { startJobRunner } from '../../src/jobs/runner.ts';
import { readConfig } from '../../src/read-config.ts';
import { createWorkerLiveness } from '../../src/storage/postgres/worker-liveness.ts';

const deadly = process.argv[2];
const log = createLogger({ level: 'silent', process: 'doomed' });
const foundation = await openFoundation(readConfig(process.env), log);
const { challengeParts, featids } = composeServices(foundation);
const { connectionString, db } = foundation.database;
const judgeTask = createJudgeTask({
  ...challengeParts,
  featids,
  judge: async ({ video }) => {
    const hash = createHash('sha256').update(video as Uint8Array);
    if (hash.digest('hex') === deadly) process.kill(process.pid, 'SIGKILL');
    return { status: 'notJudged', reason: 'too_short' };
  },
  observe: () => {},
});
await startJobRunner({
  connectionString,
  liveness: createWorkerLiveness(connectionString, db, log),
  log,
  lanes: [{ name: 'judge', concurrency: 1, tasks: { [JUDGE_TASK]: judgeTask } }],
});
