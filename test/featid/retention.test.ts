// Retention since last use, tombstones, and the operator's report, on a real database.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { purgeTombstones, retireUnusedFeatids } from '../../src/featid/retention.ts';
import { insertFeatid } from '../../src/featid/tables/keys.ts';
import { createFeatidUpkeepStore } from '../../src/featid/tables/upkeep.ts';
import { createRig, type Rig, someTemplate } from '../challenge/challenge-rig.ts';
import { PACK } from '../support/foundation.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const retention = { unusedDays: 30, tombstoneDays: 90 };
const upkeep = () => createFeatidUpkeepStore(rig.database.db);
const idOf = (featid: string) => parseFeatid(featid)!.id;

async function enrol(packId = PACK): Promise<string> {
  const { accountId } = rig.caller;
  const made = await rig.featids.create({
    accountId,
    challengeId: null,
    template: { ...someTemplate(), packId },
  });
  await rig.database.db.transaction().execute((trx) => insertFeatid(trx, made.row));
  return made.featid;
}

async function age(featid: string, days: number): Promise<void> {
  await sql`update featid set created_at = created_at - ${days} * interval '1 day',
    last_used_at = last_used_at - ${days} * interval '1 day',
    revoked_at = revoked_at - ${days} * interval '1 day' where id = ${idOf(featid)}`.execute(rig.database.db);
}

async function codeOf(featid: string): Promise<string> {
  const [check] = await rig.featids.check(rig.caller.accountId, [featid]);
  return check!.ok ? 'ok' : check!.code;
}

test('erases FeatureIDs that have not been compared for long, and later their tombstones', async () => {
  const [unused, used, named, fresh] = [await enrol(), await enrol(), await enrol(), await enrol()];
  for (const featid of [unused, used, named]) await age(featid, 31);
  await rig.featids.openAll(rig.caller.accountId, [used]);
  const body = { liveness_only: false, compare_to_featids: [named], require_consent: false };
  const created = await rig.services.create(rig.caller, { body });

  expect(await retireUnusedFeatids(upkeep(), { ...retention, unusedDays: null })).toBe(0);
  expect(await retireUnusedFeatids(upkeep(), retention)).toBe(1);
  expect(await Promise.all([unused, used, named, fresh].map(codeOf))).toEqual([
    'featid_revoked',
    'ok',
    'ok',
    'ok',
  ]);
  const audit = rig.database.db
    .selectFrom('audit')
    .select(['actor', 'action'])
    .where('subject', '=', idOf(unused));
  expect(await audit.execute()).toEqual([{ actor: 'system', action: 'featid.retired' }]);

  if (created.status === 'created') await rig.services.cancel(rig.caller, created.response.challenge_id);
  expect(await retireUnusedFeatids(upkeep(), retention)).toBe(1);

  await age(unused, 91);
  expect(await purgeTombstones(upkeep(), retention)).toBe(1);
  expect(await Promise.all([unused, named, fresh].map(codeOf))).toEqual([
    'featid_unknown',
    'featid_revoked',
    'ok',
  ]);
});

test('a use counts until the end of its day', async () => {
  const featid = await enrol();
  await rig.featids.openAll(rig.caller.accountId, [featid]);
  await age(featid, 30);
  expect(await retireUnusedFeatids(upkeep(), retention)).toBe(0);
  await age(featid, 1.01);
  expect(await retireUnusedFeatids(upkeep(), retention)).toBe(1);
});

test('handles more than a batch, on two instances at once', async () => {
  const many = await Promise.all(Array.from({ length: 230 }, () => enrol()));
  for (const featid of many) await age(featid, 40);
  const done = await Promise.all([1, 2].map(() => retireUnusedFeatids(upkeep(), retention)));
  expect(done[0]! + done[1]!).toBe(230);
});

test('the report counts by pack, for one account or for all', async () => {
  const before = (await upkeep().countByPack()).find(({ pack }) => pack === PACK)!;
  const [one] = [await enrol('old-pack'), await enrol('old-pack'), await enrol()];
  await rig.featids.revoke(rig.caller.accountId, one!, 'operator');
  const report = await upkeep().countByPack(rig.caller.accountId);
  expect(report).toMatchObject([
    { pack: PACK, inForce: before.inForce + 1, lastUsedAt: expect.any(Date) },
    { pack: 'old-pack', inForce: 1, neverUsed: 1, tombstones: 1, lastUsedAt: null },
  ]);
  expect(await upkeep().countByPack(rig.stranger.accountId)).toEqual([]);
});
