// The variables of the configuration that say what operators see of processes: metrics, traces, logs.
import { Type } from 'typebox';
import { LOG_FORMATS, LOG_LEVELS } from './base/log.ts';

/** Part of the schema in config.ts. */
export const OBSERVATION_VARIABLES = {
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address to listen on with METRICS_PORT. Never a public one: metrics tell why judgements fail.',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port of /metrics, /livez and /readyz of each process, for the operator; 0: none. Default 9464 where that is free. With ROLE=all the workers are shown by their parent.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      format: 'uri',
      pattern: '^https?://',
      description:
        'Collector that traces are sent to by OTLP over HTTP, as http://collector:4318; unset: no traces. The other OTEL_* variables of the OpenTelemetry SDK count beside it.',
    }),
  ),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], { default: 'info', description: 'Level of the logs on stderr.' }),
  LOG_FORMAT: Type.Enum([...LOG_FORMATS], {
    default: 'auto',
    description: 'Form of the logs: json, text, or auto: text at a terminal, else json.',
  }),
};
