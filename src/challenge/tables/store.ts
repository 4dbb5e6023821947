// The challenge tables. Every method is one transaction; times and deadlines are the database's own. Changes,
// insertion, reads and erasure have files of their own.
import { sql } from 'kysely';
import { findPause } from '../../featid/tables/guard.ts';
import type { NewIdempotencyRecord } from '../../idempotency/tables/store.ts';
import { type AuditEntry, writeAudit } from '../../storage/postgres/audit.ts';
import { clockIn, clockNow } from '../../storage/postgres/clock.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { NewAsset } from '../challenge.ts';
import type { ChallengeChange } from '../lifecycle.ts';
import {
  type AnnouncedSlice,
  abandonCapture,
  announceSlice,
  answerPasskey,
  appendChunk,
  claimFinish,
  handOutSteps,
  type NewChunk,
  readChunk,
  setFinishLease,
} from './capture-upload.ts';
import { applyChange } from './changes.ts';
import { createChallenge, type NewChallenge } from './creation.ts';
import { eraseChallenge } from './erasure.ts';
import { releaseJudgedRecording, releaseRecording, takeRecording } from './followed-captures.ts';
import { type FramePrints, rememberFrames } from './frame-prints.ts';
import { countAhead, isQueueFull, type PuttingBack, putBack, takeCapture } from './judgement-queue.ts';
import { type ChallengeQuery, listChallenges } from './lists.ts';
import { findAsset, findByLink, findCapture, findChallenge, findWithDetails, readDetails } from './reads.ts';
import { returnTriesOfAbsence } from './returned-tries.ts';
import { readStoredBytes } from './stored-bytes.ts';

/** Pause after fetching a logo, so that a failing one is not fetched each time the page is opened. */
const LOGO_PAUSE = sql`interval '1 minute'`;

interface ChallengeStoreOptions {
  readonly assetRetentionDays: number;
  /** Days for which a repeated recording is recognised, 1 to 12. */
  readonly replayWindowDays: number;
}

export type ChallengeStore = ReturnType<typeof createChallengeStore>;

export function createChallengeStore(db: Database, options: ChallengeStoreOptions) {
  return {
    insert: (challenge: NewChallenge, record: NewIdempotencyRecord | null) =>
      createChallenge(db, challenge, record),
    find: (accountId: string, challengeId: string) => findChallenge(db, accountId, challengeId),
    details: (challengeId: string) => readDetails(db, challengeId),
    findWithDetails: (challengeIds: readonly string[]) => findWithDetails(db, challengeIds),
    /** Writes an audit line for the reading of a result, a video or a frame. */
    auditRead: (read: AuditEntry) => writeAudit(db, read),
    list: (accountId: string, query: ChallengeQuery) => listChallenges(db, accountId, query),
    findByLink: (linkHash: Buffer) => findByLink(db, linkHash),
    apply: (change: ChallengeChange) => applyChange(db, change, options.assetRetentionDays),
    erase: (accountId: string, challengeId: string, actor: string) =>
      eraseChallenge(db, accountId, challengeId, actor),
    findCapture: (captureId: string) => findCapture(db, captureId),
    takeRecording: (jobId: string, maxStarts: number) => takeRecording(db, jobId, maxStarts),
    releaseRecording: (captureId: string) => releaseRecording(db, captureId),
    releaseJudgedRecording: (captureId: string) => releaseJudgedRecording(db, captureId),
    announceSlice: (slice: AnnouncedSlice) => announceSlice(db, slice),
    handOutSteps: (captureId: string, count: number) => handOutSteps(db, captureId, count),
    appendChunk: (chunk: NewChunk) => appendChunk(db, chunk),
    answerPasskey: (captureId: string, sealed: Buffer) => answerPasskey(db, captureId, sealed),
    readChunk: (captureId: string, position: number) => readChunk(db, captureId, position),
    claimFinish: (captureId: string, leaseMs: number) => claimFinish(db, captureId, leaseMs),
    /** Renews the lease for `leaseMs` from now. */
    extendFinish: (captureId: string, leaseMs: number) => setFinishLease(db, captureId, clockIn(leaseMs)),
    /** Gives back the lease of a run that failed. */
    releaseFinish: (captureId: string) => setFinishLease(db, captureId, null),
    /** Gives back the try of a recording that came too late because nobody was there to answer. */
    returnTryOfAbsence: (captureId: string) => returnTriesOfAbsence(db, [captureId]),
    abandonCapture: (captureId: string) => abandonCapture(db, captureId),
    countStoredBytes: (accountId: string) => readStoredBytes(db, accountId),
    isQueueFull: (accountId: string, limitPerWorker: number) => isQueueFull(db, accountId, limitPerWorker),
    countAhead: (captureId: string) => countAhead(db, captureId),
    takeCapture: (jobId: string) => takeCapture(db, jobId),
    putBack: (captureId: string, how: PuttingBack) => putBack(db, captureId, how),
    rememberFrames: (given: FramePrints) => rememberFrames(db, given, options.replayWindowDays),
    findPause: (challengeId: string) => findPause(db, challengeId),
    findAsset: (assetId: string) => findAsset(db, assetId),
    insertAsset: (asset: NewAsset) => insertAsset(db, asset),
    claimLogoFetch: (challengeId: string) => claimLogoFetch(db, challengeId),
  };
}

/** True for the one caller that may fetch the logo now: the first, and again a minute after a failure. */
async function claimLogoFetch(db: Database, challengeId: string): Promise<boolean> {
  const claimed = await db
    .updateTable('challenge')
    .set({ logo_tried_at: clockNow })
    .where('id', '=', challengeId)
    .where((eb) =>
      eb.or([eb('logo_tried_at', 'is', null), eb('logo_tried_at', '<', sql<Date>`now() - ${LOGO_PAUSE}`)]),
    )
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** Inserts an asset of an open challenge; false when the challenge is closed or erased. */
async function insertAsset(db: Database, asset: NewAsset): Promise<boolean> {
  const inserted = await sql`
    insert into asset (id, account_id, challenge_id, kind, mime_type, size_bytes, sealed_key)
    select ${asset.id}, h.account_id, h.id, ${asset.kind}, ${asset.mimeType}, ${asset.sizeBytes}::integer,
      ${asset.sealedKey}::bytea
    from challenge h
    where h.id = ${asset.challengeId} and h.closed_at is null
    for update of h`.execute(db);
  return inserted.numAffectedRows === 1n;
}
