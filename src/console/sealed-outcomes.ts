// Figures that only sealed results hold, for the assurance report: counted over the newest judged challenges, so that
// a report never opens every result that there is. What leaves this file are stable codes and counts.
import type { DeviceResult } from '../contract/device.ts';
import type { Custody } from '../keys/account-keys.ts';
import { openJudged } from './describe-challenge.ts';
import type { ConsoleStore } from './tables/store.ts';

/** How many of the newest judged challenges are opened. Chosen, not measured. */
const NEWEST = 500;
/** How many are read from the database at a time. */
const BATCH = 50;

export interface SealedOutcomes {
  readonly newest: number;
  /** How many of them were opened: those since the date, whose seal holds. */
  readonly opened: number;
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  /** With `device_binding` other than `off`. */
  readonly withDevices: number;
  readonly statuses: ReadonlyMap<DeviceResult['status'], number>;
}

export async function countSealed(
  store: Pick<ConsoleStore, 'listJudgedIds' | 'readJudged'>,
  custody: Custody,
  since: Date | null,
): Promise<SealedOutcomes> {
  const ids = await store.listJudgedIds(NEWEST);
  const reasons = new Map<string, number>();
  const statuses = new Map<DeviceResult['status'], number>();
  let opened = 0;
  let withDevices = 0;
  for (let at = 0; at < ids.length; at += BATCH)
    for (const challenge of await store.readJudged(ids.slice(at, at + BATCH))) {
      if (since && challenge.closedAt! < since) continue;
      // A broken seal is one result less, not the end of the report.
      const result = await openJudged(custody, challenge).catch(() => null);
      if (!result) continue;
      opened += 1;
      for (const reason of result.reasons) add(reasons, reason);
      if ((challenge.request.device_binding ?? 'off') !== 'off') withDevices += 1;
      if (result.device) add(statuses, result.device.status);
    }
  const sorted = [...reasons].map(([reason, count]) => ({ reason, count }));
  return {
    newest: NEWEST,
    opened,
    reasons: sorted.sort(
      (one, other) => other.count - one.count || one.reason.localeCompare(other.reason, 'en'),
    ),
    withDevices,
    statuses,
  };
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
