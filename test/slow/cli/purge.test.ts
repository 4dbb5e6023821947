// `likeness purge` on a real database and a real folder: deletes what is past its retention and keeps everything else.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { recordingsOf } from '../../../src/challenge/seals.ts';
import { purgeCommand } from '../../../src/cli/purge.ts';
import { composeServices } from '../../../src/composition/services.ts';
import { withFoundation } from '../../../src/composition/with-foundation.ts';
import { createDeployment, runCommand, type TestDeployment } from '../../support/command-line.ts';

let deployment: TestDeployment;

beforeAll(async () => {
  deployment = await createDeployment();
});
afterAll(async () => {
  await deployment?.remove();
});

/** A challenge closed `daysAgo` days ago, with a video. */
async function closedChallenge(daysAgo: number): Promise<string> {
  return withFoundation(async (foundation) => {
    await foundation.accounts.create({ name: 'shop' }, 'test');
    const { id: accountId } = (await foundation.accounts.findByName('shop'))!;
    const services = composeServices(foundation);
    const caller = { accountId, actor: 'test', sandbox: false };
    const made = await services.challenges.create(caller, { body: { liveness_only: true } });
    if (made.status !== 'created') throw new Error(made.status);
    const challengeId = made.response.challenge_id;
    const assetId = newId('asset');
    const stored = await services.challengeParts.assets.put({
      holder: recordingsOf((await services.challengeParts.store.find(accountId, challengeId))!),
      assetId,
      bytes: Buffer.from('video'),
    });
    const at = sql<Date>`now() - make_interval(days => ${daysAgo})`;
    await deployment.database.db
      .insertInto('asset')
      .values({
        id: assetId,
        account_id: accountId,
        challenge_id: challengeId,
        kind: 'liveness_video',
        mime_type: 'video/webm',
        size_bytes: 5,
        sealed_key: stored.sealedKey,
        delete_after: sql<Date>`${at} + interval '30 days'`,
      })
      .execute();
    await deployment.database.db
      .updateTable('challenge')
      .set({ status: 'expired', closed_reason: 'expired', closed_at: at })
      .where('id', '=', challengeId)
      .execute();
    await services.close();
    return challengeId;
  });
}

const run = async (): Promise<Record<string, number>> =>
  JSON.parse(await runCommand([purgeCommand()], ['purge', '--json']));

test('deletes what is past its retention, and nothing else', async () => {
  await closedChallenge(100);
  const withoutVideo = await closedChallenge(40);
  const whole = await closedChallenge(1);
  const files = async () =>
    (await readdir(join(deployment.dataDir, 'assets'), { recursive: true, withFileTypes: true })).filter(
      // The folder also contains the mark of the asset store.
      (entry) => entry.isFile() && !entry.name.startsWith('.'),
    ).length;
  expect(await files()).toBe(3);
  expect(await run()).toMatchObject({ purge_results: 1, delete_assets: 2 });
  const left = await deployment.database.db.selectFrom('challenge').select('id').orderBy('id').execute();
  expect(left.map(({ id }) => id)).toEqual([withoutVideo, whole].sort());
  expect(await files()).toBe(1);
  expect(await run()).toMatchObject({ purge_results: 0, delete_assets: 0 });
});

test('deletes test deliveries and webhook secrets past their retention', async () => {
  const { db } = deployment.database;
  const configuration = { type: 'http', properties: { endpoint_url: 'http://127.0.0.1:9/' } } as const;
  await withFoundation(async (foundation) => {
    await foundation.accounts.create({ name: 'tests its endpoint' }, 'test');
    const { id: accountId } = (await foundation.accounts.findByName('tests its endpoint'))!;
    await foundation.webhookSecrets.rotate(accountId, 0, 'test');
    const services = composeServices(foundation);
    await services.deliveries.sendTest(accountId, configuration, 'test');
    await services.close();
  });
  expect(await run()).toMatchObject({ purge_test_deliveries: 0, purge_ended_webhook_secrets: 1 });
  const finishedAt = sql<Date>`now() - interval '91 days'`;
  await db.updateTable('delivery').set({ finished_at: finishedAt }).execute();
  expect(await run()).toMatchObject({ purge_test_deliveries: 1, purge_ended_webhook_secrets: 0 });
  expect(await db.selectFrom('delivery').select('id').execute()).toEqual([]);
});

/** A FeatureID that was created, and perhaps revoked, this many days ago. */
async function featid(id: string, madeDaysAgo: number, revokedDaysAgo: number | null): Promise<void> {
  const ago = (days: number) => sql<Date>`now() - make_interval(days => ${days})`;
  const { db } = deployment.database;
  const account = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('featid')
    .values({
      id,
      account_id: account.id,
      source: 'image',
      pack: 'p',
      layout: 1,
      created_at: ago(madeDaysAgo),
      key_check: Buffer.alloc(16),
      sealed_template: revokedDaysAgo === null ? Buffer.from('sealed') : null,
      revoked_at: revokedDaysAgo === null ? null : ago(revokedDaysAgo),
    })
    .execute();
}

test('turns FeatureIDs that have not been compared for long into tombstones, and deletes old tombstones', async () => {
  await withFoundation(({ accounts }) => accounts.create({ name: 'keeps featids' }, 'test'));
  await featid('fresh', 9, null);
  await featid('unused', 11, null);
  await featid('tombstone', 400, 364);
  await featid('forgotten', 400, 366);
  const kept = () =>
    deployment.database.db.selectFrom('featid').select(['id', 'sealed_template']).orderBy('id').execute();
  expect(await run()).toMatchObject({ retire_featids: 0, purge_tombstones: 1 });
  vi.stubEnv('FEATID_RETENTION_DAYS', '10');
  expect(await run()).toMatchObject({ retire_featids: 1, purge_tombstones: 0 });
  expect(await kept()).toEqual([
    { id: 'fresh', sealed_template: Buffer.from('sealed') },
    { id: 'tombstone', sealed_template: null },
    { id: 'unused', sealed_template: null },
  ]);
});
