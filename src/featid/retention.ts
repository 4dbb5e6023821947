// Retention of FeatureIDs and tombstones. Each call is safe to repeat and to run on several instances.
import { repeatInBatches } from '../base/repeat-in-batches.ts';
import type { FeatidUpkeepStore } from './ports.ts';

const BATCH = 100;

/** How long FeatureIDs and their tombstones are kept. */
export interface FeatidRetention {
  /** Days since the last comparison (or the making, before any); null keeps them forever. */
  readonly unusedDays: number | null;
  readonly tombstoneDays: number;
}

/** Erases FeatureIDs that have not been compared for that long; tombstones stay. Returns how many. */
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

/** Erases what renewed the references of accounts that have turned that off. Returns how many renewals. */
export async function dropUnwantedRenewals(store: FeatidUpkeepStore): Promise<number> {
  return repeatInBatches(BATCH, () => store.dropRenewals(BATCH));
}
