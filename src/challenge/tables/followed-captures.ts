// Captures that a worker judges while they are recorded. As with waiting captures, a job of the queue is a token: the
// worker that runs it follows the recording that has gone unfollowed longest.
import { sql } from 'kysely';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import { addJudgeJob } from './judge-jobs.ts';
import { findCapture, type ReadCapture } from './reads.ts';

/**
 * Takes a capture that has received some bytes and that nobody judges, for this job of the queue, and counts a start of
 * its judgement. Null if none is free. The job must settle or release it; a job that dies and is run again takes the
 * same capture again, as long as fewer than `maxStarts` were counted. A recording submitted meanwhile is left to the
 * `judge` task.
 */
export function takeRecording(db: Database, jobId: string, maxStarts: number): Promise<ReadCapture | null> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; state: string; judgement_starts: number }>`
      select id, state, judgement_starts from capture where taken_by = ${jobId}
        and state in ('issued', 'committed', 'submitted') for update`.execute(trx);
    const [held] = rows;
    if (held && (held.state === 'submitted' || held.judgement_starts >= maxStarts)) {
      await release(trx, held.id);
      return null;
    }
    const id = held?.id ?? (await nextRecording(trx));
    if (!id) return null;
    await trx
      .updateTable('capture')
      .set((eb) => ({ taken_by: jobId, judgement_starts: eb('judgement_starts', '+', 1) }))
      .where('id', '=', id)
      .execute();
    return findCapture(trx, id);
  });
}

/**
 * The oldest recording that has received bytes, of the account with the fewest that are followed. If its follower died,
 * it belongs to that follower's job. One that waits only for its device may be judged already, and is left to the answer.
 * Waits some milliseconds for a row that an announcement or a chunk has locked: skipped, it would not be followed at all.
 */
async function nextRecording(trx: Trx): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from capture c
    where state in ('issued', 'committed') and received_bytes > 0 and taken_by is null and judgement_starts = 0
      and not (asks_passkey and state = 'committed' and received_bytes = size_bytes)
      and coalesce(upload_deadline, commit_deadline) > clock_timestamp()
    order by (
      select count(*) from capture f
      where f.account_id = c.account_id and f.state in ('issued', 'committed') and f.taken_by is not null), issued_at
    limit 1 for update`.execute(trx);
  return rows[0]?.id ?? null;
}

/**
 * Gives up a taken recording: the `judge` task has it when it is complete, or immediately if it already is. Does nothing
 * if it is settled.
 */
export function releaseRecording(db: Database, captureId: string): Promise<void> {
  return db.transaction().execute((trx) => release(trx, captureId));
}

/** The same of one whose judgement has ended, and lacks only the device's answer: that start broke nothing off. */
export function releaseJudgedRecording(db: Database, captureId: string): Promise<void> {
  return db.transaction().execute((trx) => release(trx, captureId, 1));
}

async function release(trx: Trx, captureId: string, startsEnded = 0): Promise<void> {
  const released = await trx
    .updateTable('capture')
    .set((eb) => ({
      taken_by: null,
      judgement_starts: eb('judgement_starts', '-', startsEnded),
    }))
    .where('id', '=', captureId)
    .where('state', 'in', ['issued', 'committed', 'submitted'])
    .returning('state')
    .executeTakeFirst();
  // Its token met a capture that was taken, and was used up.
  if (released?.state === 'submitted') await addJudgeJob(trx, null);
}
