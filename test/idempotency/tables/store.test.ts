// Idempotency records on real PostgreSQL: who gets a key, for how long, and what deletes a record.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdempotencyStore, insertRecord } from '../../../src/idempotency/tables/store.ts';
import { create, createRig, type Rig } from '../../challenge/challenge-rig.ts';

let rig: Rig;
let store: ReturnType<typeof createIdempotencyStore>;
beforeAll(async () => {
  rig = await createRig();
  store = createIdempotencyStore(rig.database.db);
});
afterAll(() => rig.close());

const MINUTE_MS = 60_000;
const fingerprint = Buffer.alloc(32, 1);
const scopeOf = (key: string, path = '/v1/webhooks/test') => ({ accountId: rig.caller.accountId, path, key });
const claimOf = (key: string, changes: { challengeId?: string; lifeMs?: number } = {}) => ({
  scope: scopeOf(key),
  fingerprint,
  challengeId: null,
  lifeMs: MINUTE_MS,
  ...changes,
});
const recordOf = (key: string, lifeMs = MINUTE_MS) => ({
  scope: scopeOf(key),
  fingerprint,
  sealedAnswer: Buffer.from(`sealed ${key}`),
  lifeMs,
});

describe('a claim', () => {
  it('is granted to one of two concurrent requests, and becomes the record that is found', async () => {
    const claims = await Promise.all([store.claim(claimOf('a')), store.claim(claimOf('a'))]);
    const [claim] = claims.filter((each) => each !== null);
    expect(claims.filter((each) => each === null)).toHaveLength(1);
    expect(await store.find(scopeOf('a'))).toMatchObject({ sealedAnswer: null });
    await store.complete(claim!, Buffer.from('sealed'), MINUTE_MS);
    expect(await store.find(scopeOf('a'))).toMatchObject({
      fingerprint,
      sealedAnswer: Buffer.from('sealed'),
      holder: rig.caller.accountId,
    });
    expect(await store.claim(claimOf('a'))).toBeNull();
  });

  it('frees its key when it is released, or its process has died', async () => {
    const first = (await store.claim(claimOf('b')))!;
    await store.release(first);
    // Expires at once: nobody will complete it.
    const dead = (await store.claim(claimOf('b', { lifeMs: 0 })))!;
    expect(await store.find(scopeOf('b'))).toBeNull();
    const living = (await store.claim(claimOf('b')))!;
    // The dead process's late calls neither overwrite nor release the claim of another.
    await store.complete(dead, Buffer.from('late'), MINUTE_MS);
    await store.release(dead);
    expect(await store.find(scopeOf('b'))).toMatchObject({ sealedAnswer: null });
    await store.complete(living, Buffer.from('in time'), MINUTE_MS);
    expect(await store.find(scopeOf('b'))).toMatchObject({ sealedAnswer: Buffer.from('in time') });
  });

  it("of a challenge is sealed under its key and erased with it; another account's challenge gives none", async () => {
    const { accountId, actor } = rig.caller;
    const { challengeId } = await create(rig);
    const { detailsKey } = (await rig.parts.store.find(accountId, challengeId))!;
    const claim = (await store.claim(claimOf('c', { challengeId })))!;
    expect(claim.holder).toEqual({ accountId, erasureKey: detailsKey });
    const theirs = { ...claimOf('c', { challengeId }), scope: { ...scopeOf('c'), ...rig.stranger } };
    expect((await store.claim(theirs))!.holder).toBe(rig.stranger.accountId);
    await rig.parts.store.erase(accountId, challengeId, actor);
    expect(await store.find(scopeOf('c'))).toBeNull();
    await store.complete(claim, Buffer.from('of nobody'), MINUTE_MS);
    expect(await store.find(scopeOf('c'))).toBeNull();
    expect(await store.find(theirs.scope)).not.toBeNull();
  });

  it('waits for an erasure in progress, and then finds no challenge', async () => {
    const { challengeId } = await create(rig);
    const erasing = await rig.database.db.startTransaction().execute();
    await erasing.deleteFrom('challenge').where('id', '=', challengeId).execute();
    const claiming = store.claim(claimOf('d', { challengeId }));
    await erasing.commit().execute();
    expect((await claiming)!.holder).toBe(rig.caller.accountId);
  });
});

describe('a record', () => {
  it('exists once its transaction commits; until then its key is taken, and nobody waits for it', async () => {
    const { db } = rig.database;
    const hold = await db.startTransaction().execute();
    expect(await insertRecord(hold, recordOf('x'))).toBe(true);
    expect(await store.find(scopeOf('x'))).toBeNull();
    expect(await store.insert(recordOf('x'))).toBe(false);
    await hold.rollback().execute();
    expect(await store.find(scopeOf('x'))).toBeNull();
    expect(await store.insert(recordOf('x'))).toBe(true);
    expect(await store.insert(recordOf('x'))).toBe(false);
  });

  it('counts for its account and path only', async () => {
    expect(await store.insert(recordOf('here'))).toBe(true);
    const elsewhere = [
      { ...scopeOf('here'), accountId: rig.stranger.accountId },
      { ...scopeOf('here'), path: '/v1/featids/revoke' },
      scopeOf('HERE'),
    ];
    for (const scope of elsewhere) {
      expect(await store.find(scope)).toBeNull();
      expect(await store.insert({ ...recordOf('here'), scope })).toBe(true);
    }
  });

  it('is forgotten when it expires, before and after the sweep deletes it', async () => {
    await store.insert(recordOf('old', 0));
    await store.insert(recordOf('young'));
    expect(await store.find(scopeOf('old'))).toBeNull();
    expect(await store.insert(recordOf('old', 0))).toBe(true);
    expect(await store.deleteExpired()).toBeGreaterThan(0);
    const left = await rig.database.db.selectFrom('idempotency_record').select('key').execute();
    expect(left.map(({ key }) => key)).toContain('young');
    expect(left.map(({ key }) => key)).not.toContain('old');
  });
});

describe('a look-up', () => {
  it('finds its own record, by key, path and account, or none', async () => {
    for (const key of ['x', 'y']) await store.insert(recordOf(key));
    await store.insert({
      ...recordOf('x'),
      scope: scopeOf('x', '/other'),
      sealedAnswer: Buffer.from('other path'),
    });
    const theirs = { ...scopeOf('y'), accountId: rig.stranger.accountId };
    await store.insert({ ...recordOf('y'), scope: theirs, sealedAnswer: Buffer.from('of a stranger') });
    const scopes = [
      scopeOf('x'),
      scopeOf('none'),
      scopeOf('y'),
      theirs,
      scopeOf('x', '/other'),
      scopeOf('x'),
    ];
    const found = await Promise.all([...scopes, ...scopes].map((scope) => store.find(scope)));
    const answers = ['sealed x', undefined, 'sealed y', 'of a stranger', 'other path', 'sealed x'];
    expect(found.map((record) => record?.sealedAnswer?.toString())).toEqual([...answers, ...answers]);
    expect(found[3]!.holder).toBe(rig.stranger.accountId);
  });
});
