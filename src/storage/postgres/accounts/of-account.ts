import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a row that is looked up by its id is the account's. `is true` keeps the planner from an index that begins with the
 * account: of one newer than the table's statistics it expects hardly a row, and would read all that it has to find one.
 */
export const isOf = (accountId: string, column = 'account_id'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} = ${accountId}) is true`;
