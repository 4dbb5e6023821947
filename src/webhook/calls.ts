// The calls that a process has in progress: how many, to which receivers, and for which accounts.
import type { Logger } from '../base/log.ts';
import type { Deliver } from './deliver.ts';
import type { BusyAccount, ClaimedDelivery, ReceiverStanding } from './ports.ts';

export interface Calls {
  begin(claimed: readonly ClaimedDelivery[]): void;
  count(...standings: readonly ReceiverStanding[]): number;
  /** The same by account, without accounts that have none. */
  byAccount(...standings: readonly ReceiverStanding[]): BusyAccount[];
  /** Resolves when all calls that have begun have ended. */
  allEnded(): Promise<void>;
}

/** @param onEnded called for every call that has ended, however it did */
export function createCalls(
  { deliver, log }: { readonly deliver: Deliver; readonly log: Logger },
  onEnded: (ended: ClaimedDelivery) => void,
): Calls {
  const inFlight = new Map<ClaimedDelivery, Promise<void>>();
  const those = (standings: readonly ReceiverStanding[]) =>
    [...inFlight.keys()].filter(({ standing }) => standings.includes(standing));
  return {
    begin(claimed) {
      deliver(claimed).forEach((attempting, index) => {
        const delivery = claimed[index]!;
        const ended = attempting
          .then(() => {})
          // The lease expires and the attempt is made again.
          .catch((error: unknown) =>
            log.error({ err: error, deliveryId: delivery.id }, 'a delivery attempt failed unexpectedly'),
          )
          .finally(() => {
            inFlight.delete(delivery);
            onEnded(delivery);
          });
        inFlight.set(delivery, ended);
      });
    },
    count: (...standings) => those(standings).length,
    byAccount(...standings) {
      const accounts = new Map<string, BusyAccount>();
      for (const { accountId, standing } of those(standings)) {
        const { calls, unproven } = accounts.get(accountId) ?? { calls: 0, unproven: 0 };
        const more = standing === 'unproven' ? 1 : 0;
        accounts.set(accountId, { accountId, calls: calls + 1, unproven: unproven + more });
      }
      return [...accounts.values()];
    },
    allEnded: async () => void (await Promise.all(inFlight.values())),
  };
}
