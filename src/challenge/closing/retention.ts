// Deletes what is past its time: abandoned uploads, assets, results, and assets without a row. Each call is safe to
// repeat and to run on several instances at once.
import type { Clock } from '../../base/clock.ts';
import { repeatInBatches } from '../../base/repeat-in-batches.ts';
import type { AssetStore } from '../assets/encrypted-assets.ts';
import { finishUpload } from '../capturing/finish-upload.ts';
import type { ChallengeParts } from '../parts.ts';
import type { SweepStore } from '../tables/sweep-store.ts';

const BATCH = 100;
/**
 * A challenge is deleted with its events, captures and deliveries: 100 took 42 ms of one statement among ten million,
 * 40 up to 26.
 */
const PURGE_BATCH = 20;
const FOLD_BATCH = 5_000;
/** Short rows, in statements as short as the others: each capture has 24 prints. */
const PRINTS_BATCH = 2_000;
const AUDIT_BATCH = 2_000;
/** In addition to the uploads that people wait for. */
const UPLOADS_AT_ONCE = 1;
/**
 * Many at once, so that a store that cannot be reached, where every deletion waits for its timeout, does not hold up a
 * run for long.
 */
const DELETIONS_AT_ONCE = 20;
/**
 * Age from which an asset without a row is an orphan: many times the time between storing an asset and committing its
 * row, which is longest when a judgement is settled.
 */
const ORPHAN_AGE_MS = 60 * 60 * 1000;

/** Abandons captures whose deadlines have passed. */
export async function abandonStaleCaptures(sweep: SweepStore): Promise<number> {
  return repeatInBatches(BATCH, () => sweep.abandonStale(BATCH));
}

/**
 * Finishes uploads whose last byte has arrived but whose request died before the judge job was written.
 * @throws AggregateError after all others are finished, if some could not be
 */
export async function finishStrandedUploads(
  parts: Pick<ChallengeParts, 'store' | 'assets' | 'custody'>,
  sweep: SweepStore,
): Promise<number> {
  const stranded = await sweep.listUnfinishedUploads(BATCH);
  const failed = new Map<string, unknown>();
  await runForEach(stranded, UPLOADS_AT_ONCE, failed, (captureId) => finishUpload(parts, captureId));
  throwFailed(failed, 'uploads cannot be finished');
  return stranded.length;
}

/**
 * Deletes the bytes of assets that are erased or past their retention, then their rows.
 * @throws AggregateError after all others are deleted, if some could not be; gives up on a store that deletes nothing
 */
export async function deleteDueAssets(sweep: SweepStore, assets: AssetStore): Promise<number> {
  const failed = new Map<string, unknown>();
  let deleted = 0;
  for (;;) {
    // Assets that failed are listed again, so the limit grows by their number to reach those behind them.
    const limit = BATCH + failed.size;
    const listed = await sweep.listDeletable(limit);
    const untried = listed.filter((id) => !failed.has(id));
    const gone = await runForEach(untried, DELETIONS_AT_ONCE, failed, (id) => assets.delete(id));
    await sweep.removeAssets(gone);
    deleted += gone.length;
    if (listed.length < limit || gone.length === 0) break;
  }
  throwFailed(failed, 'assets cannot be deleted');
  return deleted;
}

/**
 * Deletes assets whose transaction was never committed.
 * @throws AggregateError after all others are deleted, if some could not be
 */
export async function deleteOrphanAssets(
  sweep: SweepStore,
  assets: AssetStore,
  clock: Clock,
): Promise<number> {
  let deleted = 0;
  let ids: string[] = [];
  const failed = new Map<string, unknown>();
  const remove = (id: string) => assets.delete(id);
  const deleteUnknown = async () => {
    const known = await sweep.knownAssets(ids);
    const unknown = ids.filter((id) => !known.has(id));
    deleted += (await runForEach(unknown, DELETIONS_AT_ONCE, failed, remove)).length;
    ids = [];
  };
  for await (const id of assets.listOlderThan(new Date(clock.now().getTime() - ORPHAN_AGE_MS))) {
    ids.push(id);
    if (ids.length === BATCH) await deleteUnknown();
  }
  await deleteUnknown();
  throwFailed(failed, 'orphan assets cannot be deleted');
  return deleted;
}

/** Runs `step` for the ids, `atOnce` at a time. Adds failures to `failed`; resolves with the ids that succeeded. */
async function runForEach(
  ids: readonly string[],
  atOnce: number,
  failed: Map<string, unknown>,
  step: (id: string) => Promise<unknown>,
): Promise<string[]> {
  const done: string[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const group = ids.slice(from, from + atOnce);
    const outcomes = await Promise.allSettled(group.map(step));
    outcomes.forEach((outcome, index) => {
      if (outcome.status === 'fulfilled') done.push(group[index]!);
      else failed.set(group[index]!, outcome.reason);
    });
  }
  return done;
}

function throwFailed(failed: ReadonlyMap<string, unknown>, what: string): void {
  if (failed.size > 0) throw new AggregateError(failed.values(), `${failed.size} ${what}`);
}

/** Deletes results past their retention. Their FeatureIDs stay in force. */
export async function purgeOldResults(sweep: SweepStore, retentionDays: number): Promise<number> {
  return repeatInBatches(PURGE_BATCH, () => sweep.purgeResults(retentionDays, PURGE_BATCH));
}

/** Folds the changes to the counts of stored bytes; every stored or deleted asset adds one change. */
export async function foldStoredBytes(sweep: SweepStore): Promise<number> {
  return repeatInBatches(FOLD_BATCH, () => sweep.foldStoredBytes(FOLD_BATCH));
}

/** Deletes prints of frames that are no longer compared with. */
export async function forgetFramePrints(sweep: SweepStore, windowDays: number): Promise<number> {
  return repeatInBatches(PRINTS_BATCH, () => sweep.forgetFramePrints(windowDays, PRINTS_BATCH));
}

/** Deletes lines of the audit log that are past their retention. */
export async function forgetAuditLines(sweep: SweepStore, retentionDays: number): Promise<number> {
  return repeatInBatches(AUDIT_BATCH, () => sweep.forgetAuditLines(retentionDays, AUDIT_BATCH));
}
