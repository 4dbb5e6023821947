// Live challenges, the sandbox's, or both: how statements read the newest of each from the front of an index.
import { type RawBuilder, sql } from 'kysely';
import type { ConsoleScope } from '../../contract/console-overview.ts';

const SANDBOX: Readonly<Record<ConsoleScope, readonly boolean[]>> = {
  live: [false],
  sandbox: [true],
  both: [false, true],
};

/** Values of `challenge.sandbox`. */
export const sandboxOf = (scope: ConsoleScope): readonly boolean[] => SANDBOX[scope];

/** A table `kind` with one row for live challenges, one for the sandbox's, or both; its column is `sandbox`. */
export const kindsOf = (scope: ConsoleScope): RawBuilder<unknown> =>
  sql`unnest(${sandboxOf(scope)}::boolean[]) as kind (sandbox)`;
