// A DATA_DIR of the version before erasure keys: everything in it stays readable, under keys of each challenge and each
// FeatureID. What was there in clear or only under the account's key is removed from its files.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createLogger } from '../../src/base/log.ts';
import { collectBytes, sizedBytes } from '../../src/base/sized-bytes.ts';
import { openFoundation } from '../../src/composition/foundation.ts';
import { composeServices } from '../../src/composition/services.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { createFeatids } from '../../src/featid/featids.ts';
import { maskTemplate } from '../../src/featid/template-mask.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { sealRecord } from '../../src/keys/seal.ts';
import { encryptFrames } from '../../src/storage/assets/framed-cipher.ts';
import { openBlobStore } from '../../src/storage/assets/open-blob-store.ts';
import { startEmbeddedPostgres } from '../../src/storage/embedded/server.ts';
import { someTemplate } from '../challenge/challenge-rig.ts';
import { migrateBefore } from '../support/old-database.ts';
import { filesWith } from '../support/secret-search.ts';

const log = createLogger({ level: 'silent', process: 'test' });
const masterKey = randomBytes(32);
const accountKey = randomBytes(32);
const accountId = newId('account');
const video = Buffer.from('a video of the older version');
const REFERENCE = 'ada of the older version';
let dataDir: string;
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let old: pg.Client;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-upgrade-'));
  await chmod(dataDir, 0o755);
  server = await startEmbeddedPostgres({ dataDir, log });
  await migrateBefore(server.connectionString, '0012');
  old = new pg.Client({ connectionString: server.connectionString });
  await old.connect();
  const { wrapped, masterKeyId } = await createMasterKeyRing([masterKey]).wrap(accountId, accountKey);
  await old.query(
    `insert into account (id, name, display_name, wrapped_key, master_key_id) values ($1, 'shop', 'Shop', $2, $3)`,
    [accountId, wrapped, masterKeyId],
  );
});
afterAll(async () => {
  await old?.end();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const open = () => {
  const environment = { DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64') };
  return openFoundation(readConfig(environment), log);
};
const seal = (purpose: string, value: unknown, place: string, key = accountKey) =>
  sealRecord(key, purpose, Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)), place);

const result = {
  liveness: { face: true, smile: true, spoof_result: true, overall: true },
  liveness_featid: null,
  compared: null,
  reasons: [],
  cues: {},
};

/** A completed challenge with a capture, a video, a delivery and an attempt, as the previous version wrote it. */
async function insertCompleted(
  key = accountKey,
  account = accountId,
): Promise<{ id: string; delivery: string }> {
  const [id, capture, asset, delivery] = [
    newId('challenge'),
    newId('capture'),
    newId('asset'),
    newId('delivery'),
  ];
  const consent = {
    given_at: '2026-01-31T09:30:00.123Z',
    text_version: '1',
    text_sha256: 'ab',
    language: 'de',
  };
  const endpoint = { type: 'https', properties: { endpoint_url: 'https://shop.example/hook' } };
  const request = { compare_to_featids: [], notifications: { complete: [endpoint], expired: [] } };
  await old.query(
    `insert into challenge (id, account_id, status, closed_reason, closed_at, customer_reference, liveness_only,
       require_consent, flow, sealed_request, link_hash, consent, overall_result, sealed_result, expires_at)
     values ($1, $2, 'completed', 'completed', now(), 'ada of the older version', true, true, $3, $4, $5, $6, 'pass', $7, now())`,
    [
      ...[id, account, { exit_redirect_url: 'https://shop.example/ada', style: {} }],
      ...[seal('challenge-request', request, id, key), randomBytes(32), consent],
      seal('challenge-result', result, id, key),
    ],
  );
  await old.query(
    `insert into capture (id, challenge_id, attempt, state, script, commit_deadline, sha256, hints)
     values ($1, $2, 1, 'judged', '{"steps": []}', now(), $3, $4)`,
    [capture, id, randomBytes(32), { focus_lost: true }],
  );
  const assetKey = randomBytes(32);
  await openBlobStore({ ASSET_STORE: 'disk', dataDir }).write(
    asset,
    encryptFrames(assetKey, sizedBytes(video)),
  );
  await old.query(
    `insert into asset (id, account_id, challenge_id, kind, mime_type, size_bytes, sealed_key)
     values ($1, $2, $3, 'liveness_video', 'video/webm', $4, $5)`,
    [asset, account, id, video.length, seal('asset-key', assetKey, asset, key)],
  );
  await old.query(
    `insert into delivery (id, account_id, challenge_id, event, endpoint_index, sealed_endpoint, endpoint_hash)
     values ($1, $2, $3, 'complete', 0, $4, $5)`,
    [delivery, account, id, seal('delivery-endpoint', endpoint, delivery, key), randomBytes(32)],
  );
  await old.query(
    `insert into delivery_attempt (delivery_id, at, duration_ms, outcome, sealed_excerpt)
     values ($1, now(), 5, 'http_status', $2)`,
    [delivery, seal('delivery-excerpt', Buffer.from('thanks, ada'), delivery, key)],
  );
  return { id, delivery };
}

/**
 * A FeatureID as the previous version wrote it: its template sealed only under the keys of the string and the account.
 */
async function insertFeatid(): Promise<{ featid: string; sealed: Buffer }> {
  const keys = createAccountKeys({
    masterKeys: createMasterKeyRing([masterKey]),
    store: { readWrappedKey: () => createMasterKeyRing([masterKey]).wrap(accountId, accountKey) },
  });
  const unused = { findMany: async () => [], recordUse: async () => {}, revoke: async () => false };
  const featids = createFeatids({
    ...{ keys, keyShredder: { shredNow: async () => {} }, region: 'au', usablePacks: [] },
    store: { ...unused, unlock: async () => {}, findRenewals: async () => [] },
  });
  const template = { ...someTemplate(), packId: 'sandbox' };
  const { featid, row } = await featids.create({ accountId, challengeId: null, template });
  const sealed = maskTemplate(row.erasureKey, row.sealedTemplate);
  await old.query(
    `insert into featid (id, account_id, pack, layout, sealed_template, key_check) values ($1, $2, $3, $4, $5, $6)`,
    [row.id, accountId, row.pack, row.layout, sealed, row.keyCheck],
  );
  return { featid, sealed };
}

const cluster = () => join(dataDir, 'postgres', 'cluster');

test('challenges of the previous version read as before, and are erased like new ones', async () => {
  const { id, delivery } = await insertCompleted();
  const { featid, sealed } = await insertFeatid();
  // The planner's statistics contain copies, too.
  await old.query('analyze');
  const needles = { reference: REFERENCE, template: sealed.subarray(60, 120) };
  expect(filesWith(cluster(), needles)).not.toEqual([]);
  // An account whose master key is missing here does not stop the others.
  const foreign = newId('account');
  await old.query(
    `insert into account (id, name, display_name, wrapped_key, master_key_id) values ($1, 'lost', 'Lost', $2, 'gone')`,
    [foreign, randomBytes(60)],
  );
  const lost = await insertCompleted(randomBytes(32), foreign);
  await old.query(`update challenge set customer_reference = 'lost' where id = $1`, [lost.id]);
  const foundation = await open();
  const services = composeServices(foundation);
  try {
    const caller = { accountId, actor: 'key_test', sandbox: false };
    const read = await services.challenges.read(caller, id);
    if (read.status !== 'ok') throw new Error(read.status);
    expect(read.result).toMatchObject({
      customer_reference: REFERENCE,
      consent_given_at: '2026-01-31T09:30:00.123Z',
      overall_result: 'pass',
      liveness_result: { face: true },
    });
    const { pathname, searchParams } = new URL(read.result.assets_links[0]!.presigned_url);
    const query = { expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
    const asset = await services.challenges.readAsset(pathname.split('/').at(-1)!, query);
    if (asset.status !== 'ok') throw new Error(asset.status);
    expect(await collectBytes(await asset.open())).toEqual(video);
    const deliveries = await services.deliveries.list(accountId, id);
    expect(deliveries).toMatchObject([
      {
        delivery_id: delivery,
        endpoint_url: 'https://shop.example/hook',
        attempts: [{ excerpt: 'thanks, ada' }],
      },
    ]);
    const found = await services.challenges.list(accountId, {
      customer_reference: REFERENCE,
    });
    expect(found).toMatchObject({ data: [{ challenge_id: id }], next_cursor: null });
    expect(await services.featids.check(accountId, [featid])).toMatchObject([{ ok: true }]);
    expect(filesWith(cluster(), needles)).toEqual([]);
    expect(await services.challenges.erase(caller, id)).toEqual({ status: 'erased' });
    expect(await services.challenges.read(caller, id)).toEqual({ status: 'not_found' });
  } finally {
    await services.close();
    await foundation.close();
  }
  const left = await old.query('select challenge_id from challenge_to_reseal');
  expect(left.rows).toEqual([{ challenge_id: lost.id }]);
});

test('a restart continues with what is left, and removes its tables when nothing is left', async () => {
  await old.query('delete from challenge where account_id <> $1', [accountId]);
  const foundation = await open();
  await foundation.close();
  const { rows } = await old.query(
    `select to_regclass('challenge_to_reseal') as challenges, to_regclass('featid_to_mask') as featids`,
  );
  expect(rows).toEqual([{ challenges: null, featids: null }]);
});
