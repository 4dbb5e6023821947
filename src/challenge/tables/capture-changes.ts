// What a change of a challenge does to its captures, in the transaction that already holds the challenge's row.
import { sql } from 'kysely';
import { renewVideoKeys } from '../../keys/tables/challenge-keys.ts';
import { clockIn, clockNow } from '../../storage/postgres/clock.ts';
import { takeTurn } from '../../storage/postgres/coordination/one-at-a-time.ts';
import type { Trx } from '../../storage/postgres/database.ts';
import type { CaptureChange, CaptureChangeOf } from '../lifecycle.ts';
import { addJudgeJob } from './judge-jobs.ts';
import { returnTries, returnTriesOfAbsence } from './returned-tries.ts';
import { DISCARDED_ASSET } from './rows.ts';
import { readStoredBytes } from './stored-bytes.ts';

/** A finished capture no longer needs the announcements of its slices, some 2 KB, or what the device answered. */
export const FINISHED = { slices: '[]', sealed_passkey_answer: null } as const;

/** Applies the change; false if its guard failed: the caller rolls back. */
export async function changeCapture(trx: Trx, challengeId: string, change: CaptureChange): Promise<boolean> {
  switch (change.kind) {
    case 'issue':
      return issue(trx, challengeId, change);
    case 'abandon':
      await giveUpOpenCapture(trx, challengeId);
      return true;
    case 'commit':
      return commit(trx, challengeId, change);
    case 'submit':
      return submit(trx, challengeId, change);
    case 'judged':
      return leaveJudgement(trx, challengeId, change.id, {
        state: 'judged',
        sealed_try: change.sealedTry,
      });
    case 'rejected':
      return reject(trx, challengeId, change);
  }
}

/** Abandons every open capture of these challenges, and deletes the bytes of uploads. */
export async function abandonOpenCaptures(trx: Trx, challengeIds: readonly string[]): Promise<void> {
  const abandoned = await trx
    .updateTable('capture')
    .set({ state: 'abandoned', ...FINISHED })
    .where('challenge_id', 'in', challengeIds)
    .where('state', 'in', ['issued', 'committed', 'submitted'])
    .returning(['id', 'challenge_id', 'received_bytes'])
    .execute();
  await deleteChunks(
    trx,
    abandoned.map((row) => row.id),
  );
  await renewVideoKeys(trx, withBytes(abandoned));
}

/** The challenges of those captures that have received bytes, which must become unreadable. */
export function withBytes(
  captures: readonly { readonly challenge_id: string; readonly received_bytes: number }[],
): string[] {
  return captures.flatMap((row) => (row.received_bytes > 0 ? [row.challenge_id] : []));
}

export async function deleteChunks(trx: Trx, captureIds: readonly string[]): Promise<void> {
  if (captureIds.length === 0) return;
  await trx.deleteFrom('capture_chunk').where('capture_id', 'in', captureIds).execute();
}

/** Of a row of `capture`: committed, with every byte and, if the device was asked, its answer. */
export const isUploadComplete = sql<boolean>`(state = 'committed' and received_bytes = size_bytes
  and (not asks_passkey or sealed_passkey_answer is not null))`;

/** When an open capture times out. */
const deadline = sql<Date>`coalesce(upload_deadline, commit_deadline)`;

/**
 * Of a row of `challenge`: no capture of it is being judged, waits for that with every byte received, or has time left.
 * A capture whose time is over counts as ended before the sweep has abandoned it.
 */
export const hasNoRecordingUnderWay = sql<boolean>`not exists (
  select from capture where capture.challenge_id = challenge.id and (
    state = 'submitted'
    or ${isUploadComplete}
    or state in ('issued', 'committed') and ${deadline} > ${clockNow}))`;

/** When the time for the answer to the step handed out last is over. */
const stepDeadline = sql<Date>`issued_at
  + (handed_out_ms[cardinality(handed_out_ms)] + (script ->> 'max_step_ms')::integer) * interval '1 millisecond'`;

/**
 * Abandons the open capture, and counts it as a restart if the person could still have answered it: the page itself
 * gives a recording up when a step's time has passed without an answer.
 */
async function giveUpOpenCapture(trx: Trx, challengeId: string): Promise<void> {
  const open = await trx
    .selectFrom('capture')
    .select('id')
    .where('challenge_id', '=', challengeId)
    .where('state', '=', 'issued')
    .execute();
  await returnTriesOfAbsence(
    trx,
    open.map(({ id }) => id),
  );
  await trx
    .updateTable('capture')
    .set({ restarted: true })
    .where('challenge_id', '=', challengeId)
    .where('state', 'in', ['issued', 'committed'])
    .where(deadline, '>', clockNow)
    .where((eb) => eb.or([eb('state', '=', 'committed'), eb(stepDeadline, '>', clockNow)]))
    .execute();
  await abandonOpenCaptures(trx, [challengeId]);
}

