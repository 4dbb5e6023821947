// Retention of FeatureIDs and tombstones. Each function is safe to repeat and to run on several instances.
import { repeatInBatches } from '../base/repeat-in-batches.ts';
import type { FeatidUpkeepStore } from './tables/upkeep.ts';

const BATCH = 100;

/** How long FeatureIDs and their tombstones are kept. */
export interface FeatidRetention {
  /** Days since the last comparison, or since creation if there was none; null keeps them forever. */
  readonly unusedDays: number | null;
  readonly tombstoneDays: number;
}

/** Erases FeatureIDs that have not been compared for `unusedDays`; tombstones stay. Returns how many. */
export async function retireUnusedFeatids(
  store: FeatidUpkeepStore,
  { unusedDays }: FeatidRetention,
): Promise<number> {
  return unusedDays === null ? 0 : repeatInBatches(BATCH, () => store.retire(unusedDays, BATCH));
}

/** Deletes expired tombstones. Returns how many. */
export async function purgeTombstones(
  store: FeatidUpkeepStore,
  { tombstoneDays }: FeatidRetention,
): Promise<number> {
  return repeatInBatches(BATCH, () => store.purgeTombstones(tombstoneDays, BATCH));
}
