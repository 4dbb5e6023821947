// A video that kills the process that judges it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/base/log.ts';
import { unlockTask } from '../../../src/jobs/worker-presence.ts';
import { createWorkerPresence } from '../../../src/storage/postgres/coordination/worker-presence.ts';
import {
  createRig,
  createStarted,
  type Rig,
  resultOf,
  someVideo,
  submit,
} from '../../challenge/challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

function startDoomedJudge(fatal: Uint8Array): ChildProcess {
  const script = join(import.meta.dirname, 'doomed-judge-worker.js');
  const hash = createHash('sha256').update(fatal).digest('hex');
  return spawn(process.execPath, [script, hash], {
    env: { ...process.env, ...rig.foundation.environment },
    stdio: 'inherit',
  });
}

/** Does what the sweep does. A worker counts as dead once it was missing twice. */
async function releaseJobsOfDeadWorkers(): Promise<void> {
  const log = createLogger({ level: 'silent', process: 'test' });
  const presence = createWorkerPresence(rig.database.connectionString, rig.database.db, log);
  const task = unlockTask(presence);
  await expect.poll(() => task.run(), { timeout: 20_000 }).toBe(1);
  await presence.close();
}

describe('a worker process', () => {
  it('killed three times by one video: another is asked for, and the queue continues', async () => {
    const [fatal, harmless] = [await createStarted(rig), await createStarted(rig)];
    const video = someVideo();
    await submit(rig, fatal.link, video);
    await submit(rig, harmless.link);
    for (let deaths = 0; deaths < 3; deaths++) {
      const worker = startDoomedJudge(video);
      expect((await once(worker, 'exit'))[1]).toBe('SIGKILL');
      await releaseJobsOfDeadWorkers();
    }
    expect((await resultOf(rig, fatal)).status).toBe('processing');
    const worker = startDoomedJudge(video);
    try {
      await expect
        .poll(async () => (await resultOf(rig, fatal)).status, { timeout: 30_000 })
        .toBe('initiated');
      await expect
        .poll(async () => (await resultOf(rig, harmless)).status, { timeout: 30_000 })
        .toBe('initiated');
    } finally {
      worker.kill('SIGKILL');
    }
    expect(await rig.services.outcome(fatal.link, 0)).toMatchObject({
      outcome: { status: 'retry', retry: { reason: 'video_unreadable' } },
    });
    const outcome = await rig.services.outcome(harmless.link, 0);
    expect(outcome).toMatchObject({ outcome: { status: 'retry', retry: { reason: 'too_short' } } });
  }, 90_000);
});
