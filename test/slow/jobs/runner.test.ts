import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/base/log.ts';
import { type JobLane, startJobRunner } from '../../../src/jobs/runner.ts';
import { type PeriodicTask, startSweeper } from '../../../src/jobs/sweep.ts';
import { unlockTask } from '../../../src/jobs/worker-presence.ts';
import { createWorkerPresence } from '../../../src/storage/postgres/coordination/worker-presence.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openDatabaseLine } from '../../support/database-line.ts';

const log = createLogger({ level: 'silent', process: 'test' });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const addJob = (task: string, payload: object = {}) =>
  sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json)`.execute(database.db);

async function lockedBy(task: string): Promise<(string | null)[]> {
  const found = await sql<{ locked_by: string | null }>`
    select locked_by from graphile_worker.jobs where task_identifier = ${task}`.execute(database.db);
  return found.rows.map((row) => row.locked_by);
}

async function until(condition: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('it did not come');
    await delay(50);
  }
}

async function startLanes(lanes: JobLane[], connectionString = database.url) {
  const presence = createWorkerPresence(connectionString, database.db, log);
  const runner = await startJobRunner({ connectionString, lanes, presence, log });
  return {
    presence,
    stop: async () => {
      await runner.stop();
      await presence.close();
    },
  };
}

describe('the job runner', () => {
  it('runs each lane independently, retries a task that throws, and stops gracefully', async () => {
    const seen: string[] = [];
    let fails = 1;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const running = await startLanes([
      {
        name: 'slow',
        concurrency: 1,
        tasks: {
          slow: async () => {
            seen.push('slow begins');
            await held;
            seen.push('slow ends');
          },
        },
      },
      {
        name: 'quick',
        concurrency: 2,
        tasks: {
          quick: async (payload) => {
            if (fails-- > 0) throw new Error('once');
            seen.push(`quick ${(payload as { n: number }).n}`);
          },
        },
      },
    ]);
    await addJob('slow');
    await addJob('quick', { n: 1 });
    await until(() => seen.includes('quick 1') && seen.includes('slow begins'));
    const stopped = running.stop();
    await delay(100);
    release();
    await stopped;
    expect(seen).toContain('slow ends');
    expect(await lockedBy('slow')).toEqual([]);
  });

  it('shows a worker as alive while it works, and again after its connections broke', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const running = await startLanes([{ name: 'held', concurrency: 1, tasks: { held: () => held } }]);
    await addJob('held');
    await until(async () => (await lockedBy('held'))[0] !== null);
    const missing = () => running.presence.listMissing();
    await until(async () => (await missing()).length === 0);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'likeness presence' and datname = current_database()`.execute(database.db);
    await until(async () => (await missing()).length === 1);
    await until(async () => (await missing()).length === 0);
    release();
    await until(async () => (await lockedBy('held')).length === 0);
    await running.stop();
  });

  it('gives the jobs of a killed worker process to another within seconds', async () => {
    await addJob('orphaned');
    const script = join(import.meta.dirname, 'doomed-worker.js');
    const child = spawn(process.execPath, [script, database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect((await lockedBy('orphaned'))[0]).not.toBeNull();
    child.kill('SIGKILL');
    let done = false;
    const running = await startLanes([
      {
        name: 'orphaned',
        concurrency: 1,
        tasks: {
          orphaned: async () => {
            done = true;
          },
        },
      },
    ]);
    const sweeper = startSweeper([unlockTask(running.presence)], log);
    await until(() => done);
    await sweeper.stop();
    await running.stop();
  });
});

describe('a broken connection', () => {
  it("while a job's claim is being answered does not lose the job", async () => {
    const line = await openDatabaseLine(database.url);
    let runs = 0;
    const tasks = {
      unanswered: async () => {
        runs += 1;
      },
    };
    const running = await startLanes([{ name: 'unanswered', concurrency: 1, tasks }], line.url);
    const sweeper = startSweeper([unlockTask(running.presence)], log);
    const lost = line.loseAnswerWith('the payload of the job');
    await addJob('unanswered', { about: 'the payload of the job' });
    await lost;
    expect((await lockedBy('unanswered'))[0]).toMatch(/^worker-/);
    expect(runs).toBe(0);
    await until(async () => (await lockedBy('unanswered')).length === 0);
    expect(runs).toBe(1);
    await sweeper.stop();
    await running.stop();
    await line.close();
  }, 30_000);

  it("on the client's side only leaves a worker alive while the server still holds the old session", async () => {
    const line = await openDatabaseLine(database.url);
    const presence = createWorkerPresence(line.url, database.db, log);
    const holders = async (workerId: string) =>
      (
        await sql`select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
          and objid = (hashtext(${workerId})::bigint & 4294967295)::oid`.execute(database.db)
      ).rows.length;
    presence.hold('before');
    await until(async () => (await holders('before')) === 1);
    line.forgetClients();
    presence.hold('after');
    await until(async () => (await holders('after')) === 1, 5_000);
    expect(await holders('before')).toBe(2);
    await presence.close();
    await line.close();
  });
});

it('the job runner does not wait for an unavailable database once its process is ending', async () => {
  const connectionString = 'postgres://nobody@127.0.0.1:1/none';
  const presence = createWorkerPresence(connectionString, database.db, log);
  const lanes = [{ name: 'any', concurrency: 1, tasks: { any: async () => {} } }];
  let isStopping = false;
  const starting = startJobRunner({ connectionString, lanes, presence, isStopping: () => isStopping, log });
  expect(await Promise.race([starting.then(() => 'started'), delay(1_500, 'waits')])).toBe('waits');
  isStopping = true;
  await (await starting).stop();
  await presence.close();
});

describe('the sweeper', () => {
  it('repeats every task at its own interval, continues after a failure, and stops after the current run', async () => {
    const runs = { good: 0, bad: 0, ended: true };
    const tasks: PeriodicTask[] = [
      {
        name: 'good',
        everyMs: 10,
        run: async () => {
          runs.good++;
          runs.ended = false;
          await delay(20);
          runs.ended = true;
          return 1;
        },
      },
      {
        name: 'bad',
        everyMs: 10,
        run: async () => {
          runs.bad++;
          throw new Error('again');
        },
      },
    ];
    const sweeper = startSweeper(tasks, log);
    await until(() => runs.good > 2 && runs.bad > 2);
    await until(() => !runs.ended);
    await sweeper.stop();
    expect(runs.ended).toBe(true);
    const after = { ...runs };
    await delay(100);
    expect(runs).toEqual(after);
  });
});
