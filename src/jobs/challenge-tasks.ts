// Periodic work on challenges: expiry, stale captures and assets, retention. src/challenge does the work.
import { createBackoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { type ExpiryParts, expireDue } from '../challenge/closing/expire-due.ts';
import {
  abandonStaleCaptures,
  deleteDueAssets,
  deleteOrphanAssets,
  finishStrandedUploads,
  foldStoredBytes,
  forgetAuditLines,
  forgetFramePrints,
  purgeOldResults,
} from '../challenge/closing/retention.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import type { SweepStore } from '../challenge/tables/sweep-store.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { PeriodicTask } from './sweep.ts';
import { unlockTask, type WorkerPresence } from './worker-presence.ts';

interface ChallengeTaskParts extends ExpiryParts {
  /** Gets the keys of erasures that are due off the disk; resolves with the number of buckets rewritten. */
  readonly rewriteKeys: () => Promise<number>;
  readonly store: ChallengeParts['store'];
  readonly assets: ChallengeParts['assets'];
  readonly sweep: SweepStore;
  readonly presence: WorkerPresence;
}

interface RetentionParts {
  readonly sweep: SweepStore;
  readonly assets: ChallengeParts['assets'];
  readonly clock: Clock;
  readonly idempotency: Pick<Idempotency, 'deleteExpired'>;
  readonly resultRetentionDays: number;
  readonly replayWindowDays: number;
  readonly auditRetentionDays: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Tasks that every instance runs concurrently: they keep challenges and jobs moving, and erase keys from the disk. */
export function challengeTasks(parts: ChallengeTaskParts): PeriodicTask[] {
  const { sweep } = parts;
  const unreadable = createBackoff();
  return [
    { name: 'expire', everyMs: 500, run: () => expireDue(parts, unreadable) },
    unlockTask(parts.presence),
    { name: 'abandon captures', everyMs: 5 * SECOND_MS, run: () => abandonStaleCaptures(sweep) },
    { name: 'finish uploads', everyMs: 10 * SECOND_MS, run: () => finishStrandedUploads(parts, sweep) },
    // An erasure promises that its keys are off the disk within a minute. A run takes seconds with millions of keys.
    { name: 'rewrite keys', everyMs: 20 * SECOND_MS, run: parts.rewriteKeys },
  ];
}

/**
 * Tasks that one instance runs for all: they delete what is past its retention. `likeness purge` does the same
 * immediately.
 */
export function retentionTasks(parts: RetentionParts): PeriodicTask[] {
  const { sweep, assets, clock } = parts;
  return [
    {
      name: 'purge results',
      everyMs: MINUTE_MS,
      run: () => purgeOldResults(sweep, parts.resultRetentionDays),
    },
    { name: 'delete assets', everyMs: 10 * SECOND_MS, run: () => deleteDueAssets(sweep, assets) },
    { name: 'fold stored bytes', everyMs: MINUTE_MS, run: () => foldStoredBytes(sweep) },
    {
      name: 'forget frame prints',
      everyMs: MINUTE_MS,
      run: () => forgetFramePrints(sweep, parts.replayWindowDays),
    },
    {
      name: 'forget audit lines',
      everyMs: 10 * MINUTE_MS,
      run: () => forgetAuditLines(sweep, parts.auditRetentionDays),
    },
    {
      name: 'delete idempotency records',
      everyMs: 10 * MINUTE_MS,
      run: () => parts.idempotency.deleteExpired(),
    },
    { name: 'delete orphans', everyMs: 30 * MINUTE_MS, run: () => deleteOrphanAssets(sweep, assets, clock) },
  ];
}
