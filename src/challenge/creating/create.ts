// POST /v1/create-challenge: rules, secrets, one transaction. Answered only after the commit.
import { newId } from '../../base/ids.ts';
import { hashSecret, randomSecret } from '../../base/secrets.ts';
import {
  type CreateChallengeRequest,
  type CreateChallengeResponse,
  DEFAULT_EXPIRES_IN_SECONDS,
  publicRequest,
} from '../../contract/challenge-request.ts';
import type { FieldFault } from '../../contract/problem.ts';
import type { MakeRecord, TransactedWork } from '../../idempotency/idempotency.ts';
import type { KeyHolder } from '../../keys/account-keys.ts';
import { newErasureKey } from '../../keys/erasure-key.ts';
import type { ClientWords, SealedRequest } from '../challenge.ts';
import { settleByReference } from '../closing/sandbox.ts';
import type { ChallengeParts } from '../parts.ts';
import { detailsOf, sealRequest, tagOfReference } from '../seals.ts';
import type { Caller, CreateOutcome, CreateRefusal, CreateRequest } from '../services.ts';
import { SECRET_BYTES } from '../settings.ts';
import type { NewChallenge } from '../tables/creation.ts';
import { findReachedLimit } from './account-limits.ts';
import { checkRequest } from './request-rules.ts';

const PATH = '/v1/create-challenge';

/** What an idempotency record stores about a creation. */
type Answer = Created | CreateRefusal;

/**
 * Kept even after the challenge is erased, so that a late retry creates no second challenge. The link then leads
 * nowhere.
 */
interface Created {
  readonly status: 'created';
  readonly challenge_id: string;
  readonly challenge_url: string;
  readonly expires_in_seconds: number;
  /** Absent in a stored record, which has its own time. */
  readonly createdAt?: Date;
}

export async function createChallenge(
  parts: ChallengeParts,
  caller: Caller,
  request: CreateRequest,
): Promise<CreateOutcome> {
  const { accountId } = caller;
  const { body, idempotencyKey: key } = request;
  // What the rules say counts only if the answer can be recorded: a replay depends on no change to the FeatureIDs since.
  const keyed = await parts.idempotency.transacted<Answer>(
    key ? { accountId, path: PATH, key, body } : null,
    {
      isCostly: false,
      run: (makeRecord) => tryToCreate(parts, caller, request, makeRecord),
      bodyHolder: (answer) => bodyHolderOf(parts, accountId, answer),
    },
  );
  if (keyed.status === 'in_flight' || keyed.status === 'key_reused') return keyed;
  const { answer } = keyed;
  const replayed = keyed.status === 'replay';
  if (answer.status !== 'created') return { ...answer, replayed };
  if (caller.sandbox) await settleByReference(parts, accountId, answer.challenge_id);
  const createdAt = replayed ? keyed.recordedAt : answer.createdAt!;
  return { status: 'created', response: responseOf(answer, createdAt), replayed };
}

async function tryToCreate(
  parts: ChallengeParts,
  caller: Caller,
  { body, schemaFaults = [], words }: CreateRequest,
  makeRecord: MakeRecord<Answer> | null,
): Promise<TransactedWork<Answer>> {
  const checked = await checkRequest(parts, caller, body);
  // The schema and the rules may report the same fault.
  const named = new Set(schemaFaults.map(nameOf));
  const faults = [...schemaFaults, ...checked.faults.filter((fault) => !named.has(nameOf(fault)))];
  if (faults.length > 0) return refused({ status: 'invalid', faults });
  if (checked.pause) return refused({ status: 'paused', ...checked.pause });
  const reached = await findReachedLimit(parts, caller.accountId);
  if (reached) return refused({ status: 'limit_reached', ...reached });

  const linkToken = randomSecret(SECRET_BYTES);
  const challenge = await newChallenge(parts, caller, body, {
    linkToken,
    featidIds: checked.featidIds,
    ...(words && { words }),
  });
  const answer: Created = {
    status: 'created',
    challenge_id: challenge.id,
    challenge_url: `${parts.settings.baseUrl}/c/${linkToken}`,
    expires_in_seconds: challenge.expiresInSeconds,
  };
  const record = makeRecord && (await makeRecord(answer, detailsOf(challenge)));
  const outcome = await parts.store.insert(challenge, record);
  if (outcome.status === 'keyTaken') return { status: 'taken' };
  return { status: 'committed', answer: { ...answer, createdAt: outcome.createdAt } };
}

const refused = (answer: CreateRefusal): TransactedWork<Answer> => ({ status: 'refused', answer });

const nameOf = (fault: FieldFault): string => `${fault.code} ${fault.pointer}`;

/**
 * Whose key fingerprints the body. The body of a creation is about a person: once the challenge is erased, nobody may
 * find out what it was by guessing.
 */
async function bodyHolderOf(
  parts: ChallengeParts,
  accountId: string,
  answer: Answer,
): Promise<KeyHolder | null> {
  if (answer.status !== 'created') return accountId;
  const challenge = await parts.store.find(accountId, answer.challenge_id);
  return challenge && detailsOf(challenge);
}

/** Computes `expires_at` as the database does, from the same time. */
function responseOf(created: Created, createdAt: Date): CreateChallengeResponse {
  const { challenge_id, challenge_url, expires_in_seconds } = created;
  const expiresAt = new Date(createdAt.getTime() + expires_in_seconds * 1000);
  return { challenge_id, challenge_url, expires_at: expiresAt.toISOString() };
}

async function newChallenge(
  parts: ChallengeParts,
  caller: Caller,
  body: CreateChallengeRequest,
  made: {
    readonly linkToken: string;
    readonly featidIds: readonly string[];
    readonly words?: ClientWords;
  },
): Promise<NewChallenge> {
  const { accountId, sandbox, actor } = caller;
  const { customer_reference: reference } = body;
  const keys = { detailsKey: newErasureKey(), videoKey: newErasureKey() };
  const place = { id: newId('challenge'), accountId, ...keys };
  const [sealedRequest, referenceTag] = await Promise.all([
    sealRequest(parts.custody, place, requestOf(body, made.words)),
    reference === undefined ? null : tagOfReference(parts.custody, accountId, reference),
  ]);
  return {
    ...place,
    sandbox,
    actor,
    request: publicRequest(body, parts.settings.livenessLevel),
    sealedRequest,
    referenceTag,
    linkHash: hashSecret(made.linkToken),
    featidIds: [...new Set(made.featidIds)],
    expiresInSeconds: body.expires_in_seconds ?? DEFAULT_EXPIRES_IN_SECONDS,
  };
}

function requestOf(body: CreateChallengeRequest, words?: ClientWords): SealedRequest {
  return {
    customer_reference: body.customer_reference ?? null,
    flow: {
      exit_redirect_url: body.flow_behaviour?.exit_redirect_url ?? null,
      alternative_url: body.flow_behaviour?.alternative_url ?? null,
      style: body.flow_style ?? {},
      ...(words && { words }),
    },
    compare_to_featids: body.compare_to_featids ?? [],
    notifications: body.notifications ?? {},
  };
}
