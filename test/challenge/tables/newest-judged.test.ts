// The console finds the newest judged challenges without reading the open ones.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { challengeReadings } from '../../../src/console/tables/challenges.ts';
import { rowsRead } from '../../storage/rows-read.ts';
import { createTestDatabase } from '../../support/database.ts';

/** So large a share of all rows that the statistics make the planner expect a judged one at each step. */
const JUDGED = 20_000;
const OPEN = 3_000;

test('reads the newest judged challenges without reading any open one', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    const account = newId('account');
    await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
      values (${account}, 'busy', 'Busy', '', 'k')`.execute(db);
    await sql`insert into challenge (id, account_id, status, closed_reason, public_request, sealed_request, link_hash,
        overall_result, created_at, expires_at, closed_at)
      select 'ch_' || lpad(n::text, 26, '0'), ${account}, case when judged then 'completed' else 'created' end,
        case when judged then 'completed' end, '{}', '', sha256(n::text::bytea), case when judged then (array['fail', 'pass'])[1 + n % 2] end,
        now(), now() + interval '1 day', case when judged then now() end
      from (select n, n <= ${JUDGED}::int as judged from generate_series(1, ${JUDGED + OPEN}::int) n) row`.execute(
      db,
    );
    await sql`analyze challenge`.execute(db);
    const ids = await challengeReadings(db).listJudgedIds(200);
    expect(ids).toHaveLength(200);
    expect(ids[0]).toBe(`ch_${String(JUDGED).padStart(26, '0')}`);

    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, buffers, timing off) select id from challenge
      where status = ${'completed'} and sandbox = ${false} order by id desc limit 200`.execute(db);
    const plan = rows.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).toContain('challenge_judged');
    expect(plan).not.toContain('Rows Removed');

    for (const [last, filter] of [
      [98, { result: 'fail' }],
      [99, { result: 'pass' }],
      [49, { status: 'completed' }],
      [98, { result: 'fail', status: 'completed' }],
    ] as const) {
      const { read, answer } = await rowsRead(db, 'challenge', (trx) =>
        challengeReadings(trx).searchChallenges({ ...filter, limit: 50 }),
      );
      expect(answer.nextBeforeId).toBe(ids[last]);
      expect(read, JSON.stringify(filter)).toBe(51);
    }
  } finally {
    await drop();
  }
});
