// The configuration variables that control how processes start and end, what workers take on, and how processes share
// the database.
import { Type } from 'typebox';

/** Part of the schema in config.ts. */
export const PROCESS_VARIABLES = {
  MIGRATIONS: Type.Enum(['apply', 'wait', 'refuse'], {
    default: 'apply',
    description:
      'apply: each process migrates the database at its start, one at a time. wait: it waits until `likeness migrate` has done so; refuse: it exits.',
  }),
  // 10 is node-postgres' own default.
  DATABASE_POOL_SIZE: Type.Integer({
    // The work that one process does at a time holds two connections; the rest is for other work.
    minimum: 4,
    maximum: 1_000,
    default: 10,
    description:
      'Maximum number of connections of one process to DATABASE_URL. An API opens up to 4 more to DATABASE_DIRECT_URL, a worker 7, and each process 3 for a moment at its start: all processes together must stay below max_connections.',
  }),
  SHUTDOWN_DELAY_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description:
      'Seconds after SIGTERM for which requests are still answered while /readyz is 503, so that a load balancer stops sending requests first. Set it longer than the balancer takes to notice. Then requests in progress are finished.',
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
      'Recordings that a worker process judges while they are being made, some 50 MB each; others are judged after their end. `bench/follows.ts` measures how many a machine can keep up with.',
  }),
};
