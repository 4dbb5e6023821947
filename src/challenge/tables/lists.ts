// Lists of challenges, newest first, a page at a time.
import { type RawBuilder, sql } from 'kysely';
import type { ChallengeStatus } from '../../contract/states.ts';
import { findTagged, readChallengeKeys } from '../../keys/tables/challenge-keys.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { ListedChallenge } from '../challenge.ts';
import { LISTED, type ListedRow, listedOf } from './rows.ts';

export interface ChallengeQuery {
  readonly status?: ChallengeStatus;
  readonly referenceTag?: Buffer;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly limit: number;
  /** Returns the challenges after this position in the list. */
  readonly before?: ListPosition;
}

/** A position in a list of challenges, which is ordered by both fields. */
export interface ListPosition {
  /** ISO 8601 in UTC, to the microsecond. */
  readonly createdAt: string;
  readonly id: string;
}

/** A page of a list; `next` is the `before` of the following page, if there is one. */
export interface ListedPage {
  readonly data: readonly ListedChallenge[];
  readonly next: ListPosition | null;
}

/** Every status: the index by account and status is searched once for each. */
export const STATUSES = Object.keys({
  created: true,
  initiated: true,
  processing: true,
  completed: true,
  expired: true,
  cancelled: true,
} satisfies Record<ChallengeStatus, true>);

/** To the microsecond, which a Date cannot hold. */
const CREATED_AT_EXACTLY = sql`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * A page of an account's challenges, newest first. Ordered by creation time, not by id: an id contains the time of the API's clock,
 * and with bounds on `created_at`, an index by id would have to be read from its end.
 */
export async function listChallenges(
  db: Database,
  accountId: string,
  query: ChallengeQuery,
): Promise<ListedPage> {
  const newest = sql`order by created_at desc, id desc limit ${query.limit + 1}`;
  const found = query.referenceTag
    ? ofReference(await findTagged(db, [query.referenceTag]), query.status)
    : ofStatuses(query.status ? [query.status] : STATUSES, sql`${isWanted(accountId, query)} ${newest}`);
  const { rows } = await sql<ListedRow & { created_at_exactly: string }>`
    select ${listedColumns}, ${CREATED_AT_EXACTLY} as created_at_exactly
    from (${found}) challenge where ${isWanted(accountId, query)} ${newest}`.execute(db);
  const { data, last } = await pageOfListed(db, rows, query.limit);
  return {
    data: data.map(({ listed }) => listed),
    next: last && { createdAt: last.created_at_exactly, id: last.id },
  };
}

/** One index search for each status, so that a list of all statuses needs no index of its own. */
const ofStatuses = (statuses: readonly string[], page: RawBuilder<unknown>) => sql`
  select found.* from unnest(${statuses}::text[]) wanted (status)
  cross join lateral (select * from challenge where challenge.status = wanted.status and ${page}) found`;

/**
 * One search by id for each. OFFSET keeps the planner from reordering, since it might read an account's whole list to
 * find them.
 */
const ofReference = (challengeIds: readonly string[], status: ChallengeStatus | undefined) => sql`
  select found.* from unnest(${challengeIds}::text[]) tagged (challenge_id)
  cross join lateral (select * from challenge where challenge.id = tagged.challenge_id offset 0) found
  where ${status ?? null}::text is null or found.status = ${status ?? null}`;

function isWanted(accountId: string, query: ChallengeQuery): RawBuilder<unknown> {
  const { createdAfter, createdBefore, before } = query;
  const conditions = [sql`account_id = ${accountId}`];
  if (createdAfter) conditions.push(sql`created_at >= ${createdAfter}`);
  if (createdBefore) conditions.push(sql`created_at < ${createdBefore}`);
  if (before) conditions.push(sql`(created_at, id) < (${before.createdAt}::timestamptz, ${before.id})`);
  return sql.join(conditions, sql` and `);
}

const listedColumns = sql.join(LISTED.map((column) => sql.ref(column)));

/**
 * A page of rows and, if there is another page, the row after which it begins. The query asked for one row more, which
 * tells. Challenges being erased are left out, which does not end a page early.
 */
export async function pageOfListed<Row extends ListedRow>(
  db: Database,
  rows: readonly Row[],
  limit: number,
): Promise<{ data: { row: Row; listed: ListedChallenge }[]; last: Row | null }> {
  const shown = rows.slice(0, limit);
  const keys = await readChallengeKeys(
    db,
    shown.map(({ id }) => id),
  );
  const data = shown.flatMap((row) => {
    const own = keys.get(row.id);
    return own ? [{ row, listed: listedOf(row, own) }] : [];
  });
  return { data, last: rows.length > limit ? shown.at(-1)! : null };
}
