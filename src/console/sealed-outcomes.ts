// Figures that only sealed results hold, for the assurance report: counted over the newest recordings, so that a report
// never opens every result that there is. What leaves this file are stable codes, counts and measures of recordings.
import type { Capture, Challenge } from '../challenge/challenge.ts';
import { openTry } from '../challenge/seals.ts';
import type { DeviceResult } from '../contract/device.ts';
import type { Custody } from '../keys/account-keys.ts';
import { openJudged } from './describe-challenge.ts';
import type { Recordings } from './tables/outcomes.ts';
import type { ConsoleStore } from './tables/store.ts';

/** How many of the newest are opened. Chosen, not measured. */
export const NEWEST = 500;
/** How many are read from the database at a time. */
const BATCH = 50;

export interface SealedOutcomes {
  /** How many results were opened: those since the date, whose seal holds. */
  readonly opened: number;
  readonly reasons: ReadonlyMap<string, number>;
  /** With `device_binding` other than `off`. */
  readonly withDevices: number;
  readonly statuses: ReadonlyMap<DeviceResult['status'], number>;
}

type Store = Pick<ConsoleStore, 'listJudgedIds' | 'listTried' | 'readJudged'>;

/** Counts the results of the newest judged challenges. */
export async function countSealed(
  store: Store,
  custody: Custody,
  since: Date | null,
): Promise<SealedOutcomes> {
  const reasons = new Map<string, number>();
  const statuses = new Map<DeviceResult['status'], number>();
  let opened = 0;
  let withDevices = 0;
  const ids = await store.listJudgedIds(NEWEST);
  for (let at = 0; at < ids.length; at += BATCH)
    for (const challenge of await store.readJudged(ids.slice(at, at + BATCH))) {
      if (since && challenge.closedAt! < since) continue;
      // A broken seal is one result less, not the end of the report.
      const result = await openJudged(custody, challenge).catch(() => null);
      if (!result) continue;
      opened += 1;
      for (const reason of result.reasons) add(reasons, reason);
      if ((challenge.request.device_binding ?? 'off') === 'off') continue;
      withDevices += 1;
      if (result.device) add(statuses, result.device.status);
    }
  return { opened, reasons, withDevices, statuses };
}

/** Measures of recordings, as the checks of these names have them, in no order. */
export interface Measures {
  /** Mean luma of the inner face, 0 to 255. */
  readonly brightness: number[];
  /** Distance of the eyes in pixels. */
  readonly face_size: number[];
}

/** Measures of the newest recordings of a kind, those that could be taken. */
export async function readMeasures(
  store: Store,
  custody: Custody,
  kind: Recordings,
  since: Date | null,
): Promise<Measures> {
  const captures = await store.listTried(kind, since, NEWEST);
  const measures: Measures = { brightness: [], face_size: [] };
  for (let at = 0; at < captures.length; at += BATCH) {
    const batch = captures.slice(at, at + BATCH);
    const challenges = await store.readJudged(batch.map(({ challengeId }) => challengeId));
    const byId = new Map(challenges.map((challenge) => [challenge.id, challenge]));
    for (const capture of batch)
      for (const { cue, value } of await cuesOf(custody, byId.get(capture.challengeId), capture))
        if (value !== null && (cue === 'brightness' || cue === 'face_size')) measures[cue].push(value);
  }
  return measures;
}

/** None if the challenge was erased meanwhile, or its seal is broken. */
async function cuesOf(custody: Custody, challenge: Challenge | undefined, capture: Capture) {
  const judged = challenge && (await openTry(custody, challenge, capture).catch(() => null));
  return judged?.cues ?? [];
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
