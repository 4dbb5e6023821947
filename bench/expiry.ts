import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../src/base/ids.ts';
import { createLogger } from '../src/base/log.ts';
import { type Foundation, openFoundation } from '../src/composition/foundation.ts';
import { readConfig } from '../src/config/read-config.ts';
import { seedChallenges } from '../test/support/seed-challenges.ts';
import { startRole } from './processes.ts';
import type { Section } from './report.ts';

const CHALLENGES = 100_000;
const SEED_BATCH = 1_000;
/** The same as the sweep's own. */
const BATCH = 100;
const GIVE_UP_MS = 180_000;

/** Leaves its challenges and their deliveries behind, so run it last. */
export async function measureExpiry(environment: Readonly<Record<string, string>>): Promise<Section> {
  const log = createLogger({ level: 'warn', process: 'bench' });
  const foundation = await openFoundation(readConfig(environment), log);
  const client = new pg.Client({ connectionString: foundation.database.connectionString });
  await client.connect();
  try {
    const account = await foundation.accounts.create({ name: `bench ${newId('account')}` }, 'operator');
    if (account.status !== 'created') throw new Error('no account');
    await seed(foundation, account.accountId);
    const bareSeconds = await measureBare(client);
    const seconds = await measureSweep(client, account.accountId, environment);
    const row = (name: string, took: number) => [name, took.toFixed(1), (CHALLENGES / took).toFixed(0)];
    return {
      title: 'Expiry',
      method: `Time in which the sweep of one API process expires ${CHALLENGES} open challenges that are due at the same moment, each with its event and one sealed delivery. Bare: the same number of rows closed in batches of ${BATCH} with one event row each, nothing decrypted or sealed. Same PostgreSQL (fsync on).`,
      columns: ['', 'seconds (aim ≤ 60)', 'per second'],
      rows: [
        row('Likeness', seconds),
        row('bare batches', bareSeconds),
        ['ratio', (bareSeconds / seconds).toFixed(2), ''],
      ],
    };
  } finally {
    await client.end();
    await foundation.close();
  }
}

/** Creates challenges whose deadline is still far away. */
async function seed({ keys, database }: Foundation, accountId: string): Promise<void> {
  const notification = { type: 'http' as const, properties: { endpoint_url: 'http://127.0.0.1:9/' } };
  const request = { notifications: { complete: [], expired: [notification] } };
  for (let done = 0; done < CHALLENGES; done += SEED_BATCH) {
    await seedChallenges(database.db, keys, accountId, SEED_BATCH, request);
  }
}

async function measureSweep(
  client: pg.Client,
  accountId: string,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const api = await startRole('api', environment);
  try {
    await client.query('update challenge set expires_at = now() where account_id = $1', [accountId]);
    await client.query('analyze challenge');
    const from = performance.now();
    while (await hasOpen(client, accountId)) {
      if (performance.now() - from > GIVE_UP_MS) throw new Error('the sweep did not end');
      await delay(250);
    }
    const seconds = (performance.now() - from) / 1000;
    const { rows } = await client.query(
      `select (select count(*) from delivery where account_id = $1)::int as deliveries,
        (select count(*) from challenge_event e join challenge h on h.id = e.challenge_id
          where h.account_id = $1 and e.name = 'challenge_expired')::int as events`,
      [accountId],
    );
    const { deliveries, events } = rows[0];
    if (deliveries !== CHALLENGES || events !== CHALLENGES)
      throw new Error(`${deliveries} deliveries, ${events} events`);
    return seconds;
  } finally {
    await api.stop();
  }
}

async function hasOpen(client: pg.Client, accountId: string): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (select from challenge
      where account_id = $1 and status in ('created', 'initiated')) as open`,
    [accountId],
  );
  return rows[0].open;
}

async function measureBare(client: pg.Client): Promise<number> {
  await client.query(`
    create table bench_due (id text primary key, status text not null, expires_at timestamptz not null, closed_at timestamptz);
    create index on bench_due (expires_at) where status = 'created';
    create table bench_expired (id text not null, at timestamptz not null);
    insert into bench_due select 'ch_' || n, 'created', now() from generate_series(1, ${CHALLENGES}) n;
    analyze bench_due`);
  try {
    const from = performance.now();
    for (let closed = BATCH; closed === BATCH; ) {
      const { rowCount } = await client.query(`
        with due as (
          select id from bench_due where status = 'created' and expires_at <= now()
          order by expires_at limit ${BATCH} for update skip locked
        ), closed as (
          update bench_due set status = 'expired', closed_at = now() where id in (select id from due) returning id
        )
        insert into bench_expired select id, now() from closed`);
      closed = rowCount ?? 0;
    }
    return (performance.now() - from) / 1000;
  } finally {
    await client.query('drop table bench_due, bench_expired');
  }
}
