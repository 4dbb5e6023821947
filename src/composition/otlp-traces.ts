// Sends traces by OTLP over HTTP to OTEL_EXPORTER_OTLP_ENDPOINT. Imported only if that is set, so that the SDK is not
// loaded otherwise. The SDK reads the other OTEL_* variables itself (headers, timeout, sampler, batch).
import {
  context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../base/log.ts';
import type { Span, Trace } from '../base/trace.ts';

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;
/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface Tracing {
  readonly trace: Trace;
  /** Sends pending spans. If the collector is unavailable, it waits for the timeout but does not fail. */
  close(): Promise<void>;
}

export function startTracing(about: { version: string; region: string; role: string }, log: Logger): Tracing {
  const warn = () => log.warn('traces could not be sent to the collector');
  listenToFailures(warn);
  const own = resourceFromAttributes({
    'service.name': 'likeness',
    'service.version': about.version,
    'likeness.region': about.region,
    'likeness.role': about.role,
  });
  const provider = new BasicTracerProvider({
    // The operator's OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('likeness', about.version);
  return {
    trace: (span) => {
      const startMs = span.startedAt.getTime();
      const parent = parentOf(span);
      const made = tracer.startSpan(
        span.name,
        { kind: KINDS[span.kind], startTime: startMs, attributes: span.attributes, root: parent === null },
        parent ?? context.active(),
      );
      if (span.failed) made.setStatus({ code: SpanStatusCode.ERROR });
      addSteps(made, span, startMs);
      made.end(startMs + span.durationMs);
    },
    close: () => provider.shutdown().catch(warn),
  };

  /**
   * Steps alternate frame by frame. They are laid end to end, so their durations are true but their positions are not.
   */
  function addSteps(of: OtelSpan, { steps = {} }: Span, startMs: number): void {
    let at = startMs;
    for (const [name, ms] of Object.entries(steps)) {
      const step = tracer.startSpan(name, { startTime: at }, trace.setSpan(context.active(), of));
      at += ms;
      step.end(at);
    }
  }
}

/**
 * Reports failures, which the SDK would swallow. Its own messages are dropped, as they contain addresses and headers.
 */
function listenToFailures(warn: () => void): void {
  const nothing = () => {};
  const logger = { error: warn, warn: nothing, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

function parentOf({ traceparent }: Span) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return null;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
}
