// Column types that several tables share.
import type { ColumnType } from 'kysely';

/** A time that the database fills in if none is given. */
export type CreatedAt = ColumnType<Date, Date | undefined, Date>;
