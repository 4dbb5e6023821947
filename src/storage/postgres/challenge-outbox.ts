// The job that judges a capture, written in the transaction that accepts it.
import { sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** The task itself counts starts and settles a capture that cannot be judged; the queue's count must never end it. */
const MAX_JOB_RUNS = 32_767;

export async function addJudgeJob(trx: Transaction<Schema>, captureId: string): Promise<void> {
  await sql`select graphile_worker.add_job('judge', json_build_object('capture_id', ${captureId}::text),
    job_key => ${captureId}, max_attempts => ${MAX_JOB_RUNS})`.execute(trx);
}
