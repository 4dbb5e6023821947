// Webhook endpoints: seals a client's notification configuration into delivery rows, and opens it again.

import { newId } from '../base/ids.ts';
import { parseUrl } from '../base/parse-url.ts';
import type { NotificationConfiguration } from '../contract/challenge-request.ts';
import type { DeliveryEvent } from '../contract/delivery.ts';
import type { NotificationEvent } from '../contract/states.ts';
import type { Custody, ErasableKey, KeyHolder } from '../keys/account-keys.ts';
import type { NewDelivery } from './new-delivery.ts';
import type { StoredDelivery } from './tables/store.ts';

const SEAL_PURPOSE = 'delivery-endpoint';
const ORIGIN_PURPOSE = 'delivery-endpoint-origin';
const ADDRESS_PURPOSE = 'delivery-endpoint-address';

/** A challenge that closes, and the notifications that its request configures for the event. */
interface Closing {
  challengeId: string;
  /** Account and erasure key of the challenge. */
  holder: ErasableKey;
  event: NotificationEvent;
  notifications: readonly NotificationConfiguration[];
}

/** A closing challenge's delivery rows: one for each configured notification of the event. */
export function makeDeliveries(
  custody: Custody,
  { notifications, ...closing }: Closing,
): Promise<NewDelivery[]> {
  return Promise.all(
    notifications.map((configuration, endpointIndex) =>
      newDelivery(custody, { ...closing, endpointIndex, configuration }),
    ),
  );
}

/** One delivery row: a new id, which every attempt carries as `webhook-id`, and the sealed endpoint. */
export async function newDelivery(
  custody: Custody,
  input: {
    /** Whose key seals it: the challenge's, or the account's for a test. */
    holder: KeyHolder;
    challengeId: string | null;
    event: DeliveryEvent;
    endpointIndex: number;
    configuration: NotificationConfiguration;
  },
): Promise<NewDelivery> {
  const { configuration, holder, ...rest } = input;
  const accountId = typeof holder === 'string' ? holder : holder.accountId;
  const id = newId('delivery');
  const plaintext = Buffer.from(JSON.stringify(configuration));
  const address = addressOf(configuration.properties.endpoint_url);
  const origin = parseUrl(address)?.origin ?? address;
  return {
    id,
    accountId,
    ...rest,
    sealedEndpoint: await custody.seal(holder, SEAL_PURPOSE, plaintext, id),
    endpointHash: await custody.fingerprint(accountId, ORIGIN_PURPOSE, Buffer.from(origin)),
    addressHash: await custody.fingerprint(accountId, ADDRESS_PURPOSE, Buffer.from(address)),
  };
}

/** Origin and path of an endpoint: its query may hold a secret. */
export function addressOf(url: string): string {
  const parsed = parseUrl(url);
  return parsed === null ? url : parsed.origin + parsed.pathname;
}

/** Opens a row's endpoint. @throws Fault SEAL_BROKEN if the row was altered */
export async function openEndpoint(
  custody: Custody,
  delivery: Pick<StoredDelivery, 'id' | 'holder' | 'sealedEndpoint'>,
): Promise<NotificationConfiguration> {
  const { holder, sealedEndpoint, id } = delivery;
  const plaintext = await custody.open(holder, SEAL_PURPOSE, sealedEndpoint, id);
  return JSON.parse(plaintext.toString('utf8')) as NotificationConfiguration;
}
