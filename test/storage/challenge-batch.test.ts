// Creations in groups on real PostgreSQL: a faulty row fails alone, keys count once, every row has its audit line.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import type { NewChallenge } from '../../src/challenge/store.ts';
import { newErasureKey } from '../../src/keys/erasure-key.ts';
import { createChallengeStore } from '../../src/storage/postgres/challenge-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
const accountId = newId('account');

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db
    .insertInto('account')
    .values({
      id: accountId,
      name: 'batch',
      display_name: 'Batch',
      wrapped_key: randomBytes(60),
      master_key_id: 'k',
    })
    .execute();
});
afterAll(() => database?.drop());

function newChallenge(changes: Partial<NewChallenge> = {}): NewChallenge {
  return {
    id: newId('challenge'),
    accountId,
    sandbox: false,
    livenessOnly: true,
    requireConsent: true,
    detailsKey: newErasureKey(),
    videoKey: newErasureKey(),
    sealedRequest: randomBytes(40),
    referenceTag: randomBytes(16),
    linkHash: randomBytes(32),
    expiresInSeconds: 900,
    featidIds: [],
    actor: 'key_test',
    ...changes,
  };
}

function once(key: string, answer = randomBytes(20)) {
  const scope = { accountId, path: '/v1/create-challenge', key };
  return { scope, fingerprint: randomBytes(32), status: 201, sealedResponse: answer };
}

describe('creations in groups', () => {
  test('a faulty row fails alone; its neighbours stand with their audit lines', async () => {
    const store = createChallengeStore(database.db, { assetRetentionDays: 30 });
    const given = Array.from({ length: 20 }, () => newChallenge());
    // Takes the link of the first, which is written alone before the group comes.
    given[7] = newChallenge({ linkHash: given[0]!.linkHash });
    given[9] = newChallenge({ actor: 'nul \u0000 byte' });
    const outcomes = await Promise.allSettled(given.map((each) => store.insert(each, null)));
    expect(outcomes.map((each) => each.status)).toEqual(
      given.map((_, at) => (at === 7 || at === 9 ? 'rejected' : 'fulfilled')),
    );
    const good = given.filter((_, at) => at !== 7 && at !== 9);
    const audited = await database.db
      .selectFrom('audit')
      .select('subject')
      .where('action', '=', 'challenge.created')
      .execute();
    expect(audited.map((row) => row.subject).sort()).toEqual(good.map((each) => each.id).sort());
    const found = await store.find(accountId, good[5]!.id);
    const { detailsKey, videoKey, sealedRequest } = good[5]!;
    expect(found).toMatchObject({ detailsKey, videoKey, sealedRequest, status: 'created' });
    expect(found!.expiresAt.getTime() - found!.createdAt.getTime()).toBe(900_000);
  });

  test('a key counts once, among neighbours, across processes, and beside requests without one', async () => {
    const stores = [1, 2].map(() => createChallengeStore(database.db, { assetRetentionDays: 30 }));
    const tries = Array.from({ length: 24 }, (_, at) => ({
      challenge: newChallenge(),
      kept: at % 3 === 0 ? null : once(at % 3 === 1 ? 'one' : 'two'),
    }));
    const outcomes = await Promise.all(
      tries.map(({ challenge, kept }, at) => stores[at % 2]!.insert(challenge, kept)),
    );
    expect(outcomes.filter((_, at) => at % 3 === 0).every((each) => each.status === 'created')).toBe(true);
    for (const rest of [1, 2]) {
      const same = outcomes.filter((_, at) => at % 3 === rest);
      expect(same.filter((each) => each.status === 'created')).toHaveLength(1);
      const answer = tries[outcomes.findIndex((each, at) => at % 3 === rest && each.status === 'created')]!;
      for (const each of same) {
        if (each.status === 'known') expect(each.kept.sealedResponse).toEqual(answer.kept!.sealedResponse);
        else expect(['created', 'inFlight']).toContain(each.status);
      }
    }
  });
});
