// Captures waiting for judgement. Accounts take turns, so that an account with many waiting captures does not hold up
// one with few. A job of the queue is a token: any free worker runs it and judges the capture whose turn it is then.
import { sql } from 'kysely';
import { clockIn, clockNow } from '../../storage/postgres/clock.ts';
import { takeTurn } from '../../storage/postgres/coordination/one-at-a-time.ts';
import { countWorkerProcesses } from '../../storage/postgres/coordination/worker-presence.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { Capture, Challenge } from '../challenge.ts';
import { addJudgeJob } from './judge-jobs.ts';
import { findCapture } from './reads.ts';

const SINCE_FAULT = sql<number>`coalesce(extract(epoch from clock_timestamp() - fault_since) * 1000, 0)::float8`;

/**
 * Takes the capture whose turn it is, for this job of the queue, and counts a start of its judgement: the oldest
 * capture of the account whose last turn is longest ago. Null if none is free. The job must settle it or put it back; a
 * job that dies and is run again gives it back by taking the next. `faultMs`: time since the first fault that prevented
 * its judgement and was not its video's, by the database's clock; 0 if there was none. Claims run one at a time, so
 * that two workers that are free at once serve two accounts. A job that failed is run again after those that wait, so
 * its capture is free before: it would wait through the whole queue twice.
 */
export function takeCapture(
  db: Database,
  jobId: string,
): Promise<{ capture: Capture; challenge: Challenge; faultMs: number } | null> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx, 'judgement');
    await sql`update capture set taken_by = null
      where state = 'submitted' and (taken_by = ${jobId} or exists (select from graphile_worker.jobs j
        where j.id = capture.taken_by and j.task_identifier = 'judge' and j.locked_at is null))`.execute(trx);
    const next = await nextInTurn(trx);
    if (!next) return null;
    const { faultMs } = await trx
      .updateTable('capture')
      .set((eb) => ({ taken_by: jobId, judgement_starts: eb('judgement_starts', '+', 1) }))
      .where('id', '=', next.id)
      .returning(SINCE_FAULT.as('faultMs'))
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('judgement_turn')
      .values({ account_id: next.account_id, at: clockNow })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ at: clockNow }))
      .execute();
    const found = await findCapture(trx, next.id);
    return found && { ...found, faultMs };
  });
}

/** One index probe for each account that waits, and one for its oldest free capture. */
async function nextInTurn(trx: Trx): Promise<{ id: string; account_id: string } | undefined> {
  const { rows } = await sql<{ id: string; account_id: string }>`
    with recursive waiting(account_id) as (
      (select account_id from capture where state = 'submitted' order by account_id limit 1)
      union all
      select (select account_id from capture where state = 'submitted' and account_id > w.account_id
        order by account_id limit 1)
      from waiting w where w.account_id is not null
    )
    select oldest.id, w.account_id
    from waiting w
    cross join lateral (
      select id, submitted_at from capture
      where state = 'submitted' and account_id = w.account_id and taken_by is null
        and coalesce(judge_after <= clock_timestamp(), true)
      order by submitted_at, id limit 1
    ) oldest
    left join judgement_turn t on t.account_id = w.account_id
    order by t.at nulls first, oldest.submitted_at, oldest.id limit 1`.execute(trx);
  return rows[0];
}

/** How a capture waits again. */
export interface PuttingBack {
  /** How long it waits at least. */
  readonly afterMs: number;
  /** Whether its start stays counted; otherwise a fault that was not the video's is noted. */
  readonly counted: boolean;
}

/**
 * Makes a taken capture wait again, and queues a new token for it: its own may have judged another capture. Does
 * nothing if it is settled.
 */
export function putBack(db: Database, captureId: string, { afterMs, counted }: PuttingBack): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const put = await trx
      .updateTable('capture')
      .set((eb) => ({
        taken_by: null,
        // In whole milliseconds, because it passes through this process into the token's time: a token that ran a
        // fraction earlier would find nothing due and be used up.
        judge_after: sql<Date>`date_trunc('milliseconds', ${clockIn(afterMs)})`,
        ...(!counted && {
          judgement_starts: sql<number>`greatest(judgement_starts - 1, 0)`,
          fault_since: eb.fn.coalesce('fault_since', clockNow),
        }),
      }))
      .where('id', '=', captureId)
      .where('state', '=', 'submitted')
      .returning('judge_after')
      .executeTakeFirst();
    // Otherwise it was settled, cancelled or erased meanwhile.
    if (put) await addJudgeJob(trx, put.judge_after);
  });
}

/**
 * Number of captures that will be judged before this one if nothing new arrives: those being judged now, and those that
 * the accounts' turns put before it. 0 for one that is being judged or does not wait.
 */
export async function countAhead(db: Database, captureId: string): Promise<number> {
  const { rows } = await sql<{ ahead: number }>`
    with free as (
      select c.id, c.account_id, c.submitted_at, t.at,
        row_number() over (partition by c.account_id order by c.submitted_at, c.id) - 1 as place
      from capture c left join judgement_turn t on t.account_id = c.account_id
      where c.state = 'submitted' and c.taken_by is null
    ), account as (
      select account_id, count(*) as waiting, row_number() over (order by at nulls first, min(submitted_at)) as turn
      from free group by account_id, at
    ), own as (
      select free.account_id, free.place, account.turn from free join account using (account_id)
      where free.id = ${captureId}
    )
    select ((select count(*) from capture where state = 'submitted' and taken_by is not null) + own.place
      + coalesce((
          select sum(least(other.waiting, own.place + case when other.turn < own.turn then 1 else 0 end))
          from account other where other.account_id <> own.account_id
        ), 0))::int as ahead
    from own`.execute(db);
  return rows[0]?.ahead ?? 0;
}

/**
 * Whether the queue has no place for another capture of this account, given that `limitPerWorker` may wait for each
 * worker process. Even if it is full, accounts with less than their share still get one, so it grows by at most one for
 * each of them.
 */
export async function isQueueFull(db: Database, accountId: string, limitPerWorker: number): Promise<boolean> {
  const { rows } = await sql<{ total: number; own: number; others: number; workers: number }>`
    select count(*)::int as total, count(*) filter (where account_id = ${accountId})::int as own,
      count(distinct account_id) filter (where account_id <> ${accountId})::int as others,
      (${countWorkerProcesses()}) as workers
    from capture where state = 'submitted'`.execute(db);
  const { total, own, others, workers } = rows[0]!;
  // Without a worker, people wait for one to start.
  const limit = limitPerWorker * Math.max(1, workers);
  return total >= limit && own >= Math.max(1, Math.floor(limit / (others + 1)));
}
