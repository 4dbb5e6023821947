import { randomBytes } from 'node:crypto';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { createReceiptKeys } from '../../src/keys/receipt-keys.ts';
import { rotateMaster } from '../../src/keys/rotate-master.ts';
import { createReceiptKeyStore } from '../../src/keys/tables/receipt-key-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deleteFrom('receipt_key').execute();
});

const master = randomBytes(32);
const HEADER = { alg: 'EdDSA', typ: 'test+jwt' };
const keysUnder = (...ring: (typeof master)[]) =>
  createReceiptKeys({ masterKeys: createMasterKeyRing(ring), store: createReceiptKeyStore(database.db) });
const kidOf = (jws: string) => decodeProtectedHeader(jws).kid;

it('creates one key at first use, however many ask at once, and signs identically each time', async () => {
  const processes = Array.from({ length: 6 }, () => keysUnder(master));
  const signed = await Promise.all(processes.map((keys) => keys.sign({ b: 1, a: 2 }, HEADER)));
  expect(new Set(signed).size).toBe(1);
  const keys = await keysUnder(master).published();
  expect(keys).toHaveLength(1);
  expect(JSON.stringify(keys)).not.toMatch(/"d"/);
  const { payload } = await compactVerify(signed[0]!, createLocalJWKSet({ keys: [...keys] }));
  expect(new TextDecoder().decode(payload)).toBe('{"a":2,"b":1}');
});

it('signs with the newest key after a rotation; older signatures stay valid until their key is removed', async () => {
  const keys = keysUnder(master);
  const old = await keys.sign({}, HEADER);
  const id = await keys.rotate('operator');
  const next = await keys.sign({}, HEADER);
  expect([kidOf(next), kidOf(old)]).toEqual((await keys.published()).map(({ kid }) => kid));
  expect(kidOf(next)).toBe(id);
  const verify = async (jws: string) =>
    compactVerify(jws, createLocalJWKSet({ keys: [...(await keys.published())] }));
  await verify(old);
  await verify(next);
  // The key that signs cannot be removed.
  expect(await keys.remove(id, 'operator')).toBe(false);
  expect(await keys.remove(kidOf(old)!, 'operator')).toBe(true);
  await expect(verify(old)).rejects.toThrow(/no applicable key/);
  await verify(next);
});

it('publishes no key that was forged in the database or copied from another row', async () => {
  const keys = keysUnder(master);
  await keys.sign({}, HEADER);
  const forged = await createMasterKeyRing([randomBytes(32)]).wrap('rck_forged', randomBytes(32));
  const [own] = await createReceiptKeyStore(database.db).list();
  const rows = [
    { id: 'rck_forged', wrapped_key: forged.wrapped, master_key_id: 'one' },
    { id: 'rck_moved', wrapped_key: own!.key.wrapped, master_key_id: 'one' },
    { id: 'rck_unknown', wrapped_key: forged.wrapped, master_key_id: 'another' },
  ].map((row) => ({ ...row, retired_at: new Date() }));
  await database.db.insertInto('receipt_key').values(rows).execute();
  expect((await keysUnder(master).published()).map(({ kid }) => kid)).toEqual([own!.id]);
});

it('is rewrapped by a rotation of the master key', async () => {
  const signed = await keysUnder(master).sign({}, HEADER);
  const next = randomBytes(32);
  const store = createReceiptKeyStore(database.db);
  const done = await rotateMaster({ masterKeys: createMasterKeyRing([next, master]), store }, 'operator');
  expect(done).toMatchObject({ rewrapped: 1, failed: [] });
  expect(await keysUnder(next).sign({}, HEADER)).toBe(signed);
});
