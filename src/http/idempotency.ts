// Idempotency-Key on POSTs: the header, the request that it stands for, and how replays and refusals are told.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FieldFault, PROBLEMS, type ProblemKind } from '../contract/problem.ts';
import { callerOf } from './authentication.ts';
import { InvalidFields } from './field-faults.ts';
import { HttpProblem } from './problem-reply.ts';
import type { HttpServices } from './services.ts';

/** What a route answers with: a status and its JSON body, or a problem. */
export type Answer =
  | { readonly status: number; readonly body: unknown }
  | { readonly problem: ProblemKind; readonly detail?: string; readonly errors?: readonly FieldFault[] };

/** Format of the header. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]{1,255}$';
const FORMAT = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/**
 * The Idempotency-Key of a request; null without one. Of a body that its schema refuses, fastify has looked at no header.
 * @throws HttpProblem bad-request for one that is not well-formed
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
 * What the schema found in the body, in a route with `attachValidation`: a refusal is an answer, which a key replays.
 * @throws what it found in another part of the request
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

/** Says why a key has no answer. */
export function refuseKey(reply: FastifyReply, why: 'in_flight' | 'key_reused'): FastifyReply {
  return why === 'in_flight'
    ? reply.problem('idempotency-in-flight', { retryAfterSeconds: 1 })
    : reply.problem('idempotency-key-reused');
}

/**
 * Answers a POST whose work reaches beyond one transaction: works once for each Idempotency-Key, and replays the answer.
 * A route whose body has a schema needs `attachValidation`.
 * @param challengeId the challenge of which the answer tells; null where it tells of none
 */
export async function answerKeyed(
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

/** The route's path with its parameters: one, however a caller percent-encodes it. */
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
