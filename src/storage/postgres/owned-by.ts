import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a row that is looked up by its id belongs to the account. `is true` keeps the planner from using an index
 * that begins with the account. For an account newer than the table's statistics it expects hardly a row, and would
 * read all of the account's rows to find one.
 */
export const isOwnedBy = (accountId: string, column = 'account_id'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} = ${accountId}) is true`;
