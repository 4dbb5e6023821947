// The configuration variables for metrics and logs.
import { Type } from 'typebox';
import { LOG_LEVELS } from '../base/log.ts';
import { DEFAULT_METRICS_PORT } from '../metrics/default-port.ts';

/** Part of the schema in config.ts. */
export const OBSERVATION_VARIABLES = {
  OPERATOR_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address to listen on at METRICS_PORT and CONSOLE_PORT. Never a public one: metrics reveal why judgements fail.',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: `Port of /metrics, /livez and /readyz of each process, for the operator; 0: none. Default: ${DEFAULT_METRICS_PORT} if it is free. With ROLE=all the parent shows its workers.`,
    }),
  ),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], { default: 'info', description: 'Level of the logs on stderr.' }),
};
