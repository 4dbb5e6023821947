// What the client throws: a problem that the service answered with, or no answer at all.
import type { FieldFault, Problem, ProblemKind } from '../contract/problem.ts';

/** The service refused (RFC 9457 problem details). Switch on `kind`, and on `code` of each of `faults`. */
export class LikenessProblem extends Error {
  override readonly name = 'LikenessProblem';
  /** Last part of the problem's `type` URI. A later service may answer with kinds not listed here. */
  readonly kind: ProblemKind | (string & {});
  readonly status: number;
  readonly detail: string | undefined;
  /** Id of the request, for a support question: it is in the service's logs. */
  readonly requestId: string | undefined;
  /** Every fault of the body, each with the JSON Pointer of the faulty value. */
  readonly faults: readonly FieldFault[];
  /** Seconds to wait before another try, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Partial<Problem>, status: number, retryAfterSeconds?: number) {
    const faults = problem.errors ?? [];
    const list = faults.map((fault) => `${fault.pointer || 'body'} ${fault.detail}`).join('; ');
    super([problem.title ?? `HTTP ${status}`, problem.detail, list].filter(Boolean).join(': '));
    this.kind = problem.type?.split('/').at(-1) ?? 'unknown';
    this.status = status;
    this.detail = problem.detail;
    this.requestId = problem.instance;
    this.faults = faults;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer came: the address, the network or the time limit. `cause` says which. */
export class LikenessUnreachable extends Error {
  override readonly name = 'LikenessUnreachable';
}
