// The challenge tables (port: src/challenge/store.ts). Changes, insertion, reads and erasure have files of their own.
import { sql } from 'kysely';
import { findPause } from '../../featid/tables/guard.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import { clockIn, clockNow } from '../../storage/postgres/clock.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { NewAsset } from '../ports.ts';
import type { ChallengeStore } from '../store.ts';
import {
  abandonCapture,
  announceSlice,
  appendChunk,
  claimFinish,
  handOutSteps,
  readChunk,
  setFinishLease,
} from './capture-upload.ts';
import { applyChange } from './changes.ts';
import { createChallenge } from './creation.ts';
import { eraseChallenge } from './erasure.ts';
import { releaseRecording, takeRecording } from './followed-captures.ts';
import { rememberFrames } from './frame-prints.ts';
import { countAhead, isQueueFull, putBack, takeCapture } from './judgement-queue.ts';
import { listChallenges } from './lists.ts';
import { findAsset, findByLink, findCapture, findChallenge, findWithDetails, readDetails } from './reads.ts';
import { readStoredBytes } from './stored-bytes.ts';

/** Pause after fetching a logo, so that a failing one is not fetched each time the page is opened. */
const LOGO_PAUSE = sql`interval '1 minute'`;

interface ChallengeStoreOptions {
  readonly assetRetentionDays: number;
  /** Days for which a repeated recording is recognised, 1 to 12. */
  readonly replayWindowDays: number;
}

export function createChallengeStore(db: Database, options: ChallengeStoreOptions): ChallengeStore {
  return {
    insert: (challenge, record) => createChallenge(db, challenge, record),
    find: (accountId, challengeId) => findChallenge(db, accountId, challengeId),
    details: (challengeId) => readDetails(db, challengeId),
    findWithDetails: (challengeIds) => findWithDetails(db, challengeIds),
    auditRead: (read) => writeAudit(db, read),
    list: (accountId, query) => listChallenges(db, accountId, query),
    findByLink: (linkHash) => findByLink(db, linkHash),
    apply: (change) => applyChange(db, change, options.assetRetentionDays),
    erase: (accountId, challengeId, actor) => eraseChallenge(db, accountId, challengeId, actor),
    findCapture: (captureId) => findCapture(db, captureId),
    takeRecording: (jobId, maxStarts) => takeRecording(db, jobId, maxStarts),
    releaseRecording: (captureId) => releaseRecording(db, captureId),
    announceSlice: (slice) => announceSlice(db, slice),
    handOutSteps: (captureId, count) => handOutSteps(db, captureId, count),
    appendChunk: (chunk) => appendChunk(db, chunk),
    readChunk: (captureId, position) => readChunk(db, captureId, position),
    claimFinish: (captureId, leaseMs) => claimFinish(db, captureId, leaseMs),
    extendFinish: (captureId, leaseMs) => setFinishLease(db, captureId, clockIn(leaseMs)),
    releaseFinish: (captureId) => setFinishLease(db, captureId, null),
    abandonCapture: (captureId) => abandonCapture(db, captureId),
    countStoredBytes: (accountId) => readStoredBytes(db, accountId),
    isQueueFull: (accountId, limitPerWorker) => isQueueFull(db, accountId, limitPerWorker),
    countAhead: (captureId) => countAhead(db, captureId),
    takeCapture: (jobId) => takeCapture(db, jobId),
    putBack: (captureId, how) => putBack(db, captureId, how),
    rememberFrames: (given) => rememberFrames(db, given, options.replayWindowDays),
    findPause: (challengeId) => findPause(db, challengeId),
    findAsset: (assetId) => findAsset(db, assetId),
    insertAsset: (asset) => insertAsset(db, asset),
    async claimLogoFetch(challengeId) {
      const claimed = await db
        .updateTable('challenge')
        .set({ logo_tried_at: clockNow })
        .where('id', '=', challengeId)
        .where((eb) =>
          eb.or([
            eb('logo_tried_at', 'is', null),
            eb('logo_tried_at', '<', sql<Date>`now() - ${LOGO_PAUSE}`),
          ]),
        )
        .executeTakeFirst();
      return claimed.numUpdatedRows === 1n;
    },
  };
}

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
