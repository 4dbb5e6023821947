// Measures the time from writing a judgement's job to the first line of its task in an idle worker's queue; compared
// with the bare equivalent: a row, a NOTIFY, and one statement that claims the row.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createLogger } from '../src/base/log.ts';
import { startJobRunner } from '../src/jobs/runner.ts';
import { createWorkerPresence } from '../src/storage/postgres/coordination/worker-presence.ts';
import { createDatabase } from '../src/storage/postgres/database.ts';
import type { Section } from './report.ts';

const JOBS = 400;
const TASK = 'bench_pickup';
/** Mean pause between two jobs: the worker has long been idle when the next one arrives. */
const PAUSE_MS = 25;

/** No worker process may run at the same time. */
export async function measurePickup(databaseUrl: string): Promise<Section> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ours = await measureQueue(client, databaseUrl);
    const bare = await measureBare(client, databaseUrl);
    const row = (name: string, times: number[]) => [name, ...[0.5, 0.99, 1].map((at) => quantile(times, at))];
    return {
      title: 'Pickup of a job',
      method: `${JOBS} jobs, one at a time, from the statement that writes the job to the first line of its task in an idle worker, milliseconds; bare: a row and a NOTIFY, a listener that claims the row with one statement. Same PostgreSQL (fsync on), same process.`,
      columns: ['', 'p50 (aim ≤ 20)', 'p99 (aim ≤ 150)', 'max'],
      rows: [row('Likeness', ours), row('bare NOTIFY + claim', bare)],
    };
  } finally {
    await client.end();
  }
}

function quantile(times: readonly number[], at: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))]!.toFixed(1);
}

/** Writes one item after another; `taken` resolves when the other side has it. Returns the times in between. */
async function measureEach(write: () => Promise<unknown>, taken: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let job = 0; job < JOBS; job++) {
    await delay(PAUSE_MS * (0.5 + Math.random()));
    const arrival = taken();
    const from = performance.now();
    await write();
    times.push((await arrival) - from);
  }
  return times;
}

async function measureQueue(client: pg.Client, databaseUrl: string): Promise<number[]> {
  const log = createLogger({ level: 'warn', process: 'bench' });
  const db = createDatabase(databaseUrl);
  const presence = createWorkerPresence(databaseUrl, db, log);
  let arrive: (at: number) => void = () => {};
  const task = async () => arrive(performance.now());
  const runner = await startJobRunner({
    connectionString: databaseUrl,
    presence,
    log,
    lanes: [{ name: TASK, concurrency: 1, tasks: { [TASK]: task } }],
  });
  try {
    // Let the queue start listening before the first job is timed.
    await delay(500);
    return await measureEach(
      () => client.query(`select graphile_worker.add_job('${TASK}', '{}')`),
      () => new Promise((done) => (arrive = done)),
    );
  } finally {
    await runner.stop();
    await presence.close();
    await db.destroy();
  }
}

async function measureBare(client: pg.Client, databaseUrl: string): Promise<number[]> {
  const listener = new pg.Client({ connectionString: databaseUrl });
  await listener.connect();
  let arrive: (at: number) => void = () => {};
  listener.on('notification', async () => {
    await listener.query(
      'delete from bench_job where id = (select id from bench_job limit 1 for update skip locked)',
    );
    arrive(performance.now());
  });
  await client.query('create table bench_job (id bigint generated always as identity primary key)');
  try {
    await listener.query('listen bench_pickup');
    return await measureEach(
      () =>
        client.query(
          'with made as (insert into bench_job default values returning id) select pg_notify($1, $2) from made',
          ['bench_pickup', ''],
        ),
      () => new Promise((done) => (arrive = done)),
    );
  } finally {
    await listener.end();
    await client.query('drop table bench_job');
  }
}
