// Webhook endpoints: the notification configuration of a client, sealed into delivery rows and opened again.
import { newId } from '../base/ids.ts';
import type { NotificationConfiguration } from '../contract/challenge-request.ts';
import type { DeliveryEvent } from '../contract/delivery.ts';
import type { Custody, MakeDeliveries, NewDelivery, StoredDelivery } from './ports.ts';

const SEAL_PURPOSE = 'delivery-endpoint';
const HASH_PURPOSE = 'delivery-endpoint-origin';

/** The maker of delivery rows that the challenge room calls when a challenge closes. */
export function createDeliveryMaker(custody: Custody): MakeDeliveries {
  return ({ accountId, challengeId, event, notifications }) =>
    Promise.all(
      notifications.map((configuration, endpointIndex) =>
        newDelivery(custody, { accountId, challengeId, event, endpointIndex, configuration }),
      ),
    );
}

/** One delivery row: a new id, which every attempt carries as `webhook-id`, and the sealed endpoint. */
export async function newDelivery(
  custody: Custody,
  input: {
    accountId: string;
    challengeId: string | null;
    event: DeliveryEvent;
    endpointIndex: number;
    configuration: NotificationConfiguration;
  },
): Promise<NewDelivery> {
  const { configuration, ...rest } = input;
  const id = newId('delivery');
  const plaintext = Buffer.from(JSON.stringify(configuration));
  const url = configuration.properties.endpoint_url;
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  return {
    id,
    ...rest,
    sealedEndpoint: await custody.seal(input.accountId, SEAL_PURPOSE, plaintext, id),
    endpointHash: await custody.fingerprint(input.accountId, HASH_PURPOSE, Buffer.from(origin)),
  };
}

/** @throws Fault SEAL_BROKEN when the row was altered. */
export async function openEndpoint(
  custody: Custody,
  delivery: Pick<StoredDelivery, 'id' | 'accountId' | 'sealedEndpoint'>,
): Promise<NotificationConfiguration> {
  const { accountId, sealedEndpoint, id } = delivery;
  const plaintext = await custody.open(accountId, SEAL_PURPOSE, sealedEndpoint, id);
  return JSON.parse(plaintext.toString('utf8')) as NotificationConfiguration;
}
