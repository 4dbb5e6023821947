// Writes challenges straight into the database, many at a time, for tests and benchmarks of what follows creation.
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/base/ids.ts';
import type { SealedRequest } from '../../src/challenge/challenge.ts';
import { sealRequest } from '../../src/challenge/seals.ts';
import type { NewChallenge } from '../../src/challenge/tables/creation.ts';
import { insertChallenge } from '../../src/challenge/tables/creation.ts';
import { publicRequest } from '../../src/contract/challenge-request.ts';
import type { Custody } from '../../src/keys/account-keys.ts';
import { newErasureKey } from '../../src/keys/erasure-key.ts';
import type { Database } from '../../src/storage/postgres/database.ts';

/** A request for liveness and nothing else. */
export const PLAIN_REQUEST: SealedRequest = {
  customer_reference: null,
  flow: { exit_redirect_url: null, style: {} },
  compare_to_featids: [],
  notifications: { complete: [], expired: [] },
};

/** A new challenge as the service makes it, not written yet. */
async function someChallenge(
  custody: Custody,
  accountId: string,
  request: Partial<SealedRequest> = {},
): Promise<NewChallenge> {
  const place = {
    id: newId('challenge'),
    accountId,
    detailsKey: newErasureKey(),
    videoKey: newErasureKey(),
  };
  return {
    ...place,
    sandbox: false,
    request: publicRequest({ liveness_only: true, require_consent: false }, 'standard'),
    sealedRequest: await sealRequest(custody, place, { ...PLAIN_REQUEST, ...request }),
    referenceTag: null,
    linkHash: randomBytes(32),
    expiresInSeconds: 86_400,
    featidIds: [],
    actor: 'seed',
  };
}

/** Writes them in one transaction. */
export async function seedChallenges(
  db: Database,
  custody: Custody,
  accountId: string,
  count: number,
  request: Partial<SealedRequest> = {},
): Promise<NewChallenge[]> {
  const challenges = await Promise.all(
    Array.from({ length: count }, () => someChallenge(custody, accountId, request)),
  );
  await db.transaction().execute(async (trx) => {
    for (const challenge of challenges) await insertChallenge(trx, challenge);
  });
  return challenges;
}
