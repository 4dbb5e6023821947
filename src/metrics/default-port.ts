// The port of the metrics, for those that name it without serving them.

/** Used if METRICS_PORT is not set: the default port of OpenTelemetry's Prometheus exporter. */
export const DEFAULT_METRICS_PORT = 9464;
