// The configuration variables that control how processes start and end.
import { Type } from 'typebox';

/** Part of the schema in config.ts. */
export const PROCESS_VARIABLES = {
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
};
