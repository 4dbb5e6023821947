// Spans, reported when they have ended: by the HTTP surface, judgements and deliveries; src/composition exports them.

/** Something that took its time. Ids and stable codes only: nothing of a person, no address, no token. */
export interface Span {
  /** Low in number: a route pattern or a step, never an id. */
  readonly name: string;
  readonly kind: 'server' | 'consumer' | 'client';
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** W3C `traceparent` of the caller, where it sent one. */
  readonly traceparent?: string | undefined;
  /** Steps within, in order, in milliseconds. */
  readonly steps?: Readonly<Record<string, number>>;
}

/** Takes a span; never throws, never waits. */
export type Trace = (span: Span) => void;
