// FeatureIDs by the customer reference of the challenges that made them, for as long as those are kept.
import type { ConsoleFeatid } from '../contract/console.ts';
import type { Accounts } from '../keys/accounts.ts';
import type { ConsoleStore } from './tables/store.ts';

/** Newest first; revoked ones are tombstones. `tagsOf`: the reference's tags in these accounts. */
export async function findFeatids(
  parts: {
    readonly store: Pick<ConsoleStore, 'findTagged' | 'listMadeBy'>;
    readonly accounts: Pick<Accounts, 'list'>;
  },
  tags: readonly Buffer[],
): Promise<ConsoleFeatid[]> {
  const [accounts, challengeIds] = await Promise.all([parts.accounts.list(), parts.store.findTagged(tags)]);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return (await parts.store.listMadeBy(challengeIds)).map((made) => ({
    featid_id: made.id,
    account_id: made.accountId,
    account_name: names.get(made.accountId) ?? made.accountId,
    challenge_id: made.challengeId,
    created_at: made.createdAt.toISOString(),
    last_used_at: made.lastUsedAt?.toISOString() ?? null,
    revoked_at: made.revokedAt?.toISOString() ?? null,
  }));
}
