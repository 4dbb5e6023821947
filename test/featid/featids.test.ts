import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeToken, fromBase62 } from '../../src/base/checked-token.ts';
import { newId } from '../../src/base/ids.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { createFeatids } from '../../src/featid/featids.ts';
import type { NewFeatidRow } from '../../src/featid/tables/keys.ts';
import { insertFeatid } from '../../src/featid/tables/keys.ts';
import { createFeatidStore } from '../../src/featid/tables/store.ts';
import { type AccountKeys, createAccountKeys } from '../../src/keys/account-keys.ts';
import { createAccounts } from '../../src/keys/accounts.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { SEAL_OVERHEAD_BYTES } from '../../src/keys/seal.ts';
import { createAccountStore } from '../../src/keys/tables/account-store.ts';
import { createApiKeyStore } from '../../src/keys/tables/api-key-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { changeOneCharacter } from '../support/tamper.ts';
import { faceTemplates } from './face-templates.ts';

const PACK = 'mobilefacenet-1';
const FORMAT = { prefix: 'lfid1_', partBytes: [16, 32] };
let database: TestDatabase;
let keys: AccountKeys;
let [alice, bob] = ['', ''];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  const accounts = createAccounts({
    accounts: createAccountStore(db),
    apiKeys: createApiKeyStore(db),
    masterKeys,
  });
  keys = createAccountKeys({ masterKeys, store: createAccountStore(db) });
  const make = async (name: string) => {
    const made = await accounts.create({ name }, 'operator');
    return made.status === 'created' ? made.accountId : '';
  };
  [alice, bob] = [await make('alice'), await make('bob')];
});
afterAll(() => database.drop());

const service = (options: { region?: string; usablePacks?: string[] } = {}) =>
  createFeatids({
    keys,
    store: createFeatidStore(database.db),
    region: 'au',
    usablePacks: [PACK],
    ...options,
  });
const [template] = fc.sample(faceTemplates(), { seed: 7, numRuns: 1 });

/** Creates a FeatureID and writes its row, as the completing transaction does. */
async function enrol(accountId = alice): Promise<string> {
  const { featid, row } = await service().create({ accountId, challengeId: null, template: template! });
  await insertRow(row);
  return featid;
}

const insertRow = (row: NewFeatidRow) => database.db.transaction().execute((trx) => insertFeatid(trx, row));

const codeOf = async (featid: string, accountId = alice, featids = service()) => {
  const [result] = await featids.check(accountId, [featid]);
  return result?.ok ? 'ok' : result?.code;
};

/** The same text with other parts and a valid checksum, as a forger would send it. */
function forge(featid: string, change: { id?: Buffer; key?: Buffer }): string {
  const parsed = parseFeatid(featid)!;
  const id = change.id ?? fromBase62(parsed.id, 16)!;
  return encodeToken(FORMAT, [id, change.key ?? parsed.key]);
}

