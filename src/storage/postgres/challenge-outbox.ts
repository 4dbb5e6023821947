// Jobs of judgements: a token in the queue for every capture that waits (judgement-queue.ts), written in the transaction
// that lets it wait.
import { sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** The task counts starts and settles a capture that cannot be judged; the queue's count must never end a token. */
const MAX_JOB_RUNS = 32_767;

/** Adds a token for one judgement; `runAt`: not before. */
export async function addJudgeJob(trx: Transaction<Schema>, runAt: Date | null): Promise<void> {
  await sql`select graphile_worker.add_job('judge', max_attempts => ${MAX_JOB_RUNS},
    run_at => ${runAt}::timestamptz)`.execute(trx);
}
