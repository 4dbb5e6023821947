// The console's queries for deliveries across accounts, and for the endpoints that they go to.
import { sql } from 'kysely';
import type { ConsoleStore } from '../../../console/store.ts';
import type { Database } from '../database.ts';
import { type DurationCount, durationQuantileMs } from '../figures.ts';

/** Days (UTC, including today) from which an endpoint's health is computed. */
const HEALTH_DAYS = 7;
const IS_RECENT = sql`at >= day_of(now()) - ${sql.lit(HEALTH_DAYS - 1)} * interval '1 day'`;
const MAX_ENDPOINTS = 200;
/** How many of the newest deliveries are searched for each receiver's address: no index has them by receiver. */
const SEARCHED_DELIVERIES = 3_000;

interface EndpointRow {
  readonly account_id: string;
  readonly endpoint_hash: Buffer;
  readonly account_name: string;
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
}

/** Attempts with one outcome and about the same duration. */
interface AttemptRow extends DurationCount {
  readonly account_id: string;
  readonly endpoint_hash: Buffer;
  readonly name: string;
  readonly latest: Date;
}

type DeliveryReadings = Pick<ConsoleStore, 'searchDeliveries' | 'listEndpoints'>;

export function deliveryReadings(db: Database): DeliveryReadings {
  return {
    searchDeliveries: async (search) => {
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

/** Receivers of the last days, those with the most undelivered first. */
async function listEndpoints(db: Database): ReturnType<DeliveryReadings['listEndpoints']> {
  const { rows } = await sql<EndpointRow>`
    select f.account_id, f.endpoint_hash, a.name as account_name,
      coalesce(sum(n) filter (where f.name = 'delivered'), 0)::int as delivered,
      coalesce(sum(n) filter (where f.name = 'pending'), 0)::int as pending,
      coalesce(sum(n) filter (where f.name = 'failed'), 0)::int as failed
    from figures f join account a on a.id = f.account_id
    where f.kind = 'delivery' and ${IS_RECENT}
    group by f.account_id, f.endpoint_hash, a.name having sum(n) > 0
    order by sum(n) filter (where f.name <> 'delivered') desc nulls last, a.name, f.endpoint_hash
    limit ${MAX_ENDPOINTS}`.execute(db);
  const [attempts, latest] = await Promise.all([readAttempts(db, rows), readLatest(db)]);
  return rows.map(({ account_id, endpoint_hash, ...rest }) => {
    const own = attempts.filter(
      (row) => row.account_id === account_id && row.endpoint_hash.equals(endpoint_hash),
    );
    const [last] = [...own].sort((a, b) => b.latest.getTime() - a.latest.getTime());
    return {
      ...rest,
      endpoint: endpointName(endpoint_hash),
      lastDeliveryId: latest.get(keyOf(account_id, endpoint_hash)) ?? null,
      median_ms: durationQuantileMs(own, 0.5),
      last_outcome: last?.name ?? null,
    };
  });
}

/** The latest of the newest deliveries by account and receiver. Its address is opened to name the receiver. */
async function readLatest(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; account_id: string; endpoint_hash: Buffer }>`
    select max(id) as id, account_id, endpoint_hash
    from (select id, account_id, endpoint_hash from delivery order by id desc limit ${SEARCHED_DELIVERIES}) newest
    group by account_id, endpoint_hash`.execute(db);
  return new Map(rows.map((row) => [keyOf(row.account_id, row.endpoint_hash), row.id]));
}

const keyOf = (accountId: string, hash: Buffer): string => `${accountId} ${hash.toString('hex')}`;

async function readAttempts(db: Database, endpoints: readonly EndpointRow[]): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select account_id, endpoint_hash, name, bucket, sum(n)::int as n, max(latest) as latest
    from figures where kind = 'attempt' and ${IS_RECENT} and (account_id, endpoint_hash) in (
      select * from unnest(${endpoints.map((row) => row.account_id)}::text[], ${endpoints.map((row) => row.endpoint_hash)}::bytea[]))
    group by account_id, endpoint_hash, name, bucket`.execute(db);
  return rows;
}

/** Name for a receiver whose address was not found among the newest deliveries: it tells receivers apart. */
const endpointName = (hash: Buffer): string => hash.toString('hex').slice(0, 12);
