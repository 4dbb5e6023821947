// The console's readings of deliveries across accounts, and of the endpoints that they go to.
import { sql } from 'kysely';
import type { ConsoleStore } from '../../console/store.ts';
import type { Database } from './database.ts';

/** Days of deliveries from which an endpoint's health is computed. */
const HEALTH_DAYS = 7;

type DeliveryReadings = Pick<ConsoleStore, 'searchDeliveries' | 'listEndpoints'>;

export function deliveryReadings(db: Database): DeliveryReadings {
  return {
    searchDeliveries: async (search) => {
      let select = db
        .selectFrom('delivery as d')
        .innerJoin('account as a', 'a.id', 'd.account_id')
        .select(['d.id', 'd.challenge_id', 'd.account_id', 'a.name', 'd.event', 'd.status', 'd.attempts'])
        .select(['d.created_at', 'd.next_attempt_at', 'd.endpoint_hash'])
        .select((eb) =>
          eb
            .selectFrom('delivery_attempt as t')
            .select('t.outcome')
            .whereRef('t.delivery_id', '=', 'd.id')
            .orderBy('t.id', 'desc')
            .limit(1)
            .as('last_outcome'),
        )
        .orderBy('d.id', 'desc')
        .limit(search.limit);
      if (search.status) select = select.where('d.status', '=', search.status);
      if (search.beforeId) select = select.where('d.id', '<', search.beforeId);
      const rows = await select.execute();
      return rows.map(({ id, name, created_at, next_attempt_at, endpoint_hash, ...rest }) => ({
        ...rest,
        delivery_id: id,
        account_name: name,
        created_at: created_at.toISOString(),
        next_attempt_at: next_attempt_at?.toISOString() ?? null,
        endpoint: endpointName(endpoint_hash),
      }));
    },
    listEndpoints: () => listEndpoints(db),
  };
}

async function listEndpoints(db: Database): ReturnType<DeliveryReadings['listEndpoints']> {
  const { rows } = await sql<{
    endpoint_hash: Buffer;
    account_name: string;
    delivered: number;
    pending: number;
    failed: number;
    median_ms: number | null;
    last_outcome: string | null;
  }>`
    select d.endpoint_hash, a.name as account_name,
      count(*) filter (where d.status = 'delivered')::int as delivered,
      count(*) filter (where d.status = 'pending')::int as pending,
      count(*) filter (where d.status = 'failed')::int as failed,
      (select percentile_cont(0.5) within group (order by t.duration_ms)
         from delivery_attempt t join delivery s on s.id = t.delivery_id
         where s.endpoint_hash = d.endpoint_hash and s.account_id = a.id
           and t.at > now() - make_interval(days => ${HEALTH_DAYS})) as median_ms,
      (select t.outcome from delivery_attempt t join delivery s on s.id = t.delivery_id
         where s.endpoint_hash = d.endpoint_hash and s.account_id = a.id
         order by t.id desc limit 1) as last_outcome
    from delivery d join account a on a.id = d.account_id
    where d.created_at > now() - make_interval(days => ${HEALTH_DAYS})
    group by d.endpoint_hash, a.id, a.name
    order by count(*) filter (where d.status <> 'delivered') desc, a.name
    limit 200`.execute(db);
  return rows.map(({ endpoint_hash, ...rest }) => ({ endpoint: endpointName(endpoint_hash), ...rest }));
}

/** The address itself is sealed; the hash tells receivers apart. */
const endpointName = (hash: Buffer): string => hash.toString('hex').slice(0, 12);
