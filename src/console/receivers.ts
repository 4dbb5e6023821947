// Receivers of webhooks by their addresses, which only their sealed deliveries hold.
import type { ConsoleEndpoint, ConsoleEndpoints } from '../contract/console-deliveries.ts';
import type { Deliveries } from '../webhook/deliveries.ts';
import { SEARCHED } from './tables/deliveries.ts';
import type { ConsoleStore } from './tables/store.ts';

type Stored = Awaited<ReturnType<ConsoleStore['listEndpoints']>>;

/** Receivers of the newest deliveries, those with the most undelivered first; only the chosen ones are opened. */
export type ReadReceivers = (choose?: (all: Stored) => Stored) => Promise<ConsoleEndpoint[]>;

export const createReceivers =
  (store: Pick<ConsoleStore, 'listEndpoints'>, deliveries: Pick<Deliveries, 'receiversOf'>): ReadReceivers =>
  async (choose = (all) => all) => {
    const rows = choose(await store.listEndpoints());
    const urls = await deliveries.receiversOf(rows.map((row) => row.lastDeliveryId));
    return rows.map(({ lastDeliveryId, ...row }) => ({
      ...row,
      endpoint: urls.get(lastDeliveryId) ?? row.endpoint,
    }));
  };

export async function listReceivers(receivers: ReadReceivers): Promise<ConsoleEndpoints> {
  return { data: await receivers(), searched: SEARCHED };
}
