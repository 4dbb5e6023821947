// What one account may use up. A creation is refused at the first limit that is reached, because the client can act on
// it then, and not later, when the person is asked for a video.
import type { ProblemKind } from '../../contract/problem.ts';
import type { ChallengeParts } from '../parts.ts';

interface AccountLimit {
  /** When it may no longer be reached. */
  readonly retryAfterSeconds: number;
  readonly isReached: (parts: ChallengeParts, accountId: string) => Promise<boolean>;
}

/** In the order in which they are checked; each by the problem that tells the client. */
const LIMITS = {
  'storage-quota': {
    // Retention deletes a few times a minute.
    retryAfterSeconds: 60,
    isReached: async ({ room }, accountId) => (await room.refusal(accountId)) === 'account_full',
  },
} as const satisfies Partial<Record<ProblemKind, AccountLimit>>;

type LimitKind = keyof typeof LIMITS;

export const ACCOUNT_LIMITS = Object.keys(LIMITS) as LimitKind[];

/** A limit that this account has reached; null if there is none. */
export async function findReachedLimit(
  parts: ChallengeParts,
  accountId: string,
): Promise<{ readonly limit: LimitKind; readonly retryAfterSeconds: number } | null> {
  for (const limit of ACCOUNT_LIMITS) {
    const { retryAfterSeconds, isReached } = LIMITS[limit];
    if (await isReached(parts, accountId)) return { limit, retryAfterSeconds };
  }
  return null;
}
