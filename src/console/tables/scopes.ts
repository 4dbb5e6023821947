// Live challenges, the sandbox's, or both. Each kind has indexes of its own, so that neither is read past the other.
import { type RawBuilder, sql } from 'kysely';
import type { ConsoleScope } from '../../contract/console-overview.ts';

/** As the indexes' conditions have it. */
const KINDS: Readonly<Record<ConsoleScope, readonly RawBuilder<boolean>[]>> = {
  live: [sql`not sandbox`],
  sandbox: [sql`sandbox`],
  both: [sql`not sandbox`, sql`sandbox`],
};

/** The rows that `select` finds of each kind, as one table; it is given the condition of a kind. */
export const ofEach = (
  scope: ConsoleScope,
  select: (isKind: RawBuilder<boolean>) => RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`(${sql.join(
    KINDS[scope].map((isKind) => sql`(${select(isKind)})`),
    sql` union all `,
  )})`;
