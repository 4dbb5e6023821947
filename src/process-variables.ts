// The variables of the configuration that say how processes start, what workers take on, how they share the
// database with others, and end.
import { Type } from 'typebox';

/** Part of the schema in config.ts. */
export const PROCESS_VARIABLES = {
  MIGRATIONS: Type.Enum(['apply', 'wait', 'refuse'], {
    default: 'apply',
    description:
      'apply: each process brings the database to its version at its start, one at a time. wait, refuse: it waits until `likeness migrate` has, or ends.',
  }),
  // 10 is node-postgres' own default.
  DATABASE_POOL_SIZE: Type.Integer({
    // Work that one process does at a time holds two of them, and the others are left something.
    minimum: 4,
    maximum: 1_000,
    default: 10,
    description:
      'Most connections of a process at DATABASE_URL. An API opens up to 4 more at DATABASE_DIRECT_URL, a worker 7, each process that starts 3 for a moment: all processes together have to stay below max_connections.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description:
      'Seconds after SIGTERM for which requests are still answered while /readyz says 503, so that a load balancer leaves first: longer than it takes to notice. Then requests under way are finished.',
  }),
  WORKER_PROCESSES: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description: 'Worker processes beside the API (ROLE=all).',
  }),
  WORKER_RECORDINGS: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 3,
    description:
      'Recordings that a worker process judges while they are made, each in some 50 MB; those beyond are judged after their end. `bench/follows.ts` counts how many a machine keeps up with.',
  }),
};
