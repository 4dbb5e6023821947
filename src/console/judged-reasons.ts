// Why the newest judged challenges failed, counted for the overview. Results are sealed, and a page asks again every
// few seconds. Each result is opened only once, because it never changes.
import { LRUCache } from 'lru-cache';
import type { ConsoleOverview, ConsoleScope } from '../contract/console-overview.ts';
import type { Custody } from '../keys/account-keys.ts';
import { openJudged } from './describe-challenge.ts';
import type { ConsoleStore } from './tables/store.ts';

/** How many judged challenges are counted. */
const REASONS_OF = 200;
/** How many challenges' reasons are remembered. They are stable codes and nothing else. */
const MAX_REMEMBERED = 5 * REASONS_OF;

export type ReasonCounts = Pick<ConsoleOverview, 'reasons' | 'reasons_of'>;

/**
 * Makes a function that counts reasons of existing challenges. An erased one no longer counts, even if it is
 * remembered.
 */
export function createReasonCount(
  store: Pick<ConsoleStore, 'listJudgedIds' | 'readJudged'>,
  custody: Custody,
): (scope: ConsoleScope) => Promise<ReasonCounts> {
  const known = new LRUCache<string, readonly string[]>({ max: MAX_REMEMBERED });
  return async (scope) => {
    const ids = await store.listJudgedIds(REASONS_OF, scope);
    const unknown = ids.filter((id) => !known.has(id));
    for (const challenge of await store.readJudged(unknown)) {
      // A challenge whose seal is broken is not counted, so that the rest of the overview is shown.
      const result = await openJudged(custody, challenge).catch(() => null);
      if (result) known.set(challenge.id, result.reasons);
    }
    const counts = new Map<string, number>();
    const counted = ids.flatMap((id) => known.get(id) ?? []);
    for (const reason of counted) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const reasons = [...counts].map(([reason, count]) => ({ reason, count }));
    return {
      reasons: reasons.sort((a, b) => b.count - a.count),
      reasons_of: ids.filter((id) => known.has(id)).length,
    };
  };
}
