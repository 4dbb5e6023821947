// Reading, listing, cancelling and erasing challenges for the API, and the payloads of their webhooks.
import { idPattern } from '../../contract/field-types.ts';
import type { ChallengeSummary } from '../../contract/result.ts';
import type { ListedChallenge } from '../challenge.ts';
import { isClosed } from '../lifecycle.ts';
import type { ChallengeParts } from '../parts.ts';
import { openRequest, tagOfReference } from '../seals.ts';
import type {
  Caller,
  CancelOutcome,
  ChallengeServices,
  EraseOutcome,
  ListOutcome,
  ListQuery,
  ReadOutcome,
} from '../services.ts';
import type { ListPosition } from '../tables/lists.ts';
import { buildResult, composeResult } from './result.ts';

const DEFAULT_LIMIT = 20;

export async function readChallenge(
  parts: ChallengeParts,
  { accountId, actor }: Caller,
  challengeId: string,
): Promise<ReadOutcome> {
  const challenge = await parts.store.find(accountId, challengeId);
  if (!challenge) return { status: 'not_found' };
  const result = await buildResult(parts, challenge);
  // Only completed challenges: polling an open one reveals nothing about a person.
  if (challenge.status === 'completed') {
    await parts.store.auditRead({ actor, action: 'challenge.read', accountId, subject: challengeId });
  }
  return { status: 'ok', result };
}

/** The payloads of notifications, in order; `gone` once the challenge is erased. */
export async function readPayloads(
  parts: ChallengeParts,
  asked: readonly { accountId: string; challengeId: string }[],
): ReturnType<ChallengeServices['payloads']> {
  const found = await parts.store.findWithDetails([...new Set(asked.map(({ challengeId }) => challengeId))]);
  const byId = new Map(found.map((each) => [each.challenge.id, each]));
  return Promise.all(
    asked.map(async ({ accountId, challengeId }) => {
      const known = byId.get(challengeId);
      if (known?.challenge.accountId !== accountId) return { status: 'gone' } as const;
      return { status: 'ready', result: await composeResult(parts, known.challenge, known) } as const;
    }),
  );
}

export async function listChallenges(
  parts: ChallengeParts,
  { accountId, actor }: Caller,
  query: ListQuery,
): Promise<ListOutcome> {
  const before = query.cursor === undefined ? null : readCursor(query.cursor);
  if (query.cursor !== undefined && before === null) return { status: 'invalid_cursor' };
  const limit = query.limit ?? DEFAULT_LIMIT;
  const { customer_reference: reference } = query;
  const { data, next } = await parts.store.list(accountId, {
    limit,
    ...(query.status && { status: query.status }),
    ...(reference !== undefined && {
      referenceTag: await tagOfReference(parts.custody, accountId, reference),
    }),
    ...(query.created_after && { createdAfter: new Date(query.created_after) }),
    ...(query.created_before && { createdBefore: new Date(query.created_before) }),
    ...(before && { before }),
  });
  // Names of filters, never their values, and the ids that it shows, as for a list of the console.
  const detail = { filters: Object.keys(query), shown: data.map(({ id }) => id) };
  await parts.store.auditRead({ actor, action: 'challenges.listed', accountId, subject: null, detail });
  return {
    status: 'ok',
    data: await Promise.all(data.map((row) => summaryOf(parts, row))),
    next_cursor: next && cursorOf(next),
  };
}

async function summaryOf(
  parts: Pick<ChallengeParts, 'custody'>,
  row: ListedChallenge,
): Promise<ChallengeSummary> {
  const { customer_reference } = await openRequest(parts.custody, row);
  return {
    challenge_id: row.id,
    customer_reference,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    status: row.status,
    closed_reason: row.closedReason,
    liveness_only: row.request.liveness_only,
    overall_result: row.overallResult,
    ...(row.sandbox && { sandbox: true as const }),
  };
}

export async function cancelChallenge(
  parts: ChallengeParts,
  caller: Caller,
  challengeId: string,
): Promise<CancelOutcome> {
  const found = await parts.store.find(caller.accountId, challengeId);
  if (!found) return { status: 'not_found' };
  if (!isClosed(found.status)) {
    const audit = { actor: caller.actor, action: 'challenge.cancelled' };
    await parts.store.apply({ challengeId, action: 'cancel', audit });
  }
  // Read again: it may have been closed in another way meanwhile. Cancelling twice equals cancelling once.
  const challenge = await parts.store.find(caller.accountId, challengeId);
  if (!challenge) return { status: 'not_found' };
  if (challenge.status !== 'cancelled') return { status: 'conflict', current: challenge.status };
  return { status: 'ok', result: await buildResult(parts, challenge) };
}

/**
 * Deletes the rows and keys first: from then on the challenge is erased, its links do not work and nothing can be read.
 * Then the assets. The sweeps delete those that a crash or a fault leaves behind, and get the keys off the disk.
 */
export async function eraseChallenge(
  parts: ChallengeParts,
  caller: Caller,
  challengeId: string,
): Promise<EraseOutcome> {
  const erased = await parts.store.erase(caller.accountId, challengeId, caller.actor);
  if (!erased) return { status: 'not_found' };
  const deletions = await Promise.allSettled(erased.assetIds.map((id) => parts.assets.delete(id)));
  const faults = deletions.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (faults.length > 0) {
    const err = new AggregateError(faults, `${faults.length} assets cannot be deleted`);
    parts.log.error({ err, challengeId }, 'assets of an erased challenge are left for the sweep to delete');
  }
  return { status: 'erased' };
}

const cursorOf = ({ createdAt, id }: ListPosition): string =>
  Buffer.from(`${createdAt} ${id}`).toString('base64url');

const CHALLENGE_ID = new RegExp(idPattern('ch'));

function readCursor(cursor: string): ListPosition | null {
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ', 2);
  // PostgreSQL would reject a date that does not exist.
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(createdAt) && isDate(createdAt);
  return isTime && CHALLENGE_ID.test(id) ? { createdAt, id } : null;
}

/** Whether the time exists: a parser may read 30 February as 1 March, and PostgreSQL has no year 0. */
function isDate(text: string): boolean {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() === 0) return false;
  return date.toISOString().slice(0, 19) === text.slice(0, 19);
}
