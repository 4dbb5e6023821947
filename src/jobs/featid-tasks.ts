// Periodic work on FeatureIDs: retention, tombstones, pictures that nobody waits for any more. src/featid does the
// work.
import { withdrawStalePictures } from '../featid/pictures.ts';
import { type FeatidRetention, purgeTombstones, retireUnusedFeatids } from '../featid/retention.ts';
import type { PictureStore } from '../featid/tables/picture-store.ts';
import type { FeatidUpkeepStore } from '../featid/tables/upkeep.ts';
import type { PeriodicTask } from './sweep.ts';

/** Retention is counted in days, so ten minutes late is soon enough. */
const EVERY_MS = 10 * 60_000;
/** A picture waits for seconds only. */
const PICTURES_EVERY_MS = 60_000;

export function featidTasks(
  store: FeatidUpkeepStore,
  pictures: PictureStore,
  retention: FeatidRetention,
): PeriodicTask[] {
  return [
    { name: 'retire featids', everyMs: EVERY_MS, run: () => retireUnusedFeatids(store, retention) },
    {
      name: 'withdraw pictures',
      everyMs: PICTURES_EVERY_MS,
      run: () => withdrawStalePictures(pictures),
    },
    { name: 'purge tombstones', everyMs: EVERY_MS, run: () => purgeTombstones(store, retention) },
  ];
}
