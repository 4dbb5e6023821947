// Uploads in progress: their slices and chunks, and which request finishes a complete one.
import { type RawBuilder, sql } from 'kysely';
import { renewVideoKeys } from '../../keys/tables/challenge-keys.ts';
import { clockIn } from '../../storage/postgres/clock.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { Capture, Challenge } from '../challenge.ts';
import { deleteChunks, FINISHED, isUploadComplete, withBytes } from './capture-changes.ts';
import { MAX_JOB_RUNS } from './judge-jobs.ts';
import { findCapture } from './reads.ts';

export interface AnnouncedSlice {
  readonly captureId: string;
  /** Number of slices before it. */
  readonly index: number;
  readonly sizeBytes: number;
  /** Its end, in milliseconds from the recorder's start. */
  readonly toMs: number;
  readonly mac: Buffer;
  readonly withinMs: number;
  readonly maxBytes: number;
}

/**
 * Notes the capture's next slice if the capture is issued and the challenge open, no slice is skipped, its end is
 * neither before that of the last slice nor in the future, the last slice ended at most `withinMs` ago, and all slices
 * together are no larger than `maxBytes`. Otherwise changes nothing. One statement, so that only one of two
 * announcements of the same slice is noted.
 */
export async function announceSlice(db: Database, slice: AnnouncedSlice): Promise<boolean> {
  const { captureId, index, sizeBytes, toMs, mac, withinMs, maxBytes } = slice;
  const noted = { size_bytes: sizeBytes, to_ms: toMs, mac: mac.toString('base64') };
  const sinceIssue = sql`extract(epoch from clock_timestamp() - c.issued_at) * 1000`;
  const lastMs = sql`coalesce((c.slices -> -1 ->> 'to_ms')::integer, 0)`;
  const { numAffectedRows } = await sql`
    update capture c set
      slices = c.slices || jsonb_build_array(
        ${JSON.stringify(noted)}::jsonb || jsonb_build_object('announced_ms', (${sinceIssue})::integer)),
      size_bytes = coalesce(c.size_bytes, 0) + ${sizeBytes}::integer
    from challenge h
    where c.id = ${captureId} and h.id = c.challenge_id
      and c.state = 'issued' and jsonb_array_length(c.slices) = ${index}::integer
      and ${toMs}::integer > ${lastMs} and ${toMs}::integer <= ${sinceIssue}
      and ${sinceIssue} <= ${lastMs} + ${withinMs}::integer
      and coalesce(c.size_bytes, 0) + ${sizeBytes}::integer <= ${maxBytes}::integer
      and c.commit_deadline > clock_timestamp()
      and h.status = 'initiated' and h.expires_at > clock_timestamp()`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Notes that the script's first `count` steps are handed out, if the capture is issued and the script has that many.
 * Resolves with the number handed out.
 */
export async function handOutSteps(db: Database, captureId: string, count: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    update capture set handed_out_ms = handed_out_ms || array_fill(
      (extract(epoch from clock_timestamp() - issued_at) * 1000)::integer,
      array[greatest(0, ${count}::integer - cardinality(handed_out_ms))])
    where id = ${captureId} and state = 'issued' and ${count}::integer <= jsonb_array_length(script -> 'steps')
    returning cardinality(handed_out_ms) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A chunk to append. */
export interface NewChunk {
  readonly captureId: string;
  readonly offset: number;
  readonly lengthBytes: number;
  readonly sealedBytes: Buffer;
}

export interface StoredChunk {
  readonly status: 'stored';
  readonly receivedBytes: number;
  readonly state: 'issued' | 'committed';
  /** Whether the upload is complete with it. */
  readonly isComplete: boolean;
}

/**
 * Appends a chunk if the capture is issued or committed, the offset equals the bytes received so far, the bytes are
 * announced, no deadline has passed and the challenge is open. Otherwise changes nothing. One statement: the capture's
 * row lock orders this against abandonment and a second writer. The first bytes queue a `follow` job, even after the
 * commit: a recording without one would be followed by the job of another.
 */
export async function appendChunk(
  db: Database,
  chunk: NewChunk,
): Promise<StoredChunk | { status: 'refused' }> {
  const { captureId, offset, lengthBytes, sealedBytes } = chunk;
  const answer = await sql<{ received_bytes: number; state: 'issued' | 'committed'; is_complete: boolean }>`
    with grown as (
      update capture c set received_bytes = c.received_bytes + ${lengthBytes}::integer, chunks = c.chunks + 1
      from challenge h
      where c.id = ${captureId} and h.id = c.challenge_id
        and c.state in ('issued', 'committed') and c.received_bytes = ${offset}
        and c.received_bytes + ${lengthBytes}::integer <= c.size_bytes
        and coalesce(c.upload_deadline, c.commit_deadline) > clock_timestamp()
        and h.status = 'initiated' and h.expires_at > clock_timestamp()
      returning c.id, received_bytes, state, ${isUploadComplete} as is_complete
    ), stored as (
      insert into capture_chunk (capture_id, position, sealed_bytes)
      select id, ${offset}, ${sealedBytes} from grown
    ), token as (
      select graphile_worker.add_job('follow', max_attempts => ${MAX_JOB_RUNS}) from grown
      where received_bytes = ${lengthBytes}::integer and not is_complete
    )
    select received_bytes, state, is_complete, (select count(*) from token) from grown`.execute(db);
  const row = answer.rows[0];
  if (!row) return { status: 'refused' };
  const { received_bytes: receivedBytes, state, is_complete: isComplete } = row;
  return { status: 'stored', receivedBytes, state, isComplete };
}

/**
 * Keeps what the device answered about a committed recording, once; false if it was not asked, has answered already, or
 * the time is over.
 */
export async function answerPasskey(db: Database, captureId: string, sealed: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update capture c set sealed_passkey_answer = ${sealed}
    from challenge h
    where c.id = ${captureId} and h.id = c.challenge_id
      and c.state = 'committed' and c.asks_passkey and c.sealed_passkey_answer is null
      and c.upload_deadline > clock_timestamp()
      and h.status = 'initiated' and h.expires_at > clock_timestamp()`.execute(db);
  return numAffectedRows === 1n;
}

/** The sealed chunk that begins at this byte; null if there is none. */
export async function readChunk(db: Database, captureId: string, position: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('capture_chunk')
    .select('sealed_bytes')
    .where('capture_id', '=', captureId)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.sealed_bytes ?? null;
}

/**
 * Claims a complete upload to finish it; for `leaseMs` nobody else gets it. Null if it is not complete or no longer
 * open, or while another run holds it. The row lock lets exactly one of any number of concurrent claims through.
 */
export async function claimFinish(
  db: Database,
  captureId: string,
  leaseMs: number,
): Promise<{ capture: Capture; challenge: Challenge } | null> {
  const claimed = await db
    .updateTable('capture')
    .set({ finish_lease_until: clockIn(leaseMs) })
    .where('id', '=', captureId)
    .where(isUploadComplete)
    .where(isNotBeingFinished)
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n ? findCapture(db, captureId) : null;
}

/** Evaluated when the row is locked, because the statement may have waited for the lock. */
export const isNotBeingFinished = sql<boolean>`coalesce(finish_lease_until <= clock_timestamp(), true)`;

/**
 * Renews the lease of a run that finishes the upload, or gives it back (null); does nothing if the upload is finished.
 */
export async function setFinishLease(
  db: Database,
  captureId: string,
  until: RawBuilder<Date> | null,
): Promise<void> {
  await db
    .updateTable('capture')
    .set({ finish_lease_until: until })
    .where('id', '=', captureId)
    .where('state', '=', 'committed')
    .execute();
}

/** Abandons an issued or committed capture that cannot be used and deletes its chunks; false if it was neither. */
export function abandonCapture(db: Database, captureId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const open = await trx
      .updateTable('capture')
      .set({ state: 'abandoned', ...FINISHED })
      .where('id', '=', captureId)
      .where('state', 'in', ['issued', 'committed'])
      .returning(['id', 'challenge_id', 'received_bytes'])
      .execute();
    await deleteChunks(
      trx,
      open.map((row) => row.id),
    );
    await renewVideoKeys(trx, withBytes(open));
    return open.length > 0;
  });
}
