// The console's queries for deliveries across accounts, and for the receivers that they go to.
import { type RawBuilder, sql } from 'kysely';
import type { ConsoleDelivery, ConsoleEndpoint, ConsoleSearched } from '../../contract/console-deliveries.ts';
import type { DeliveryStatus } from '../../contract/states.ts';
import type { Database } from '../../storage/postgres/database.ts';

/** How far back a search looks; the page says it. */
export const SEARCHED: ConsoleSearched = {
  receivers_of: 1_000,
  errors_of: 10_000,
  /** A receiver may have an address for each of its own customers. */
  receivers: 500,
};

export interface DeliverySearch {
  readonly status?: DeliveryStatus;
  readonly beforeId?: string;
  readonly deliveryId?: string;
  readonly challengeId?: string;
  /** Hashes of receivers' addresses. */
  readonly receivers?: readonly string[];
  /** Part of the code with which the last attempt of an undelivered event ended, or the receiver's HTTP status. */
  readonly error?: string;
  readonly limit: number;
}

type FoundDelivery = Omit<ConsoleDelivery, 'endpoint'>;
type FoundReceiver = ConsoleEndpoint & { readonly lastDeliveryId: string };

export function deliveryReadings(db: Database) {
  return {
    /** Newest first. */
    searchDeliveries: (search: DeliverySearch) => searchDeliveries(db, search),
    listEndpoints: () => listEndpoints(db),
  };
}

async function searchDeliveries(db: Database, search: DeliverySearch): Promise<FoundDelivery[]> {
  const wanted = sql.join([sql`true`, ...filtersOf(search)], sql` and `);
  const { rows } = await sql<
    Omit<FoundDelivery, 'created_at' | 'next_attempt_at'> & {
      readonly created_at: Date;
      readonly next_attempt_at: Date | null;
    }
  >`
    select d.id as delivery_id, d.challenge_id, d.account_id, a.name as account_name, d.event, d.status, d.attempts,
      d.created_at, d.next_attempt_at, encode(d.address_hash, 'hex') as receiver, last.outcome as last_outcome,
      last.response_status as last_status
    from delivery d join account a on a.id = d.account_id
    left join lateral (${lastAttempt}) last on true
    where ${wanted}
    order by d.id desc limit ${search.limit}`.execute(db);
  return rows.map(({ created_at, next_attempt_at, ...rest }) => ({
    ...rest,
    created_at: created_at.toISOString(),
    next_attempt_at: next_attempt_at?.toISOString() ?? null,
  }));
}

const lastAttempt = sql`
  select t.id, t.duration_ms, t.outcome, t.response_status from delivery_attempt t where t.delivery_id = d.id
  order by t.id desc limit 1`;

function filtersOf(search: DeliverySearch): RawBuilder<unknown>[] {
  const { status, beforeId, deliveryId, challengeId, receivers, error } = search;
  const filters: RawBuilder<unknown>[] = [];
  if (status) filters.push(sql`d.status = ${status}`);
  if (beforeId) filters.push(sql`d.id < ${beforeId}`);
  if (deliveryId) filters.push(sql`d.id = ${deliveryId}`);
  if (challengeId) filters.push(sql`d.challenge_id = ${challengeId}`);
  if (receivers) {
    const hashes = receivers.map((hash) => Buffer.from(hash, 'hex'));
    filters.push(sql`d.address_hash = any(${hashes}::bytea[])`);
  }
  if (error) {
    const like = `%${error.replace(/[\\%_]/g, '\\$&').replaceAll(' ', '\\_')}%`;
    filters.push(
      sql`d.id = any(array(${undelivered(sql`id`, SEARCHED.errors_of)}))`,
      sql`(last.outcome ilike ${like} or last.response_status::text = ${error})`,
    );
  }
  return filters;
}

const undelivered = (columns: RawBuilder<unknown>, limit: number) => sql`
  (select ${columns} from delivery where status = 'pending' order by id desc limit ${limit})
  union
  (select ${columns} from delivery where status = 'failed' order by id desc limit ${limit})`;

/** Receivers of the newest deliveries, those with the most undelivered first. */
async function listEndpoints(db: Database): Promise<FoundReceiver[]> {
  const columns = sql`id, account_id, address_hash, status`;
  const { rows } = await sql<Omit<FoundReceiver, 'endpoint'>>`
    with newest as (
      (select ${columns} from delivery order by id desc limit ${SEARCHED.receivers_of})
      union ${undelivered(columns, SEARCHED.receivers_of)}
    )
    select encode(d.address_hash, 'hex') as receiver, a.id as account_id, a.name as account_name,
      count(*) filter (where d.status = 'delivered')::int as delivered,
      count(*) filter (where d.status = 'pending')::int as pending,
      count(*) filter (where d.status = 'failed')::int as failed,
      percentile_cont(0.5) within group (order by last.duration_ms)::float8 as median_ms,
      (array_agg(last.outcome order by last.id desc nulls last))[1] as last_outcome,
      (array_agg(last.response_status order by last.id desc nulls last))[1] as last_status,
      max(d.id) as "lastDeliveryId"
    from newest d join account a on a.id = d.account_id
    left join lateral (${lastAttempt}) last on true
    group by a.id, a.name, d.address_hash
    order by count(*) filter (where d.status in ('pending', 'failed')) desc, a.name, d.address_hash
    limit ${SEARCHED.receivers}`.execute(db);
  return rows.map((row) => ({ ...row, endpoint: nameOf(row.receiver) }));
}

/** Name for a receiver whose address cannot be opened: it tells receivers apart. */
export const nameOf = (hash: string): string => hash.slice(0, 12);