/** Inserts a capture. The challenge's row is locked, and its `tries_used` already counts this capture. */
async function issue(trx: Trx, challengeId: string, change: CaptureChangeOf<'issue'>): Promise<boolean> {
  await giveUpOpenCapture(trx, challengeId);
  const inserted = await sql`
    insert into capture (id, challenge_id, account_id, attempt, state, level, script, handed_out_ms, issued_at,
      commit_deadline, asks_passkey)
    select ${change.id}, h.id, h.account_id, n.issued + 1, 'issued', ${change.level}, ${JSON.stringify(change.script)}::jsonb, '{0}',
      clock_timestamp(), ${clockIn(change.commitWithinMs)}, ${change.asksPasskey}::boolean
    from challenge h, lateral (
      select count(*) as issued, count(*) filter (where restarted) as restarts,
        max(${deadline}) filter (where restarted) as last_deadline
      from capture where challenge_id = h.id
    ) n
    where h.id = ${challengeId} and not h.sandbox and h.tries_used <= ${change.maxTries}
      and (n.restarts <= ${change.maxRestarts} or n.last_deadline <= ${clockNow})`.execute(trx);
  return inserted.numAffectedRows === 1n;
}

async function commit(trx: Trx, challengeId: string, change: CaptureChangeOf<'commit'>): Promise<boolean> {
  if (!(await fitsQuota(trx, challengeId, change))) return false;
  const updated = await trx
    .updateTable('capture')
    .set({
      state: 'committed',
      committed_at: clockNow,
      upload_deadline: clockIn(change.uploadWithinMs),
      mime_type: change.mimeType,
      performed_script: JSON.stringify(change.performedScript),
      sealed_hints: change.sealedHints,
    })
    .where('id', '=', change.id)
    .where('challenge_id', '=', challengeId)
    .where('state', '=', 'issued')
    .where('size_bytes', '=', change.sizeBytes)
    .where(sql<number>`jsonb_array_length(slices)`, '=', change.slices)
    .where('commit_deadline', '>', clockNow)
    .where(sql<Date>`issued_at + ${change.withinMs} * interval '1 millisecond'`, '>', clockNow)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Commits of one account take turns here, so that concurrent ones do not claim the same free space. */
async function fitsQuota(trx: Trx, challengeId: string, change: CaptureChangeOf<'commit'>): Promise<boolean> {
  if (change.accountQuotaBytes === null) return true;
  const { account_id: accountId } = await trx
    .selectFrom('challenge')
    .select('account_id')
    .where('id', '=', challengeId)
    .executeTakeFirstOrThrow();
  await takeTurn(trx, `storage of ${accountId}`);
  return (await readStoredBytes(trx, accountId)) + change.sizeBytes <= change.accountQuotaBytes;
}

async function submit(trx: Trx, challengeId: string, change: CaptureChangeOf<'submit'>): Promise<boolean> {
  const updated = await trx
    .updateTable('capture')
    .set({
      state: 'submitted',
      submitted_at: clockNow,
      asset_id: change.assetId,
      sealed_passkey_answer: change.sealedPasskeyAnswer,
    })
    .where('id', '=', change.id)
    .where('challenge_id', '=', challengeId)
    .where(isUploadComplete)
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) return false;
  await deleteChunks(trx, [change.id]);
  await addJudgeJob(trx, null);
  return true;
}

/** Rejects a capture. Its video says nothing about the result, so it is deleted immediately, with its key. */
async function reject(trx: Trx, challengeId: string, change: CaptureChangeOf<'rejected'>): Promise<boolean> {
  const rejected = {
    state: 'rejected',
    rejected_reason: change.reason,
    sealed_try: change.sealedTry,
  } as const;
  if (!(await leaveJudgement(trx, challengeId, change.id, rejected))) return false;
  if (change.returnsTry) await returnTries(trx, [change.id]);
  if (change.sealedMadePasskey) await keepMadePasskey(trx, challengeId, change.sealedMadePasskey);
  await trx
    .updateTable('asset')
    .set(DISCARDED_ASSET)
    .where('id', '=', sql<string>`(select asset_id from capture where id = ${change.id})`)
    .execute();
  await renewVideoKeys(trx, [challengeId]);
  return true;
}

async function keepMadePasskey(trx: Trx, challengeId: string, sealed: Buffer): Promise<void> {
  await trx
    .updateTable('challenge')
    .set({ sealed_made_passkey: sealed })
    .where('id', '=', challengeId)
    .execute();
}

async function leaveJudgement(
  trx: Trx,
  challengeId: string,
  captureId: string,
  set: ({ state: 'judged' } | { state: 'rejected'; rejected_reason: string }) & { sealed_try: Buffer | null },
): Promise<boolean> {
  const updated = await trx
    .updateTable('capture')
    .set({ ...set, ...FINISHED })
    .where('id', '=', captureId)
    .where('challenge_id', '=', challengeId)
    .where('state', '=', 'submitted')
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}
