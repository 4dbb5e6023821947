// A worker process for test/jobs/judge.test.ts, on the deployment that its environment names. It takes judge jobs as
// the worker role does. One video kills it (SIGKILL) during its judgement. Argument: SHA-256 of that video (hex).
import { createHash } from 'node:crypto';
import { createLogger } from '../../../dist/base/log.js';
import { openFoundation } from '../../../dist/composition/foundation.js';
import { composeServices } from '../../../dist/composition/services.js';
import { readConfig } from '../../../dist/config/read-config.js';
import { createJudgeTask, JUDGE_TASK } from '../../../dist/jobs/judge.js';
import { createJudgementLock } from '../../../dist/jobs/judgement-lock.js';
import { createKeptJudgements } from '../../../dist/jobs/kept-judgements.js';
import { startJobRunner } from '../../../dist/jobs/runner.js';
import { createWorkerPresence } from '../../../dist/storage/postgres/coordination/worker-presence.js';

const fatal = process.argv[2];
const log = createLogger({ level: 'silent', process: 'doomed' });
const foundation = await openFoundation(readConfig(process.env), log);
const { challengeParts, featids } = composeServices(foundation);
const { connectionString, db } = foundation.database;
const judgeTask = createJudgeTask({
  judgementLock: createJudgementLock(),
  keptJudgements: createKeptJudgements(),
  ...challengeParts,
  featids,
  engine: { version: '0.0.0', models: [], recognisers: [], pad: null, target_fmr: 1e-4, runtime: {} },
  judge: async ({ video }) => {
    const hash = createHash('sha256').update(video);
    if (hash.digest('hex') === fatal) process.kill(process.pid, 'SIGKILL');
    return { status: 'notJudged', reason: 'too_short' };
  },
  observe: () => {},
});
await startJobRunner({
  connectionString,
  presence: createWorkerPresence(connectionString, db, log),
  log,
  lanes: [{ name: 'judge', concurrency: 1, tasks: { [JUDGE_TASK]: judgeTask } }],
});
