// A worker process for test/jobs/judge.test.ts: takes judge jobs as the worker role does; one video kills it (SIGKILL)
// in the middle of its judgement. Arguments: database, asset folder, master key (base64), SHA-256 of that video (hex).
import { createHash } from 'node:crypto';
import { createLogger } from '../../src/base/log.ts';
import { createFeatids } from '../../src/featid/featids.ts';
import { createJudgeTask, JUDGE_TASK } from '../../src/jobs/judge.ts';
import { startJobRunner } from '../../src/jobs/runner.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { createDiskBlobs } from '../../src/storage/assets/disk-blobs.ts';
import { createEncryptedAssets } from '../../src/storage/assets/encrypted-assets.ts';
import { createAccountStore } from '../../src/storage/postgres/account-store.ts';
import { createChallengeStore } from '../../src/storage/postgres/challenge-store.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { createFeatidStore } from '../../src/storage/postgres/featid-store.ts';
import { createKeyShredder } from '../../src/storage/postgres/key-shredder.ts';
import { createWorkerLiveness } from '../../src/storage/postgres/worker-liveness.ts';
import { createDeliveryMaker } from '../../src/webhook/endpoint.ts';

const [connectionString, folder, masterKey, deadly] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
];
const log = createLogger({ level: 'silent', process: 'doomed' });
const db = createDatabase(connectionString);
const keys = createAccountKeys({
  masterKeys: createMasterKeyRing([Buffer.from(masterKey, 'base64')]),
  store: createAccountStore(db),
});
const judgeTask = createJudgeTask({
  store: createChallengeStore(db, { assetRetentionDays: 30 }),
  assets: createEncryptedAssets({ keys, blobs: createDiskBlobs(folder) }),
  custody: keys,
  featids: createFeatids({
    ...{ keys, keyShredder: createKeyShredder(db, log) },
    ...{ store: createFeatidStore(db), region: 'au', usablePacks: [] },
  }),
  makeDeliveries: createDeliveryMaker(keys),
  judge: async ({ video }) => {
    const hash = createHash('sha256').update(video as Uint8Array);
    if (hash.digest('hex') === deadly) process.kill(process.pid, 'SIGKILL');
    return { status: 'notJudged', reason: 'too_short' };
  },
  observe: () => {},
  log,
});
await startJobRunner({
  connectionString,
  liveness: createWorkerLiveness(connectionString, db, log),
  log,
  lanes: [{ name: 'judge', concurrency: 1, tasks: { [JUDGE_TASK]: judgeTask } }],
});
