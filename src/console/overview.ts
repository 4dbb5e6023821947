// The overview: how people fare, what waits and what fails.

import { cachedFor } from '../base/cached-for.ts';
import type { Clock } from '../base/clock.ts';
import type { ConsoleEndpoint } from '../contract/console-deliveries.ts';
import { CONSOLE_SCOPES, type ConsoleOverview, type ConsoleScope } from '../contract/console-overview.ts';
import type { Custody } from '../keys/account-keys.ts';
import { createReasonCount } from './judged-reasons.ts';
import type { ReadReceivers } from './receivers.ts';
import { OUTCOMES_OF } from './tables/recent-outcomes.ts';
import type { ConsoleStore } from './tables/store.ts';

/** A count over a whole table takes seconds with millions of rows, and a page asks every few seconds. */
export const COUNTS_KEPT_MS = 60_000;
const FAILING_SHOWN = 5;

export type ReadOverview = (scope: ConsoleScope) => Promise<ConsoleOverview>;

/** What all sessions of this process share. */
export function createOverview(
  store: ConsoleStore,
  receivers: ReadReceivers,
  { custody, clock }: { readonly custody: Custody; readonly clock: Clock },
): ReadOverview {
  const countReasons = createReasonCount(store, custody);
  const counts = new Map(
    CONSOLE_SCOPES.map((scope) => [
      scope,
      {
        days: cachedFor(clock, COUNTS_KEPT_MS, () => store.countDays(scope)),
        outcomes: cachedFor(clock, COUNTS_KEPT_MS, () => store.countRecentOutcomes(scope)),
      },
    ]),
  );
  const countWaiting = cachedFor(clock, COUNTS_KEPT_MS, store.countWaiting);
  return async (scope) => {
    const { days, outcomes } = counts.get(scope)!;
    const [byDay, fared, waiting, figures, reasons, failing] = await Promise.all([
      days(),
      outcomes(),
      countWaiting(),
      store.readFigures(scope),
      countReasons(scope),
      receivers((all) => all.filter(isFailing).slice(0, FAILING_SHOWN)),
    ]);
    const counted = { days: byDay, outcomes: fared, outcomes_of: OUTCOMES_OF, ...waiting };
    return { scope, ...counted, ...figures, ...reasons, failing };
  };
}

/**
 * An event that was given up is missing until somebody sends it again, whatever arrived after it. What is pending does
 * not fail if it was not tried yet, or if the newest attempt arrived.
 */
const isFailing = ({ failed, pending, last_outcome }: ConsoleEndpoint): boolean =>
  failed > 0 || (pending > 0 && last_outcome !== null && last_outcome !== 'delivered');
