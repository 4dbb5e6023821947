// What the search box above the deliveries finds: a challenge, a delivery, a receiver or an error.
import type { ConsoleDelivery } from '../contract/console-deliveries.ts';
import type { Deliveries } from '../webhook/deliveries.ts';
import type { ReadReceivers } from './receivers.ts';
import { type DeliverySearch, nameOf } from './tables/deliveries.ts';
import type { ConsoleStore } from './tables/store.ts';

/** A search as the page requests it. */
export interface DeliveryQuestion extends Pick<DeliverySearch, 'status' | 'beforeId'> {
  /** Of a receiver's address. */
  readonly receiver?: string;
  /**
   * The id of a challenge or delivery, part of a receiver's address, or part of the code or the HTTP status with which an
   * undelivered event was last tried.
   */
  readonly text?: string;
}

/** Newest first, with the receivers' addresses. */
export async function findDeliveries(
  {
    store,
    deliveries,
    receivers,
  }: {
    readonly store: Pick<ConsoleStore, 'searchDeliveries'>;
    readonly deliveries: Pick<Deliveries, 'receiversOf'>;
    readonly receivers: ReadReceivers;
  },
  { text, receiver, ...question }: DeliveryQuestion,
  limit: number,
): Promise<ConsoleDelivery[]> {
  // A text never leads away from the receiver that was chosen.
  const searched: ReadReceivers =
    receiver === undefined
      ? receivers
      : () => receivers((all) => all.filter((one) => one.receiver === receiver));
  const found = await store.searchDeliveries({
    ...question,
    ...(receiver !== undefined && { receivers: [receiver] }),
    ...(text !== undefined && (await meaningOf(text.trim(), searched))),
    limit,
  });
  const urls = await deliveries.receiversOf(found.map((row) => row.delivery_id));
  return found.map((row) => ({ ...row, endpoint: urls.get(row.delivery_id) ?? nameOf(row.receiver) }));
}

async function meaningOf(text: string, receivers: ReadReceivers): Promise<Partial<DeliverySearch>> {
  if (/^ch_[0-9a-z]{26}$/.test(text)) return { challengeId: text };
  if (/^msg_[0-9a-z]{26}$/.test(text)) return { deliveryId: text };
  const named = (await receivers()).filter(({ endpoint }) =>
    endpoint.toLowerCase().includes(text.toLowerCase()),
  );
  if (named.length > 0) return { receivers: named.map(({ receiver }) => receiver) };
  return { error: text };
}
