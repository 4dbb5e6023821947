// The client's errors: the service answered with a problem, or did not answer at all.
import type { FieldFault, ProblemKind } from '../contract/problem.ts';

/** The service refused (RFC 9457 problem details). Switch on `kind`, and on the `code` of each fault in `faults`. */
export class LikenessProblem extends Error {
  override readonly name = 'LikenessProblem';
  /** Last part of the problem's `type` URI. A later service may answer with kinds not listed here. */
  readonly kind: ProblemKind | (string & {});
  readonly status: number;
  readonly detail: string | undefined;
  /** Id of the request, to quote in support questions: it is in the service's logs. */
  readonly requestId: string | undefined;
  /** Every fault of the request, each with the JSON Pointer of the faulty value. */
  readonly faults: readonly FieldFault[];
  /** Seconds to wait before another attempt, if the service says so. */
  readonly retryAfterSeconds: number | undefined;

  /** @param body as parsed; a proxy's own errors may have any form */
  constructor(
    body: unknown,
    status: number,
    about: { readonly requestId?: string | null; readonly retryAfterSeconds?: number | undefined } = {},
  ) {
    const problem = isRecord(body) ? body : {};
    const [type, title, detail, instance] = ['type', 'title', 'detail', 'instance'].map((name) =>
      typeof problem[name] === 'string' ? problem[name] : undefined,
    );
    const faults = (Array.isArray(problem.errors) ? problem.errors : []).filter(isFault);
    const list = faults.map((fault) => `${fault.pointer || 'body'} ${fault.detail}`).join('; ');
    super([title ?? `HTTP ${status}`, detail, list].filter(Boolean).join(': '));
    this.kind = type?.split('/').at(-1) || 'unknown';
    this.status = status;
    this.detail = detail;
    this.requestId = instance ?? about.requestId ?? undefined;
    this.faults = faults;
    this.retryAfterSeconds = about.retryAfterSeconds;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isFault(value: unknown): value is FieldFault {
  return isRecord(value) && ['pointer', 'code', 'detail'].every((name) => typeof value[name] === 'string');
}

/**
 * No answer of the service came, because of the address, the network or the time limit (`cause` says which), or because
 * something else answered in its place.
 */
export class LikenessUnreachable extends Error {
  override readonly name = 'LikenessUnreachable';
}
