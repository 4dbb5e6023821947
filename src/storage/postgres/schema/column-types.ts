// Types of columns that tables share.
import type { ColumnType } from 'kysely';

/** A time that the database fills in when none is given. */
export type CreatedAt = ColumnType<Date, Date | undefined, Date>;
