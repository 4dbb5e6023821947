// Idempotency-Key on POSTs: the header, the request that it identifies, and the answers for replays and refusals.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FieldFault, PROBLEMS, type ProblemKind } from '../../contract/problem.ts';
import { InvalidFields } from '../problems/field-faults.ts';
import { HttpProblem } from '../problems/problem-reply.ts';
import type { HttpServices } from '../services.ts';
import { callerOf } from './authentication.ts';

/** What a route answers with: a status and its JSON body, or a problem. */
export type Answer =
  | { readonly status: number; readonly body: unknown }
  | { readonly problem: ProblemKind; readonly detail?: string; readonly errors?: readonly FieldFault[] };

/** Format of the header. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]{1,255}$';
const FORMAT = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/**
 * The Idempotency-Key of a request; null without one. Checked here, because fastify validates no header of a request
 * whose body its schema has refused.
 * @throws HttpProblem bad-request if the key is malformed
 */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && FORMAT.test(key)) return key;
  throw new HttpProblem('bad-request', {
    detail: `Header idempotency-key must match ${IDEMPOTENCY_KEY_PATTERN}.`,
  });
}

/**
 * The faults that the schema found in the body, for routes with `attachValidation`. They are returned, not thrown,
 * because the refusal is an answer that a key replays.
 * @throws the validation error of any other part of the request
 */
export function schemaFaultsOf({ validationError: error }: FastifyRequest): readonly FieldFault[] {
  if (!error) return [];
  if (error instanceof InvalidFields && error.part === 'body') return error.faults;
  throw error;
}

/** Marks an answer as the replay of an earlier one. */
export function markReplayed(reply: FastifyReply): void {
  reply.header('idempotency-replayed', 'true');
}

/** Refuses a request whose key cannot be answered: it is in flight, or was used for a different request. */
export function refuseKey(reply: FastifyReply, why: 'in_flight' | 'key_reused'): FastifyReply {
  return why === 'in_flight'
    ? reply.problem('idempotency-in-flight', { retryAfterSeconds: 1 })
    : reply.problem('idempotency-key-reused');
}

/**
 * Answers a POST whose work spans more than one transaction: does the work once per Idempotency-Key and replays the
 * answer. A route whose body has a schema needs `attachValidation`.
 * @param challengeId the challenge that the answer is about; null if it is about none
 */
export async function answerIdempotently(
  services: Pick<HttpServices, 'idempotency'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Answer>,
  challengeId: string | null = null,
): Promise<FastifyReply> {
  const errors = schemaFaultsOf(request);
  const key = idempotencyKeyOf(request);
  const { accountId } = callerOf(request);
  const keyed = await services.idempotency.claimed<Answer>(
    key === null ? null : { accountId, path: pathOf(request), key, body: request.body },
    {
      run: async () => (errors.length > 0 ? { problem: 'validation-failed', errors } : work()),
      isFinal: (answer) => statusOf(answer) < 500,
      challengeId,
    },
  );
  if (keyed.status === 'in_flight' || keyed.status === 'key_reused') return refuseKey(reply, keyed.status);
  if (keyed.status === 'replay') markReplayed(reply);
  return send(reply, keyed.answer);
}

/** The route's path with its decoded parameters: the same, however a caller percent-encodes it. */
function pathOf(request: FastifyRequest): string {
  const params = request.params as Readonly<Record<string, string>>;
  return request.routeOptions.url!.replace(/:(\w+)/g, (_, name: string) => params[name]!);
}

const statusOf = (answer: Answer): number =>
  'status' in answer ? answer.status : PROBLEMS[answer.problem].status;

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('problem' in answer) {
    const { problem, ...options } = answer;
    return reply.problem(problem, options);
  }
  return reply.code(answer.status).send(answer.body);
}
