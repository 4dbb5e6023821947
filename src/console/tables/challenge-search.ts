// The console's list of challenges, and what its search box finds.

import { type RawBuilder, sql } from 'kysely';
import type { ListedChallenge } from '../../challenge/challenge.ts';
import { pageOfListed, STATUSES } from '../../challenge/tables/lists.ts';
import { LISTED } from '../../challenge/tables/rows.ts';
import type { ChallengeStatus } from '../../contract/states.ts';
import { findTagged } from '../../keys/tables/challenge-keys.ts';
import type { Database } from '../../storage/postgres/database.ts';

export interface ChallengeSearch {
  /** Beginning of an id, part of an account's name, or a complete reference, found by its tags in all accounts. */
  readonly text?: { readonly text: string; readonly referenceTags: readonly Buffer[] };
  readonly status?: ChallengeStatus;
  readonly result?: 'pass' | 'fail';
  readonly beforeId?: string;
  readonly limit: number;
}

export interface ChallengePage {
  readonly data: readonly (ListedChallenge & { readonly accountName: string })[];
  /** `beforeId` of the next page; null if there is none. */
  readonly nextBeforeId: string | null;
}

/** Newest first. */
export async function searchChallenges(db: Database, search: ChallengeSearch): Promise<ChallengePage> {
  const found = search.text && (await lookUp(db, search.text));
  const byTime = found !== undefined && found.accountIds.length > 0;
  const wanted = [...filtersOf(search), ...(search.beforeId ? [isBefore(search.beforeId, byTime)] : [])];
  const where = found ? [...wanted, isFound(found, all(wanted), search.limit + 1)] : wanted;
  const filtered = search.result ? 'overall_result' : search.status ? 'status' : undefined;
  const rows = await db
    .selectFrom('challenge')
    .innerJoin('account as a', 'a.id', 'challenge.account_id')
    .select(LISTED)
    .select('a.name as account_name')
    .where(all(where))
    .$if(filtered !== undefined, (select) => select.orderBy(`challenge.${filtered!}`))
    .$if(byTime, (select) => select.orderBy('challenge.created_at', 'desc'))
    .orderBy('challenge.id', 'desc')
    .limit(search.limit + 1)
    .execute();
  const { data, last } = await pageOfListed(db, rows, search.limit);
  return {
    data: data.map(({ row, listed }) => ({ ...listed, accountName: row.account_name })),
    nextBeforeId: last?.id ?? null,
  };
}

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  sql<boolean>`(${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`})`;

/**
 * Each filter is a one-element list by which the rows are also ordered, because only the column's own index has this
 * order. With another index on offer, the planner would expect a match at each step and read past all rows made since
 * the last match.
 */
function filtersOf({ status, result }: ChallengeSearch): RawBuilder<unknown>[] {
  const filters: RawBuilder<unknown>[] = [];
  if (status) filters.push(sql`challenge.status = any(array[${status}])`);
  if (result) filters.push(sql`challenge.overall_result = any(array[${result}])`);
  return filters;
}

/**
 * Whether a challenge comes after this one in the list. The order by time differs from the order by id as far as the
 * clocks of several processes differ. The time is that of the challenge or, if it was erased meanwhile, of the next
 * older one.
 */
const isBefore = (id: string, byTime: boolean) =>
  byTime
    ? sql`challenge.id <> ${id} and (challenge.created_at, challenge.id) <= (
        select created_at, id from challenge where id <= ${id} order by id desc limit 1)`
    : sql`challenge.id < ${id}`;

/**
 * What a search text stands for. It is looked up first, so that a search for a text that nothing has does not read
 * every challenge.
 */
interface Found {
  readonly text: string;
  /** Accounts whose name contains it. */
  readonly accountIds: readonly string[];
  /** Challenges that have it as their reference. */
  readonly taggedIds: readonly string[];
}

async function lookUp(
  db: Database,
  { text, referenceTags }: NonNullable<ChallengeSearch['text']>,
): Promise<Found> {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const [accounts, taggedIds] = await Promise.all([
    db.selectFrom('account').select('id').where('name', 'ilike', like).execute(),
    findTagged(db, referenceTags),
  ]);
  return { text, accountIds: accounts.map(({ id }) => id), taggedIds };
}

/** A TypeID: prefix, `_`, and 26 characters. */
const ID_LENGTH = 29;

/**
 * Whether a challenge's id begins with the text, the text is its reference, or it is among the newest of an account
 * whose name contains the text: one page of each account, by the index of its list. A scan back from the newest
 * challenge would read everything that other accounts have made since.
 */
function isFound(
  { text, accountIds, taggedIds }: Found,
  wanted: RawBuilder<boolean>,
  limit: number,
): RawBuilder<boolean> {
  const found: RawBuilder<unknown>[] = [];
  if (/^ch_[0-9a-z]{1,26}$/.test(text)) {
    found.push(sql`challenge.id between ${text} and ${text.padEnd(ID_LENGTH, 'z')}`);
  }
  if (taggedIds.length > 0) found.push(sql`challenge.id = any(${taggedIds}::text[])`);
  if (accountIds.length > 0) {
    found.push(sql`challenge.id = any(array(
      select newest.id from unnest(${accountIds}::text[]) named (id)
      cross join unnest(${STATUSES}::text[]) each (status)
      cross join lateral (
        select challenge.id, challenge.created_at from challenge
        where challenge.account_id = named.id and challenge.status = each.status and ${wanted}
        order by challenge.created_at desc, challenge.id desc limit ${limit}) newest
      order by newest.created_at desc, newest.id desc limit ${limit}))`);
  }
  return sql<boolean>`(${found.length > 0 ? sql.join(found, sql` or `) : sql`false`})`;
}
