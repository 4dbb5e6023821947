// Limits how many requests of a kind are in progress at once, for kinds that hold a resource until they are answered.
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems/problem-reply.ts';

const RETRY_SECONDS = 1;

/** One limit that a request counts against. */
interface Bound {
  /** Key under which requests are counted. */
  readonly of: string;
  readonly most: number;
  /** The refusal: `rate-limited` if this sender has too many, `saturated` if the process has. */
  readonly kind: 'rate-limited' | 'saturated';
}

interface ConcurrencyLimit {
  /** What is counted, as the refusal's text names it: `uploads`. */
  readonly what: string;
  readonly boundsOf: (request: FastifyRequest) => readonly Bound[];
  /** Default: 1. */
  readonly retryAfterSeconds?: number;
}

/**
 * Counts requests against their bounds. The returned function takes a place for a request and returns a function that
 * releases it; call that one once.
 * @throws HttpProblem of the first bound that is full
 */
export function createConcurrencyLimit({
  what,
  boundsOf,
  retryAfterSeconds = RETRY_SECONDS,
}: ConcurrencyLimit) {
  const inFlight = new Map<string, number>();
  const change = (bounds: readonly Bound[], by: number) => {
    for (const { of } of bounds) {
      const count = (inFlight.get(of) ?? 0) + by;
      if (count > 0) inFlight.set(of, count);
      else inFlight.delete(of);
    }
  };
  return (request: FastifyRequest): (() => void) => {
    const bounds = boundsOf(request);
    const full = bounds.find(({ of, most }) => (inFlight.get(of) ?? 0) >= most);
    if (full) {
      const detail = `At most ${full.most} ${what} at a time.`;
      throw new HttpProblem(full.kind, { detail, retryAfterSeconds });
    }
    change(bounds, 1);
    return () => change(bounds, -1);
  };
}

/**
 * Counts each request of a scope from before its body is read until it is answered or aborted. For work that ends with
 * its connection.
 */
export function limitConcurrency(scope: FastifyInstance, limit: ConcurrencyLimit): void {
  const acquire = createConcurrencyLimit(limit);
  scope.addHook('onRequest', async (request, reply) => {
    finished(reply.raw, acquire(request));
  });
}
