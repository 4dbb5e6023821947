// What is deleted because its time is over: abandoned uploads, assets, results, kept answers, and assets that no row
// knows. Each call is safe to repeat and to run on several instances at once.
import type { Clock } from '../base/clock.ts';
import { untilDone } from '../base/until-done.ts';
import { finishUpload } from './finish-upload.ts';
import type { ChallengeParts } from './parts.ts';
import type { AssetStore } from './ports.ts';
import type { SweepStore } from './store.ts';

const BATCH = 100;
/**
 * Age from which an asset without a row is an orphan: many times what lies between storing it and the commit of its
 * row, the longest being a judgement's settlement.
 */
const ORPHAN_AGE_MS = 60 * 60 * 1000;
/** Contract §1. */
const KEEP_ANSWERS_HOURS = 24;

/** Ends captures whose deadlines have passed. */
export async function abandonStaleCaptures(sweep: SweepStore): Promise<number> {
  return untilDone(BATCH, () => sweep.abandonStale(BATCH));
}

/** Finishes uploads whose last byte is here and whose request died before the judge job was written. */
export async function finishStrandedUploads(
  parts: Pick<ChallengeParts, 'store' | 'assets' | 'custody'>,
  sweep: SweepStore,
): Promise<number> {
  const stranded = await sweep.listUnfinishedUploads(BATCH);
  for (const captureId of stranded) await finishUpload(parts, captureId);
  return stranded.length;
}

/** Deletes the bytes of assets that are erased or past their retention, then their rows. */
export async function deleteDueAssets(sweep: SweepStore, assets: AssetStore): Promise<number> {
  return untilDone(BATCH, async () => {
    const ids = await sweep.listDeletable(BATCH);
    for (const id of ids) await assets.delete(id);
    await sweep.removeAssets(ids);
    return ids.length;
  });
}

/** Deletes assets that were stored by a transaction that never came. */
export async function deleteOrphanAssets(
  sweep: SweepStore,
  assets: AssetStore,
  clock: Clock,
): Promise<number> {
  let deleted = 0;
  let ids: string[] = [];
  const deleteUnknown = async () => {
    const known = await sweep.knownAssets(ids);
    for (const id of ids.filter((each) => !known.has(each))) {
      await assets.delete(id);
      deleted++;
    }
    ids = [];
  };
  for await (const id of assets.listOlderThan(new Date(clock.now().getTime() - ORPHAN_AGE_MS))) {
    ids.push(id);
    if (ids.length === BATCH) await deleteUnknown();
  }
  await deleteUnknown();
  return deleted;
}

/** Deletes results past their retention. Their FeatureIDs stay in force (contract §6). */
export async function purgeOldResults(sweep: SweepStore, retentionDays: number): Promise<number> {
  return untilDone(BATCH, () => sweep.purgeResults(retentionDays, BATCH));
}

export async function forgetKeptAnswers(sweep: SweepStore): Promise<number> {
  return sweep.forgetIdempotency(KEEP_ANSWERS_HOURS);
}
