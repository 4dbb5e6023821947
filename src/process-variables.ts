// The variables of the configuration that say how processes start, what workers take on, how they share the
// database with others, and end.
import { Type } from 'typebox';

/** Part of the schema in config.ts. */
export const PROCESS_VARIABLES = {
  MIGRATIONS: Type.Enum(['apply', 'wait', 'refuse'], {
    default: 'apply',
    description:
      'apply: each process migrates the database at its start, one at a time. wait: it waits until `likeness migrate` has done so; refuse: it ends.',
  }),
  // 10 is node-postgres' own default.
  DATABASE_POOL_SIZE: Type.Integer({
    // Work that one process does at a time holds two of them, and the others are left something.
    minimum: 4,
    maximum: 1_000,
    default: 10,
    description:
      'Most connections of one process to DATABASE_URL. An API opens up to 4 more to DATABASE_DIRECT_URL, a worker 7, and each process 3 for a moment at its start: all processes together have to stay below max_connections.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description:
      'Seconds after SIGTERM for which requests are still answered while /readyz says 503, so that a load balancer stops sending first: longer than it takes to notice. Then requests under way are finished.',
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
      'Recordings that a worker process judges while they are made, with some 50 MB each; further ones are judged after their end. `bench/follows.ts` measures how many a machine keeps up with.',
  }),
};
