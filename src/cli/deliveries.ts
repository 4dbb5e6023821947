// `likeness deliveries`: shows the operator the outbox of webhooks.

import { Command, Option } from 'commander';
import { parseUrl } from '../base/parse-url.ts';
import { withFoundation } from '../composition/with-foundation.ts';
import type { Delivery } from '../contract/delivery.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../contract/states.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { requireAccount } from '../terminal/find-account.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { createOutbox } from '../webhook/deliveries.ts';
import { createDeliveryStore } from '../webhook/tables/store.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

interface ListOptions {
  account?: string;
  challenge?: string;
  status?: DeliveryStatus;
  limit: number;
  json?: boolean;
}

/** The `deliveries` command. */
export function deliveriesCommand(): Command {
  return new Command('deliveries')
    .description('webhook deliveries and their attempts')
    .addCommand(listCommand())
    .addCommand(redeliverCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list deliveries, newest first')
    .option('--account <name>', 'only of this account, by name or id')
    .option('--challenge <id>', 'only of this challenge')
    .addOption(new Option('--status <status>', 'only in this status').choices(DELIVERY_STATUSES))
    .option('--limit <n>', 'maximum number', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT)
    .option('--json', `${JSON_OPTION[1]}, with every attempt`)
    .action(async ({ account, challenge, status, limit, json }: ListOptions, command: Command) => {
      const found = await withFoundation(async ({ accounts, database, keys }) => {
        const owner = account === undefined ? null : await requireAccount(accounts, account, command);
        const outbox = createOutbox({ store: createDeliveryStore(database.db), custody: keys });
        return outbox.listAll({
          limit,
          ...(owner && { accountId: owner.id }),
          ...(challenge !== undefined && { challengeId: challenge }),
          ...(status && { status }),
        });
      });
      writeAnswer(json, { data: found }, alignColumns([HEADING, ...found.map(rowOf)]));
    });
}

const HEADING = [
  'delivery',
  'challenge',
  'event',
  'status',
  'attempts',
  'last outcome',
  'next attempt',
  'receiver',
];

/** Shows only the receiver's origin, because its path may contain a secret of the client. */
function rowOf(delivery: Delivery): string[] {
  const last = delivery.attempts.at(-1);
  return [
    delivery.delivery_id,
    delivery.challenge_id ?? '-',
    delivery.event,
    delivery.status,
    String(delivery.attempts.length),
    last ? `${last.outcome}${last.response_status === null ? '' : ` ${last.response_status}`}` : '-',
    delivery.next_attempt_at ?? '-',
    parseUrl(delivery.endpoint_url)?.origin ?? '-',
  ];
}

function redeliverCommand(): Command {
  return new Command('redeliver')
    .description('make the running service send a delivery again, at once and with the same id')
    .argument('<delivery-id>', 'id of the delivery, as `deliveries list` shows it')
    .option(...JSON_OPTION)
    .action(async (deliveryId: string, { json }: { json?: boolean }, command: Command) => {
      const outcome = await withFoundation(({ database, keys }) =>
        createOutbox({ store: createDeliveryStore(database.db), custody: keys }).redeliverAny(
          deliveryId,
          'operator',
        ),
      );
      if (outcome.status === 'not_found') return command.error(`error: there is no delivery ${deliveryId}`);
      if (outcome.status === 'not_repeatable') {
        return command.error('error: test events and cancelled deliveries are not sent again');
      }
      writeAnswer(json, outcome.delivery, [`${deliveryId} is due now`]);
    });
}
