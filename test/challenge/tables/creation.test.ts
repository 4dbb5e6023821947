// Creations on real PostgreSQL: written whole or not at all, each with its audit line, once for a key.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { NewChallenge } from '../../../src/challenge/tables/creation.ts';
import { createChallengeStore } from '../../../src/challenge/tables/store.ts';
import { publicRequest } from '../../../src/contract/challenge-request.ts';
import { newErasureKey } from '../../../src/keys/erasure-key.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

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
    request: publicRequest({ liveness_only: true, require_consent: true }, 'standard'),
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

function recordOf(key: string) {
  const scope = { accountId, path: '/v1/create-challenge', key };
  return { scope, fingerprint: randomBytes(32), sealedAnswer: randomBytes(20), lifeMs: 60_000 };
}

describe('concurrent creations', () => {
  test('are each written with their keys and audit line, or not at all', async () => {
    const store = createChallengeStore(database.db, { assetRetentionDays: 30, replayWindowDays: 7 });
    const given = Array.from({ length: 20 }, () => newChallenge());
    // Uses the link of another challenge: one of the two is refused.
    given[7] = newChallenge({ linkHash: given[0]!.linkHash });
    given[9] = newChallenge({ actor: 'nul \u0000 byte' });
    const outcomes = await Promise.allSettled(given.map((each) => store.insert(each, null)));
    const good = given.filter((_, at) => outcomes[at]!.status === 'fulfilled');
    expect(good).toHaveLength(18);
    expect(good.includes(given[0]!)).not.toBe(good.includes(given[7]!));
    expect(good).not.toContain(given[9]);
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

  test('count once for a key, across processes, and next to requests without one', async () => {
    const stores = [1, 2].map(() =>
      createChallengeStore(database.db, { assetRetentionDays: 30, replayWindowDays: 7 }),
    );
    const tries = Array.from({ length: 24 }, (_, at) => ({
      challenge: newChallenge(),
      record: at % 3 === 0 ? null : recordOf(at % 3 === 1 ? 'one' : 'two'),
    }));
    const outcomes = await Promise.all(
      tries.map(({ challenge, record }, at) => stores[at % 2]!.insert(challenge, record)),
    );
    const made = await database.db.selectFrom('challenge').select('id').execute();
    const records = await database.db.selectFrom('idempotency_record').selectAll().execute();
    for (const [at, { challenge, record }] of tries.entries()) {
      const isCreated = outcomes[at]!.status === 'created';
      expect(made.some(({ id }) => id === challenge.id)).toBe(isCreated);
      if (!record) expect(isCreated).toBe(true);
      else if (isCreated) {
        const kept = records.filter(({ key }) => key === record.scope.key);
        expect(kept.map((row) => row.sealed_answer)).toEqual([record.sealedAnswer]);
      }
    }
    expect(records).toHaveLength(2);
  });
});
