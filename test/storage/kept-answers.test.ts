import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeptAnswers } from '../../src/storage/postgres/kept-answers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('kept answers', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db
      .insertInto('account')
      .values({
        id: 'acct_1',
        name: 'one',
        display_name: 'One',
        privacy_url: null,
        purpose: null,
        wrapped_key: Buffer.from('x'),
        master_key_id: 'm',
      })
      .execute();
  });
  afterAll(() => database.drop());

  const scope = (key: string) => ({ accountId: 'acct_1', path: '/v1/webhooks/test', key });
  const print = Buffer.from('fingerprint');

  it('lets one of two requests at once work', async () => {
    const answers = createKeptAnswers(database.db);
    const claims = await Promise.all([answers.claim(scope('a'), print), answers.claim(scope('a'), print)]);
    expect(claims.map((claim) => claim.status).sort()).toEqual(['claimed', 'inFlight']);
  });

  it('replays what was kept', async () => {
    const answers = createKeptAnswers(database.db);
    await answers.claim(scope('b'), print);
    await answers.keep(scope('b'), 200, Buffer.from('sealed'));
    expect(await answers.claim(scope('b'), print)).toEqual({
      status: 'kept',
      fingerprint: print,
      responseStatus: 200,
      sealedResponse: Buffer.from('sealed'),
    });
  });

  it('replays an answer that is kept while another request claims', async () => {
    const answers = createKeptAnswers(database.db);
    await answers.claim(scope('d'), print);
    const blocked = async () => {
      const found = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
      return found.rows[0]!.count;
    };
    const hold = await database.db.startTransaction().execute();
    let keeping: Promise<void> | undefined;
    let claiming: ReturnType<typeof answers.claim> | undefined;
    try {
      // A row in the way stops the keeper when its claim is deleted and its answer not yet there for others.
      await hold
        .insertInto('idempotency')
        .values({
          ...{ account_id: 'acct_1', path: scope('d').path, key: 'd' },
          ...{ fingerprint: print, response_status: 500, sealed_response: Buffer.from('never') },
        })
        .execute();
      keeping = answers.keep(scope('d'), 200, Buffer.from('sealed'));
      await expect.poll(blocked, { timeout: 20_000 }).toBe(1);
      claiming = answers.claim(scope('d'), print);
      await expect.poll(blocked, { timeout: 20_000 }).toBe(2);
    } finally {
      await hold.rollback().execute();
    }
    await keeping;
    expect(await claiming).toMatchObject({ status: 'kept', responseStatus: 200 });
    const claims = database.db.selectFrom('idempotency_claim').select('key').where('key', '=', 'd');
    expect(await claims.execute()).toEqual([]);
  }, 60_000);

  it('frees the key when the work is given up, or its process died', async () => {
    const answers = createKeptAnswers(database.db);
    await answers.claim(scope('c'), print);
    await answers.release(scope('c'));
    expect((await answers.claim(scope('c'), print)).status).toBe('claimed');
    await sql`update idempotency_claim set claimed_at = now() - interval '2 minutes'`.execute(database.db);
    expect((await answers.claim(scope('c'), print)).status).toBe('claimed');
    expect((await answers.claim(scope('c'), print)).status).toBe('inFlight');
  });
});
