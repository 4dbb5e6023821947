// Creates challenges that have just ended, each with its deliveries due: what a worker finds when it starts, or while
// it runs.
import { detailsOf } from '../src/challenge/seals.ts';
import type { Foundation } from '../src/composition/foundation.ts';
import { makeDeliveries } from '../src/webhook/endpoint.ts';
import { insertDeliveries } from '../src/webhook/tables/store.ts';
import { seedChallenges } from '../test/support/seed-challenges.ts';

const BATCH = 500;

/** Creates one expired challenge with one notification for each address. Returns the deliveries' ids, in order. */
export async function closeChallenges(
  { keys, database }: Pick<Foundation, 'keys' | 'database'>,
  accountId: string,
  endpointUrls: readonly string[],
): Promise<string[]> {
  const deliveryIds: string[] = [];
  for (let from = 0; from < endpointUrls.length; from += BATCH) {
    const urls = endpointUrls.slice(from, from + BATCH);
    const challenges = await seedChallenges(database.db, keys, accountId, urls.length);
    const ids = challenges.map(({ id }) => id);
    const closing = challenges.map((challenge, index) => ({
      challengeId: challenge.id,
      holder: detailsOf(challenge),
      event: 'expired' as const,
      notifications: [{ type: 'http' as const, properties: { endpoint_url: urls[index]! } }],
    }));
    const deliveries = (await Promise.all(closing.map((each) => makeDeliveries(keys, each)))).flat();
    await database.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('challenge')
        .set({ status: 'expired', closed_reason: 'expired', closed_at: new Date(), expires_at: new Date() })
        .where('id', 'in', ids)
        .execute();
      await trx
        .insertInto('challenge_event')
        .values(ids.map((challenge_id) => ({ challenge_id, name: 'challenge_expired' })) as never)
        .execute();
      await insertDeliveries(trx, deliveries);
    });
    deliveryIds.push(...deliveries.map(({ id }) => id));
  }
  return deliveryIds;
}
