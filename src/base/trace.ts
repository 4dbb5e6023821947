// Trace spans, reported on completion by the HTTP surface, judgements and deliveries; src/composition exports them.

/** A completed operation. It holds ids and stable codes only: no personal data, addresses or tokens. */
export interface Span {
  /** Low cardinality: a route pattern or a step, never an id. */
  readonly name: string;
  readonly kind: 'server' | 'consumer' | 'client';
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** W3C `traceparent` of the caller, if it sent one. */
  readonly traceparent?: string | undefined;
  /** Durations of the steps within, in order, in milliseconds. */
  readonly steps?: Readonly<Record<string, number>>;
}

/** Records a span; never throws or blocks. */
export type Trace = (span: Span) => void;
