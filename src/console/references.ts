// What is kept of a person, by the customer reference that accounts gave to the person's challenges: found for as long as
// those are kept, and erased.
import { Fault } from '../base/errors.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import { tagOfReference } from '../challenge/seals.ts';
import type { ChallengeServices } from '../challenge/services.ts';
import type { ConsoleReference, ErasedOfReference } from '../contract/console.ts';
import type { Accounts } from '../keys/accounts.ts';
import type { ConsoleStore } from './tables/store.ts';

/** Challenges erased in one call: few enough that a page can say how far it is, and goes on where a call broke off. */
const ERASED_AT_ONCE = 20;

interface Parts {
  readonly store: Pick<ConsoleStore, 'listTagged' | 'listMadeBy'>;
  readonly accounts: Pick<Accounts, 'list' | 'find'>;
  readonly challenge: Pick<ChallengeParts, 'custody'>;
  readonly eraseChallenge: ChallengeServices['erase'];
}

/** A reference's tags in all accounts. */
export async function tagsOf(
  { accounts, challenge }: Pick<Parts, 'accounts' | 'challenge'>,
  reference: string,
): Promise<Buffer[]> {
  const all = await accounts.list();
  const tags = await Promise.allSettled(
    all.map(({ id }) => tagOfReference(challenge.custody, id, reference)),
  );
  return tags.flatMap((tag) => {
    if (tag.status === 'fulfilled') return [tag.value];
    // Without its account's key, a reference finds nothing there, whoever asks.
    if (tag.reason instanceof Fault && tag.reason.code === 'KEY_UNKNOWN') return [];
    throw tag.reason;
  });
}

/** FeatureIDs newest first; revoked ones are tombstones. */
export async function findOfReference(parts: Parts, reference: string): Promise<ConsoleReference> {
  const tags = await tagsOf(parts, reference);
  const [accounts, tagged] = await Promise.all([parts.accounts.list(), parts.store.listTagged(tags)]);
  const made = await parts.store.listMadeBy(tagged.map(({ id }) => id));
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const counts = new Map<string, number>();
  for (const { accountId } of tagged) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  const accountOf = (id: string) => ({ account_id: id, account_name: names.get(id) ?? id });
  return {
    data: made.map((featid) => ({
      featid_id: featid.id,
      ...accountOf(featid.accountId),
      challenge_id: featid.challengeId,
      created_at: featid.createdAt.toISOString(),
      last_used_at: featid.lastUsedAt?.toISOString() ?? null,
      revoked_at: featid.revokedAt?.toISOString() ?? null,
    })),
    accounts: [...counts].map(([id, challenges]) => ({ ...accountOf(id), challenges })),
  };
}

/**
 * Erases the first of the account's challenges with exactly this reference, each as DELETE /v1/challenges/{id} does.
 * @param actor id of the session
 * @returns null if there is no such account
 */
export async function eraseOfReference(
  { store, accounts, challenge, eraseChallenge }: Parts,
  { accountId, reference }: { readonly accountId: string; readonly reference: string },
  actor: string,
): Promise<ErasedOfReference | null> {
  const account = await accounts.find(accountId);
  if (!account) return null;
  const all = await store.listTagged([await tagOfReference(challenge.custody, accountId, reference)]);
  const now = all.slice(0, ERASED_AT_ONCE);
  const caller = { accountId, actor, sandbox: account.sandboxOf !== null };
  let erased = 0;
  // One after another: the API shares these connections.
  for (const { id } of now) {
    const { status } = await eraseChallenge(caller, id);
    if (status === 'erased') erased += 1;
  }
  return { erased, left: all.length - now.length };
}
