// Periodic work on FeatureIDs: retention and tombstones. Thin: src/featid does the work.
import type { FeatidUpkeepStore } from '../featid/ports.ts';
import {
  dropUnwantedRenewals,
  type FeatidRetention,
  purgeTombstones,
  retireUnusedFeatids,
} from '../featid/retention.ts';
import type { PeriodicTask } from './sweep.ts';

/** Retention is counted in days: ten minutes late is soon enough. */
const EVERY_MS = 10 * 60_000;

export function featidTasks(store: FeatidUpkeepStore, retention: FeatidRetention): PeriodicTask[] {
  return [
    { name: 'retire featids', everyMs: EVERY_MS, run: () => retireUnusedFeatids(store, retention) },
    { name: 'drop renewals', everyMs: EVERY_MS, run: () => dropUnwantedRenewals(store) },
    { name: 'purge tombstones', everyMs: EVERY_MS, run: () => purgeTombstones(store, retention) },
  ];
}