describe('a FeatureID', () => {
  test('is a string of 77 characters that opens its template', async () => {
    const featid = await enrol();
    expect(featid).toMatch(/^lfid1_[0-9A-Za-z]{71}$/);
    const [opened] = await service().openAll(alice, [featid]);
    expect(opened).toMatchObject({ ok: true, template: { packId: PACK } });
  });

  test('is returned in the order asked, among valid and invalid ones, even if named twice', async () => {
    const [one, two] = [await enrol(), await enrol()];
    const results = await service().openAll(alice, [two, 'nonsense', one, two]);
    const ids = [two, one, two].map((featid) => parseFeatid(featid)!.id);
    expect(results.map((result) => (result.ok ? result.id : result.code))).toEqual([
      ids[0],
      'featid_invalid',
      ids[1],
      ids[2],
    ]);
  });

  test('with one character changed is always invalid', async () => {
    const featid = await enrol();
    await fc.assert(
      fc.asyncProperty(changeOneCharacter(featid), async (changed) => {
        expect(await codeOf(changed)).toBe('featid_invalid');
      }),
      { numRuns: 500 },
    );
  });

  test('of any other text is invalid', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 100 }), async (text) => {
        expect(await codeOf(text)).toBe('featid_invalid');
        expect(await codeOf(`lfid1_${text}`)).toBe('featid_invalid');
      }),
    );
    expect(await codeOf('lfid1_'.padEnd(1_000_000, 'A'))).toBe('featid_invalid');
    expect(await codeOf((await enrol()).replace('lfid1', 'lfid2'))).toBe('featid_invalid');
  });

  test('forged with a valid checksum is unknown, whichever part is wrong', async () => {
    const featid = await enrol();
    expect(forge(featid, {})).toBe(featid);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (bytes) => {
        expect(await codeOf(forge(featid, { key: Buffer.from(bytes) }))).toBe('featid_unknown');
        expect(await codeOf(forge(featid, { id: Buffer.from(bytes.subarray(16)) }))).toBe('featid_unknown');
      }),
      { numRuns: 30 },
    );
  });

  test('is unknown to another account and in another region', async () => {
    const featid = await enrol();
    expect(await codeOf(featid, bob)).toBe('featid_unknown');
    expect(await codeOf(featid, alice, service({ region: 'uk' }))).toBe('featid_unknown');
  });

  test('does not open when its row was altered or belongs to another', async () => {
    const [one, two] = [await enrol(), await enrol()];
    const idOf = (featid: string) => parseFeatid(featid)!.id;
    const read = (id: string) =>
      database.db.selectFrom('featid').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { sealed_template } = await read(idOf(two));
    const write = (change: object) =>
      database.db.updateTable('featid').set(change).where('id', '=', idOf(one)).execute();
    const before = await read(idOf(one));
    for (const change of [{ sealed_template }, { layout: 2 }, { pack: 'other' }, { account_id: bob }]) {
      await write(change);
      expect(await codeOf(one)).toBe('featid_unknown');
      expect(await codeOf(one, bob)).toBe('featid_unknown');
      await write(before);
    }
    expect(await codeOf(one)).toBe('ok');
  });

  test('of a pack that is no longer available is refused with a code of its own', async () => {
    const featid = await enrol();
    expect(await codeOf(featid, alice, service({ usablePacks: ['newer'] }))).toBe('featid_pack_retired');
  });

  test('leaves a tombstone without the template when revoked; a second revocation is refused', async () => {
    const featid = await enrol();
    const retired = service({ usablePacks: [] });
    expect(await retired.revoke(bob, featid, 'operator')).toEqual({ ok: false, code: 'featid_unknown' });
    expect(await retired.revoke(alice, featid, 'operator')).toEqual({ ok: true });
    expect(await codeOf(featid)).toBe('featid_revoked');
    expect(await retired.revoke(alice, featid, 'operator')).toEqual({ ok: false, code: 'featid_revoked' });
    // Guessing the key does not reveal that the FeatureID existed.
    expect(await codeOf(forge(featid, { key: randomBytes(32) }))).toBe('featid_unknown');
    expect(await codeOf(featid, bob)).toBe('featid_unknown');
    const { id } = parseFeatid(featid)!;
    const row = await database.db.selectFrom('featid').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row).toMatchObject({ sealed_template: null });
    const audit = database.db.selectFrom('audit').select('action').where('subject', '=', id);
    expect(await audit.execute()).toEqual([{ action: 'featid.revoked' }]);
  });

  test('of the sandbox can be named, revoked and unlocked, and is never compared with a face', async () => {
    const { featid, row } = await service().createForSandbox({ accountId: alice, challengeId: 'none' });
    await insertRow(row);
    expect(row.sealedTemplate.length).toBe(SEAL_OVERHEAD_BYTES);
    expect(await service().check(alice, [featid])).toEqual([
      { ok: true, id: row.id, source: 'liveness_video', pausedForSeconds: null },
    ]);
    expect(await service().openAll(alice, [featid])).toEqual([{ ok: false, code: 'featid_pack_retired' }]);
    expect(await service().unlock(alice, featid, 'test')).toEqual({ ok: true });
    expect(await service().revoke(alice, featid, 'test')).toEqual({ ok: true });
    expect(await service().check(alice, [featid])).toEqual([{ ok: false, code: 'featid_revoked' }]);
  });

  test('records its last use when it is compared, not when it is checked', async () => {
    const featid = await enrol();
    const { id } = parseFeatid(featid)!;
    const lastUse = async () =>
      (await database.db.selectFrom('featid').select('last_used_at').where('id', '=', id).executeTakeFirst())
        ?.last_used_at;
    await service().check(alice, [featid]);
    expect(await lastUse()).toBeNull();
    await service().openAll(alice, [featid]);
    // Only the day is kept: the time would identify the challenge, and so link the two FeatureIDs of a person.
    expect((await lastUse())?.toISOString()).toMatch(/T00:00:00\.000Z$/);
  });

  test('shares nothing with another one of the same face', async () => {
    const create = () =>
      service().create({ accountId: alice, challengeId: newId('challenge'), template: template! });
    const [one, two] = [await create(), await create()];
    expect(one.row.id).not.toBe(two.row.id);
    expect(one.row.sealedTemplate.equals(two.row.sealedTemplate)).toBe(false);
    expect(one.row.sealedTemplate.length).toBe(two.row.sealedTemplate.length);
  });
});
