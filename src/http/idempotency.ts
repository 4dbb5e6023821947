// Idempotency-Key on POSTs that change something other than by creating a challenge (which keeps its answer in its own
// transaction): the first answer is kept sealed for 24 hours and replayed.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalJson } from '../base/canonical-json.ts';
import type { IdempotencyScope } from '../challenge/store.ts';
import { type FieldFault, PROBLEMS, type ProblemKind } from '../contract/problem.ts';
import type { KeyHolder } from '../keys/account-keys.ts';
import { callerOf } from './authentication.ts';
import type { HttpServices } from './services.ts';

/** What a route answers with: a status and its JSON body, or a problem. */
export type Answer =
  | { readonly status: number; readonly body: unknown }
  | { readonly problem: ProblemKind; readonly detail?: string; readonly errors?: readonly FieldFault[] };

const PURPOSE = 'idempotent-answer';

/** The Idempotency-Key of a request; its format was checked by the route's header schema. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' ? key : null;
}

/** Marks an answer as the replay of an earlier one. */
export function markReplayed(reply: FastifyReply): void {
  reply.header('idempotency-replayed', 'true');
}

/** Whose key seals a kept answer. */
type HolderOf = (accountId: string) => Promise<KeyHolder> | KeyHolder;

/**
 * Runs `work` once per Idempotency-Key and sends its answer; without a key it just runs. Answers that failed by the
 * service's own fault (thrown) are not kept.
 * @param holderOf an answer that tells of a challenge is sealed under the challenge's key; others under the account's
 */
export async function answerOnce(
  services: Pick<HttpServices, 'answers' | 'custody'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Answer>,
  holderOf: HolderOf = (accountId) => accountId,
): Promise<FastifyReply> {
  const key = idempotencyKeyOf(request);
  if (key === null) return send(reply, await work());
  const { accountId } = callerOf(request);
  const scope: IdempotencyScope = { accountId, path: pathOf(request), key };
  const body = Buffer.from(canonicalJson(request.body ?? null));
  const fingerprint = await services.custody.fingerprint(accountId, PURPOSE, body);
  const claim = await services.answers.claim(scope, fingerprint);
  if (claim.status === 'inFlight') return reply.problem('idempotency-in-flight', { retryAfterSeconds: 1 });
  if (claim.status === 'kept') {
    if (!claim.fingerprint.equals(fingerprint)) return reply.problem('idempotency-key-reused');
    const holder = await holderOf(accountId);
    const kept = await services.custody.open(holder, PURPOSE, claim.sealedResponse, labelOf(scope));
    markReplayed(reply);
    return send(reply, JSON.parse(kept.toString('utf8')) as Answer);
  }
  try {
    const answer = await work();
    const sealed = await services.custody.seal(
      await holderOf(accountId),
      PURPOSE,
      Buffer.from(JSON.stringify(answer)),
      labelOf(scope),
    );
    await services.answers.keep(
      scope,
      'status' in answer ? answer.status : PROBLEMS[answer.problem].status,
      sealed,
    );
    return send(reply, answer);
  } catch (error) {
    await services.answers.release(scope);
    throw error;
  }
}

/** The route's path with its parameters: one, however a caller percent-encodes it. Erasure finds answers by it. */
function pathOf(request: FastifyRequest): string {
  const params = request.params as Readonly<Record<string, string>>;
  return request.routeOptions.url!.replace(/:(\w+)/g, (_, name: string) => params[name]!);
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('problem' in answer) {
    const { problem, ...options } = answer;
    return reply.problem(problem, options);
  }
  reply.header('cache-control', 'no-store');
  return reply.code(answer.status).send(answer.body);
}

const labelOf = (scope: IdempotencyScope) => `${scope.path}\n${scope.key}`;
