// The console's queries for deliveries across accounts, and for the endpoints that they go to.
import { sql } from 'kysely';
import type { ConsoleDelivery, ConsoleEndpoint } from '../../contract/console.ts';
import type { DeliveryStatus } from '../../contract/states.ts';
import type { Database } from '../../storage/postgres/database.ts';

/** How many of the newest deliveries, and of the newest of each undelivered status, are searched for receivers. */
const NEWEST = 1_000;

export interface DeliverySearch {
  readonly status?: DeliveryStatus;
  readonly beforeId?: string;
  readonly limit: number;
}

export function deliveryReadings(db: Database) {
  return {
    /** Newest first. */
    searchDeliveries: async (search: DeliverySearch): Promise<Omit<ConsoleDelivery, 'endpoint'>[]> => {
      let select = db
        .selectFrom('delivery as d')
        .innerJoin('account as a', 'a.id', 'd.account_id')
        .select(['d.id', 'd.challenge_id', 'd.account_id', 'a.name', 'd.event', 'd.status', 'd.attempts'])
        .select(['d.created_at', 'd.next_attempt_at'])
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
      return rows.map(({ id, name, created_at, next_attempt_at, ...rest }) => ({
        ...rest,
        delivery_id: id,
        account_name: name,
        created_at: created_at.toISOString(),
        next_attempt_at: next_attempt_at?.toISOString() ?? null,
      }));
    },
    listEndpoints: () => listEndpoints(db),
  };
}

interface EndpointRow {
  readonly account_name: string;
  readonly endpoint_hash: Buffer;
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
  readonly median_ms: number | null;
  readonly last_outcome: string | null;
  readonly last_delivery_id: string;
}

/** Receivers of the newest deliveries, those with the most undelivered first. */
async function listEndpoints(
  db: Database,
): Promise<(ConsoleEndpoint & { readonly lastDeliveryId: string })[]> {
  const { rows } = await sql<EndpointRow>`
    with newest as (
      (select id, account_id, endpoint_hash, status from delivery order by id desc limit ${NEWEST})
      union
      (select id, account_id, endpoint_hash, status from delivery where status = 'pending' order by id desc limit ${NEWEST})
      union
      (select id, account_id, endpoint_hash, status from delivery where status = 'failed' order by id desc limit ${NEWEST})
    )
    select a.name as account_name, n.endpoint_hash,
      count(*) filter (where n.status = 'delivered')::int as delivered,
      count(*) filter (where n.status = 'pending')::int as pending,
      count(*) filter (where n.status = 'failed')::int as failed,
      percentile_cont(0.5) within group (order by last.duration_ms)::float8 as median_ms,
      (array_agg(last.outcome order by last.id desc nulls last))[1] as last_outcome,
      max(n.id) as last_delivery_id
    from newest n join account a on a.id = n.account_id
    left join lateral (
      select t.id, t.duration_ms, t.outcome from delivery_attempt t where t.delivery_id = n.id order by t.id desc limit 1
    ) last on true
    group by a.id, a.name, n.endpoint_hash
    order by count(*) filter (where n.status in ('pending', 'failed')) desc, a.name, n.endpoint_hash`.execute(
    db,
  );
  return rows.map(({ endpoint_hash, last_delivery_id, ...rest }) => ({
    ...rest,
    endpoint: endpointName(endpoint_hash),
    lastDeliveryId: last_delivery_id,
  }));
}

/** Name for a receiver whose address cannot be opened: it tells receivers apart. */
const endpointName = (hash: Buffer): string => hash.toString('hex').slice(0, 12);
