// A database of the version before erasure keys: everything in it stays readable, under keys of each challenge's own.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createLogger } from '../../src/base/log.ts';
import { openFoundation } from '../../src/composition/foundation.ts';
import { composeServices } from '../../src/composition/services.ts';
import { readConfig } from '../../src/config.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { sealRecord } from '../../src/keys/seal.ts';
import { encryptFrames } from '../../src/storage/assets/framed-cipher.ts';
import { openBlobStore } from '../../src/storage/assets/open-blob-store.ts';
import { createOldDatabase, type OldDatabase } from '../support/old-database.ts';
import { findSecrets } from '../support/secret-search.ts';

const log = createLogger({ level: 'silent', process: 'test' });
const masterKey = randomBytes(32);
const accountKey = randomBytes(32);
const accountId = newId('account');
const video = Buffer.from('a video of the older version');
let old: OldDatabase;
let dataDir: string;

beforeAll(async () => {
  old = await createOldDatabase('0012');
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-upgrade-'));
  const { wrapped, masterKeyId } = await createMasterKeyRing([masterKey]).wrap(accountId, accountKey);
  await old.client.query(
    `insert into account (id, name, display_name, wrapped_key, master_key_id) values ($1, 'shop', 'Shop', $2, $3)`,
    [accountId, wrapped, masterKeyId],
  );
});
afterAll(async () => {
  await old?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const open = () => {
  const environment = { DATABASE_URL: old.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64') };
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

/** A completed challenge with a capture, a video, a delivery and an attempt, as the version before wrote it. */
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
  await old.client.query(
    `insert into challenge (id, account_id, status, closed_reason, closed_at, customer_reference, liveness_only,
       require_consent, flow, sealed_request, link_hash, consent, overall_result, sealed_result, expires_at)
     values ($1, $2, 'completed', 'completed', now(), 'ada of the older version', true, true, $3, $4, $5, $6, 'pass', $7, now())`,
    [
      ...[id, account, { exit_redirect_url: 'https://shop.example/ada', style: {} }],
      ...[seal('challenge-request', request, id, key), randomBytes(32), consent],
      seal('challenge-result', result, id, key),
    ],
  );
  await old.client.query(
    `insert into capture (id, challenge_id, attempt, state, script, commit_deadline, sha256, hints)
     values ($1, $2, 1, 'judged', '{"steps": []}', now(), $3, $4)`,
    [capture, id, randomBytes(32), { focus_lost: true }],
  );
  const assetKey = randomBytes(32);
  await openBlobStore({ ASSET_STORE: 'disk', dataDir }).write(asset, encryptFrames(assetKey, video));
  await old.client.query(
    `insert into asset (id, account_id, challenge_id, kind, mime_type, size_bytes, sealed_key)
     values ($1, $2, $3, 'liveness_video', 'video/webm', $4, $5)`,
    [asset, account, id, video.length, seal('asset-key', assetKey, asset, key)],
  );
  await old.client.query(
    `insert into delivery (id, account_id, challenge_id, event, endpoint_index, sealed_endpoint, endpoint_hash)
     values ($1, $2, $3, 'complete', 0, $4, $5)`,
    [delivery, account, id, seal('delivery-endpoint', endpoint, delivery, key), randomBytes(32)],
  );
  await old.client.query(
    `insert into delivery_attempt (delivery_id, at, duration_ms, outcome, sealed_excerpt)
     values ($1, now(), 5, 'http_status', $2)`,
    [delivery, seal('delivery-excerpt', Buffer.from('thanks, ada'), delivery, key)],
  );
  return { id, delivery };
}

test('challenges of the version before are read as they were, and erased as new ones are', async () => {
  const { id, delivery } = await insertCompleted();
  // An account whose master key is not held here does not stop the others.
  const foreign = newId('account');
  await old.client.query(
    `insert into account (id, name, display_name, wrapped_key, master_key_id) values ($1, 'lost', 'Lost', $2, 'gone')`,
    [foreign, randomBytes(60)],
  );
  const lost = await insertCompleted(randomBytes(32), foreign);
  const foundation = await open();
  const services = composeServices(foundation);
  try {
    const caller = { accountId, actor: 'key_test', sandbox: false };
    const read = await services.challenges.read(caller, id);
    if (read.status !== 'ok') throw new Error(read.status);
    expect(read.result).toMatchObject({
      customer_reference: 'ada of the older version',
      consent_given_at: '2026-01-31T09:30:00.123Z',
      overall_result: 'pass',
      liveness_result: { face: true },
    });
    const { pathname, searchParams } = new URL(read.result.assets_links[0]!.presigned_url);
    const query = { expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
    const asset = await services.challenges.readAsset(pathname.split('/').at(-1)!, query);
    expect(asset.status === 'ok' && asset.bytes).toEqual(video);
    const deliveries = await services.deliveries.list(accountId, id);
    expect(deliveries).toMatchObject([
      {
        delivery_id: delivery,
        endpoint_url: 'https://shop.example/hook',
        attempts: [{ excerpt: 'thanks, ada' }],
      },
    ]);
    const found = await services.challenges.list(accountId, {
      customer_reference: 'ada of the older version',
    });
    expect(found).toMatchObject({ data: [{ challenge_id: id }], next_cursor: null });
    expect(await services.challenges.erase(caller, id)).toEqual({ status: 'erased' });
    expect(await services.challenges.read(caller, id)).toEqual({ status: 'not_found' });
  } finally {
    await services.close();
    await foundation.close();
  }
  const left = await old.client.query('select challenge_id from challenge_to_reseal');
  expect(left.rows).toEqual([{ challenge_id: lost.id }]);
});

test('started again it goes on with what is left, and clears up when nothing is', async () => {
  await old.client.query('delete from challenge where account_id <> $1', [accountId]);
  const foundation = await open();
  await foundation.close();
  const { rows } = await old.client.query(`select to_regclass('challenge_to_reseal') as rest`);
  expect(rows).toEqual([{ rest: null }]);
  const dump = await old.client.query(`select string_agg(s::text, ' ') as text from pg_stats s`);
  expect(findSecrets(Buffer.from(dump.rows[0].text), { reference: 'ada of the older' })).toEqual([]);
});
