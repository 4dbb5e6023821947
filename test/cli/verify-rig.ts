// Receipts of real judgements, and `verify` on them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/base/log.ts';
import { readConfigOffline } from '../../src/config/read-config.ts';
import { VERSION } from '../../src/config/version.ts';
import { describeEngine } from '../../src/evaluation/engine.ts';
import { judge } from '../../src/evaluation/judge.ts';
import { DEFAULT_SETTINGS } from '../../src/evaluation/settings.ts';
import { createJudgeTask } from '../../src/jobs/judge.ts';
import { createJudgementLock } from '../../src/jobs/judgement-lock.ts';
import { createKeptJudgements } from '../../src/jobs/kept-judgements.ts';
import { loadModels } from '../../src/models/load.ts';
import { commit, createRig, createStarted, inTurn, type Rig } from '../challenge/challenge-rig.ts';
import { runLikeness } from '../support/command-line.ts';

const CHUNK_BYTES = 500_000;

export type VerifyRig = Awaited<ReturnType<typeof createVerifyRig>>;

/** A service of its own, and a folder for the files of the command line. */
export async function createVerifyRig() {
  const rig = await createRig();
  const folder = await mkdtemp(join(tmpdir(), 'likeness-verify-'));
  const fileOf = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  return {
    folder,
    /** Judges the video as the last try of a challenge, by the worker's task; resolves with the receipt. */
    judged: (video: Buffer) => judged(rig, video),
    /** Writes a file and resolves with its path. */
    fileOf,
    /** Writes the keys that the service publishes to `jwks.json`. */
    writeKeys: async () => {
      await fileOf('jwks.json', JSON.stringify({ keys: await rig.foundation.receiptKeys.published() }));
    },
    /** Runs `verify`, by default with `jwks.json`. */
    verify: async (receipt: string, video: string, jwks = join(folder, 'jwks.json')) => {
      const path = await fileOf('receipt.jws', receipt);
      const ended = await runLikeness(['verify', path, '--video', video, '--jwks', jwks, '--json']);
      return { ...ended, answer: ended.stdout ? JSON.parse(ended.stdout) : null };
    },
    close: async () => {
      await rig.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function judged(rig: Rig, video: Buffer): Promise<string> {
  const models = await loadModels({ modelsDir: readConfigOffline({}).modelsDir, threads: 1 });
  try {
    const engine = await describeEngine(models, DEFAULT_SETTINGS, VERSION);
    const opened = await createStarted(rig);
    const { capture_id: captureId } = await commit(rig, opened.link, video);
    for (let at = 0; at < video.length; at += CHUNK_BYTES) {
      const chunk = video.subarray(at, at + CHUNK_BYTES);
      await rig.services.acceptBytes(opened.link, captureId, at, async () => chunk);
    }
    // Whatever is wrong with the video, no try is left.
    await rig.database.db
      .updateTable('challenge')
      .set({ tries_used: 3 })
      .where('id', '=', opened.challengeId)
      .execute();
    const task = createJudgeTask({
      ...rig.parts,
      featids: rig.featids,
      judgementLock: createJudgementLock(),
      keptJudgements: createKeptJudgements(),
      engine,
      observe: () => {},
      judge: (input) => judge(input, models),
      log: createLogger({ level: 'silent', process: 'test' }),
    });
    await inTurn(rig, captureId, (id) => task(null, { id }));
    const read = await rig.services.receipt(rig.caller, opened.challengeId);
    if (read.status !== 'ok') throw new Error(JSON.stringify(read));
    return read.receipt;
  } finally {
    await models.close();
  }
}
