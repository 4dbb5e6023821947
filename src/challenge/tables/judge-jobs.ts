// Judge jobs: a token in the queue for every waiting capture (judgement-queue.ts), written in the transaction that
// makes the capture wait.
import { sql } from 'kysely';
import type { Trx } from '../../storage/postgres/database.ts';

/** The task itself counts attempts and settles a capture that cannot be judged: the queue must never drop a token. */
export const MAX_JOB_RUNS = 32_767;

/** Adds a token for one judgement. `runAt` is the earliest time to run it; null: immediately. */
export async function addJudgeJob(trx: Trx, runAt: Date | null): Promise<void> {
  await sql`select graphile_worker.add_job('judge', max_attempts => ${MAX_JOB_RUNS},
    run_at => ${runAt}::timestamptz)`.execute(trx);
}
