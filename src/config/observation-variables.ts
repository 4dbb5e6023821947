// The configuration variables for metrics and logs.
import { Type } from 'typebox';
import { LOG_FORMATS, LOG_LEVELS } from '../base/log.ts';

/** Part of the schema in config.ts. */
export const OBSERVATION_VARIABLES = {
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address to listen on at METRICS_PORT. Never a public one: metrics reveal why judgements fail.',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port of /metrics, /livez and /readyz of each process, for the operator; 0: none. Default: 9464 if it is free. With ROLE=all the parent shows its workers.',
    }),
  ),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], { default: 'info', description: 'Level of the logs on stderr.' }),
  LOG_FORMAT: Type.Enum([...LOG_FORMATS], {
    default: 'auto',
    description: 'Format of the logs: json, text, or auto (text at a terminal, otherwise json).',
  }),
};
