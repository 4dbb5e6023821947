// What can be read of a completed challenge's assets, and that nothing of the challenge is left when it is erased or
// its retention ends.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectBytes } from '../../src/base/sized-bytes.ts';
import {
  deleteDueAssets,
  deleteOrphanAssets,
  finishStrandedUploads,
  purgeOldResults,
} from '../../src/challenge/closing/retention.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { createFeatidUpkeepStore } from '../../src/featid/tables/upkeep.ts';
import { keyBucket, newErasureKey } from '../../src/keys/erasure-key.ts';
import { oneAtATime } from '../../src/storage/postgres/coordination/one-at-a-time.ts';
import { createDeliveryStore } from '../../src/webhook/tables/store.ts';
import { dumpDatabase, findSecrets, readFiles } from '../support/secret-search.ts';
import {
  commit,
  countAssets,
  createRig,
  createStarted,
  deliveriesOf,
  judgementOf,
  notifications,
  type Opened,
  type Rig,
  resultOf,
  settle,
  someVideo,
  submit,
} from './challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const someHolder = () => ({ accountId: rig.caller.accountId, erasureKey: newErasureKey() });

/** What the audit log says of a challenge, oldest first. */
function auditOf(challengeId: string): Promise<{ actor: string; action: string }[]> {
  const lines = rig.database.db.selectFrom('audit').select(['actor', 'action']);
  return lines.where('subject', '=', challengeId).orderBy('id').execute();
}

describe('asset links', () => {
  it('open only their own asset, without a key; they expire, and end with an erasure', async () => {
    const opened = await createStarted(rig);
    const video = someVideo();
    await settle(rig, await submit(rig, opened.link, video), judgementOf());
    const [video_link, frame_link] = (await resultOf(rig, opened)).assets_links;
    const open = (url: string) => {
      const { pathname, searchParams } = new URL(url);
      const query = { expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
      return { id: pathname.split('/').at(-1)!, query };
    };
    const link = open(video_link!.presigned_url);
    expect(video_link!.presigned_url).toMatch(/^https:\/\/likeness\.test\/assets\/links\/ast_/);
    expect(video_link!.presigned_url_valid_until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    const read = await rig.services.readAsset(link.id, link.query);
    if (read.status !== 'ok') throw new Error(read.status);
    expect(read).toMatchObject({ mimeType: 'video/webm', sizeBytes: video.length });
    expect((await collectBytes(await read.open())).equals(video)).toBe(true);
    const other = open(frame_link!.presigned_url);
    const notFound = { status: 'not_found' };
    expect(await rig.services.readAsset(other.id, link.query)).toEqual(notFound);
    expect(
      await rig.services.readAsset(link.id, { ...link.query, expires: `${link.query.expires}0` }),
    ).toEqual(notFound);
    expect(await rig.services.readAsset(link.id, { ...link.query, signature: '' })).toEqual(notFound);
    const later = rig.with({ clock: { now: () => new Date(Date.now() + 3601_000) } });
    expect(await later.readAsset(link.id, link.query)).toEqual({ status: 'expired' });
    await rig.services.erase(rig.caller, opened.challengeId);
    expect(await rig.services.readAsset(link.id, link.query)).toEqual(notFound);
    // Once, because the refused reads read nothing.
    const reads = (await auditOf(opened.challengeId)).filter(
      ({ action }) => action === 'liveness_video.read',
    );
    expect(reads).toEqual([{ actor: 'link', action: 'liveness_video.read' }]);
  });
});

/** What is stored of a judged challenge: columns of the tables, and its files on the disk. */
async function bytesOf({ challengeId }: Opened): Promise<Record<string, string | Buffer>> {
  const { db } = rig.database;
  const challenge = db.selectFrom('challenge').selectAll().where('id', '=', challengeId);
  const { sealed_request, sealed_result, link_hash } = await challenge.executeTakeFirstOrThrow();
  const assets = await db.selectFrom('asset').selectAll().where('challenge_id', '=', challengeId).execute();
  const keys = await db
    .selectFrom('erasure_key')
    .selectAll()
    .where('id', '=', challengeId)
    .executeTakeFirstOrThrow();
  const rest = await db
    .selectFrom('capture as c')
    .innerJoin('delivery as d', 'd.challenge_id', 'c.challenge_id')
    .innerJoin('featid as f', 'f.challenge_id', 'c.challenge_id')
    .select(['d.sealed_endpoint', 'f.sealed_template'])
    .where('c.challenge_id', '=', challengeId)
    .executeTakeFirstOrThrow();
  const files = await Promise.all(
    assets.map(async ({ id, kind }) => [`file of ${kind}`, (await readFile(fileOf(id))).subarray(0, 256)]),
  );
  return {
    ...Object.fromEntries(files),
    ...Object.fromEntries(assets.map(({ kind, sealed_key }) => [`key of ${kind}`, sealed_key])),
    'details key': keys.key,
    'video key': keys.video_key!,
    ...(keys.reference_tag && { 'reference tag': keys.reference_tag }),
    request: sealed_request!,
    result: sealed_result!,
    link: link_hash,
    endpoint: rest.sealed_endpoint,
    template: rest.sealed_template!,
  };
}

/** Names of the values that are still in some table or file. */
async function foundOf(bytes: Record<string, string | Buffer>): Promise<string[]> {
  const dump = Buffer.from(await dumpDatabase(rig.database.connectionString));
  return [dump, ...readFiles(rig.folder, [])].flatMap((each) => findSecrets(each, bytes));
}

const fileOf = (assetId: string) =>
  readdirSync(rig.folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(assetId))
    .map((path) => join(rig.folder, path))[0]!;

describe('erasure and retention', () => {
  it('deletes video, frame, result, FeatureID and deliveries at once; an audit row remains', async () => {
    const before = await countAssets(rig);
    const opened = await createStarted(rig, { notifications, customer_reference: 'a reference to erase' });
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const featid = (await resultOf(rig, opened)).liveness_result!.liveness_featid!;
    const { challengeId } = opened;
    expect(await rig.services.erase(rig.stranger, challengeId)).toEqual({ status: 'not_found' });
    const bytes = await bytesOf(opened);
    expect((await foundOf(bytes)).sort()).toEqual(Object.keys(bytes).sort());
    expect(await rig.services.erase(rig.caller, challengeId)).toEqual({ status: 'erased' });
    expect(await foundOf(bytes)).toEqual([]);
    expect(await countAssets(rig)).toBe(before);
    expect(await rig.services.read(rig.caller, challengeId)).toEqual({ status: 'not_found' });
    expect(await deliveriesOf(rig, opened)).toEqual([]);
    const code = (await rig.featids.check(rig.caller.accountId, [featid]))[0];
    expect(code).toEqual({ ok: false, code: 'featid_revoked' });
    expect(await rig.services.erase(rig.caller, challengeId)).toEqual({ status: 'not_found' });
    expect(await auditOf(challengeId)).toEqual([
      { actor: rig.caller.actor, action: 'challenge.created' },
      { actor: rig.caller.actor, action: 'challenge.read' },
      { actor: rig.caller.actor, action: 'challenge.erased' },
    ]);
  });

  it('leaves ids and codes in the audit log, and nothing that identifies the person', async () => {
    const reference = 'jane.doe@example.org';
    const opened = await createStarted(rig, { notifications, customer_reference: reference });
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const featid = (await resultOf(rig, opened)).liveness_result!.liveness_featid!;
    expect(await rig.services.erase(rig.caller, opened.challengeId)).toEqual({ status: 'erased' });
    const lines = await rig.database.db.selectFrom('audit').selectAll().execute();
    expect(lines.some(({ subject }) => subject === opened.challengeId)).toBe(true);
    const isIdOrCode = /^([a-z]+_[0-9a-z]{26}|[a-z_]+(\.[a-z_]+)?|[0-9A-Za-z_-]{16,40})$/;
    for (const { id: _, at: __, detail, ...texts } of lines) {
      const told = [...Object.values(texts), ...Object.values(detail ?? {}).flat()];
      for (const text of told) if (text !== null) expect(String(text)).toMatch(isIdOrCode);
    }
    const found = findSecrets(Buffer.from(JSON.stringify(lines)), { reference, featid });
    expect(found).toEqual([]);
  });

  it('reports erased while the asset store is unavailable: the keys are gone, and the sweep deletes the bytes', async () => {
    const opened = await createStarted(rig);
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const { challengeId } = opened;
    const { db } = rig.database;
    const assets = db.selectFrom('asset').select(['id', 'sealed_key', 'deleting']).orderBy('id');
    const ids = (await assets.where('challenge_id', '=', challengeId).execute()).map(({ id }) => id);
    const lines: string[] = [];
    const away = rig.with({
      assets: { ...rig.parts.assets, delete: () => Promise.reject(new Error('ECONNREFUSED')) },
      log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    });
    expect(await away.erase(rig.caller, challengeId)).toEqual({ status: 'erased' });
    expect(lines.map((line) => JSON.parse(line).challengeId)).toEqual([challengeId]);
    const left = await assets.where('id', 'in', ids).execute();
    expect(left).toEqual(ids.map((id) => ({ id, sealed_key: Buffer.alloc(0), deleting: true })));
    const stored = () => ids.filter((id) => fileOf(id) !== undefined);
    expect(stored()).toEqual(ids);
    await deleteDueAssets(rig.sweep, rig.parts.assets);
    expect(stored()).toEqual([]);
    expect(await assets.where('id', 'in', ids).execute()).toEqual([]);
  });

  it('answers once it is committed, and leaves the key’s bytes to whoever has the turn to rewrite them', async () => {
    const { challengeId } = await createStarted(rig);
    const { db } = rig.database;
    await db.deleteFrom('key_erasure').execute();
    const keys = db.selectFrom('erasure_key').select('id').where('id', '=', challengeId);
    expect(await keys.execute()).toHaveLength(1);
    await oneAtATime(db, 'rewrite keys', async () => {
      const erasing = rig.services.erase(rig.caller, challengeId);
      expect(await Promise.race([erasing, delay(20_000)])).toEqual({ status: 'erased' });
      expect(await keys.execute()).toEqual([]);
      expect(await isDue(challengeId)).toBe(true);
    });
  });

  it('purges results and keeps FeatureIDs, which can be erased afterwards', async () => {
    const opened = await createStarted(rig, { notifications });
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const featid = (await resultOf(rig, opened)).liveness_result!.liveness_featid!;
    const { db } = rig.database;
    await db
      .updateTable('delivery')
      .set({ status: 'delivered', next_attempt_at: null })
      .where('challenge_id', '=', opened.challengeId)
      .execute();
    await backdate(opened, '90 days - 1 minute');
    expect(await purgeOldResults(rig.sweep, 90)).toBe(0);
    await backdate(opened, '2 minutes');
    const { template, ...bytes } = await bytesOf(opened);
    expect(await purgeOldResults(rig.sweep, 90)).toBe(1);
    await deleteDueAssets(rig.sweep, rig.parts.assets);
    expect(await foundOf({ ...bytes, template: template! })).toEqual(['template']);
    expect(await rig.services.read(rig.caller, opened.challengeId)).toEqual({
      status: 'not_found',
    });
    expect(await rig.featids.check(rig.caller.accountId, [featid])).toEqual([
      { ok: true, id: expect.any(String), source: 'liveness_video', pausedForSeconds: null },
    ]);
    expect(await rig.services.erase(rig.caller, opened.challengeId)).toEqual({ status: 'erased' });
    expect((await rig.featids.check(rig.caller.accountId, [featid]))[0]).toEqual({
      ok: false,
      code: 'featid_revoked',
    });
  });

  it('hastens, on request, the removal of what retention leaves on the disk for ten minutes', async () => {
    const opened = await createStarted(rig);
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const { challengeId } = opened;
    const featid = (await resultOf(rig, opened)).liveness_result!.liveness_featid!;
    const { db } = rig.database;
    const { id } = parseFeatid(featid)!;
    await sql`update featid set created_at = now() - interval '40 days' where id = ${id}`.execute(db);
    await db.deleteFrom('key_erasure').execute();
    expect(await createFeatidUpkeepStore(db).retire(30, 100)).toBe(1);
    expect(await isDue(id)).toBe(false);
    expect(await rig.services.erase(rig.caller, challengeId)).toEqual({ status: 'erased' });
    expect(await isDue(id)).toBe(true);

    const other = await createStarted(rig);
    await settle(rig, await submit(rig, other.link), judgementOf());
    await backdate(other, '91 days');
    await db.deleteFrom('key_erasure').execute();
    expect(await purgeOldResults(rig.sweep, 90)).toBe(1);
    expect(await isDue(other.challengeId)).toBe(false);
    expect(await rig.services.erase(rig.caller, other.challengeId)).toEqual({ status: 'erased' });
    expect(await isDue(other.challengeId)).toBe(true);
  });

  /** Whether deleted keys of this id's bucket have to be off the disk now. */
  async function isDue(id: string): Promise<boolean> {
    const due = rig.database.db.selectFrom('key_erasure').where('due_at', '<=', new Date());
    return (await due.select('id').where('bucket', '=', keyBucket(id)).execute()).length > 0;
  }

  it('purges results that wait for an unreachable webhook, and records what was never delivered', async () => {
    const { db } = rig.database;
    const opened = await createStarted(rig, { notifications });
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const [pending, ...others] = await deliveriesOf(rig, opened);
    for (const { id } of others) {
      const delivered = { status: 'delivered' as const, next_attempt_at: null };
      await db.updateTable('delivery').set(delivered).where('id', '=', id).execute();
    }
    // One attempt was made, and the receiver echoed its request. Another attempt is in progress.
    const echo = Buffer.from('sealed echo of the result');
    const tried = { delivery_id: pending!.id, at: new Date(), duration_ms: 5, response_status: 500 };
    await db
      .insertInto('delivery_attempt')
      .values({ ...tried, outcome: 'http_status', sealed_excerpt: echo })
      .execute();
    await db
      .updateTable('delivery')
      .set({ attempts: 1, lease_until: new Date(Date.now() + 20_000) })
      .where('id', '=', pending!.id)
      .execute();
    await backdate(opened, '90 days - 1 minute');
    expect(await purgeOldResults(rig.sweep, 90)).toBe(0);
    await backdate(opened, '2 minutes');
    const { template, ...bytes } = await bytesOf(opened);
    expect(await purgeOldResults(rig.sweep, 90)).toBe(1);
    await deleteDueAssets(rig.sweep, rig.parts.assets);
    expect(await foundOf({ ...bytes, template: template!, echo })).toEqual(['template']);
    expect(await rig.services.read(rig.caller, opened.challengeId)).toEqual({ status: 'not_found' });
    const noted = db.selectFrom('audit').select(['actor', 'subject', 'detail']);
    expect(await noted.where('action', '=', 'delivery.cancelled').execute()).toEqual([
      {
        actor: 'system',
        subject: pending!.id,
        detail: { reason: 'retention', challenge_id: opened.challengeId },
      },
    ]);
    // The attempt returns after the purge and finds nothing.
    const store = createDeliveryStore(db);
    const returned = { at: new Date(), durationMs: 9, responseStatus: 200, outcome: 'delivered' as const };
    await store.recordAttempts([
      {
        deliveryId: pending!.id,
        step: 0,
        answered: true,
        next: { status: 'delivered' },
        attempt: { ...returned, sealedExcerpt: echo },
      },
    ]);
    expect(await foundOf({ echo })).toEqual([]);
  });

  it('keeps a result with immediate retention until its webhook was attempted, for an hour at most', async () => {
    const { db } = rig.database;
    const opened = await createStarted(rig, { notifications });
    await settle(rig, await submit(rig, opened.link), judgementOf());
    await backdate(opened, '1 minute');
    expect(await purgeOldResults(rig.sweep, 0)).toBe(0);
    const ids = (await deliveriesOf(rig, opened)).map(({ id }) => id);
    await db.updateTable('delivery').set({ attempts: 1 }).where('id', 'in', ids).execute();
    expect(await purgeOldResults(rig.sweep, 0)).toBe(1);
    const dead = await createStarted(rig, { notifications });
    await settle(rig, await submit(rig, dead.link), judgementOf());
    await backdate(dead, '61 minutes');
    expect(await purgeOldResults(rig.sweep, 0)).toBe(1);
  });

  /** Moves the challenge's closing time into the past. */
  const backdate = ({ challengeId }: { challengeId: string }, interval: string) =>
    sql`update challenge set closed_at = closed_at - ${interval}::interval where id = ${challengeId}`.execute(
      rig.database.db,
    );

  it('retention and an erasure of the same challenge do not deadlock', async () => {
    const { db } = rig.database;
    const opened = await createStarted(rig);
    await settle(rig, await submit(rig, opened.link), judgementOf());
    const assets = () => db.selectFrom('asset').select('id').where('challenge_id', '=', opened.challengeId);
    await db
      .updateTable('asset')
      .set({ delete_after: new Date() })
      .where('challenge_id', '=', opened.challengeId)
      .execute();
    const [, last] = await assets().orderBy('id').execute();
    // Holds a lock on the last asset until both have begun. Retention holds the first asset by then.
    const [erased, listed] = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('asset').select('id').where('id', '=', last!.id).forUpdate().execute();
      const listing = rig.sweep.listDeletable(100);
      await delay(200);
      const erasing = rig.services.erase(rig.caller, opened.challengeId);
      await delay(200);
      return [Promise.allSettled([erasing]), Promise.allSettled([listing])];
    });
    expect(await erased).toMatchObject([{ status: 'fulfilled', value: { status: 'erased' } }]);
    expect(await listed).toMatchObject([{ status: 'fulfilled' }]);
  });

  it('deletes assets past their retention, and those that no row refers to', async () => {
    const opened = await createStarted(rig);
    await settle(rig, await submit(rig, opened.link), judgementOf());
    await rig.database.db
      .updateTable('asset')
      .set({ delete_after: new Date(Date.now() - 1000) })
      .where('challenge_id', '=', opened.challengeId)
      .execute();
    expect((await resultOf(rig, opened)).assets_links).toEqual([]);
    expect(await deleteDueAssets(rig.sweep, rig.parts.assets)).toBeGreaterThanOrEqual(2);
    expect((await resultOf(rig, opened)).overall_result).toBe('pass');
    await rig.parts.assets.put({ holder: someHolder(), assetId: 'ast_orphan', bytes: Buffer.from('x') });
    const later = { now: () => new Date(Date.now() + 2 * 3_600_000) };
    expect(await deleteOrphanAssets(rig.sweep, rig.parts.assets, { now: () => new Date() })).toBe(0);
    expect(await deleteOrphanAssets(rig.sweep, rig.parts.assets, later)).toBeGreaterThanOrEqual(1);
    expect(await deleteOrphanAssets(rig.sweep, rig.parts.assets, later)).toBe(0);
  });
});

describe('a sweep continues after a failure', () => {
  /** An asset store that cannot delete the bytes of these ids. */
  const stubborn = (ids: ReadonlySet<string>) => ({
    ...rig.parts.assets,
    delete: async (id: string) => {
      if (ids.has(id)) throw new Error('EIO');
      await rig.parts.assets.delete(id);
    },
  });

  it('deletes more than a batch of assets despite some that cannot be deleted, and reports those', async () => {
    const { db } = rig.database;
    await deleteDueAssets(rig.sweep, rig.parts.assets);
    const ids = Array.from({ length: 130 }, (_, at) => `ast_due_${String(at).padStart(3, '0')}`);
    const row = {
      account_id: rig.caller.accountId,
      kind: 'liveness_video',
      mime_type: 'video/webm',
    } as const;
    const rows = ids.map((id) => ({
      ...row,
      id,
      size_bytes: 1,
      sealed_key: Buffer.alloc(0),
      deleting: true,
    }));
    await db.insertInto('asset').values(rows).execute();
    // A store that deletes nothing is given up after one batch.
    const away = deleteDueAssets(rig.sweep, stubborn(new Set(ids)));
    await expect(away).rejects.toThrow('100 assets cannot be deleted');
    const [first, , third] = ids;
    await expect(deleteDueAssets(rig.sweep, stubborn(new Set([first!, third!])))).rejects.toThrow(
      '2 assets cannot be deleted',
    );
    const left = db.selectFrom('asset').select('id').where('id', 'in', ids).orderBy('id');
    expect(await left.execute()).toEqual([{ id: first }, { id: third }]);
    expect(await deleteDueAssets(rig.sweep, rig.parts.assets)).toBe(2);
    expect(await left.execute()).toEqual([]);
  });

  it('deletes the orphans behind one that cannot be deleted', async () => {
    const ids = ['ast_orphan_1', 'ast_orphan_2', 'ast_orphan_3'];
    const stored = { holder: someHolder(), bytes: Buffer.from('x') };
    for (const assetId of ids) await rig.parts.assets.put({ ...stored, assetId });
    const later = { now: () => new Date(Date.now() + 2 * 3_600_000) };
    for (const id of ids) {
      const sweeping = deleteOrphanAssets(rig.sweep, stubborn(new Set([id])), later);
      if (id === ids[0]) await expect(sweeping).rejects.toThrow('1 orphan assets cannot be deleted');
      // The first run deleted all but its own.
      else expect(await sweeping).toBe(id === ids[1] ? 1 : 0);
    }
  });

  it('finishes the other uploads when the bytes of one cannot be opened', async () => {
    const dying = rig.with({
      assets: {
        ...rig.parts.assets,
        put: async () => {
          throw new Error('killed');
        },
      },
    });
    const captureIds: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { link } = await createStarted(rig);
      const video = someVideo();
      const { capture_id } = await commit(rig, link, video);
      await expect(dying.acceptBytes(link, capture_id, 0, async () => video)).rejects.toThrow('killed');
      captureIds.push(capture_id);
    }
    const { db } = rig.database;
    const [broken, ...whole] = await rig.sweep.listUnfinishedUploads(100);
    expect([broken, ...whole].sort()).toEqual(captureIds.sort());
    const garbage = { sealed_bytes: Buffer.from('not sealed by anybody') };
    await db.updateTable('capture_chunk').set(garbage).where('capture_id', '=', broken!).execute();
    await expect(finishStrandedUploads(rig.parts, rig.sweep)).rejects.toThrow('1 uploads cannot be finished');
    const states = await db
      .selectFrom('capture')
      .select(['id', 'state'])
      .where('id', 'in', captureIds)
      .execute();
    for (const { id, state } of states) expect(state).toBe(id === broken ? 'committed' : 'submitted');
  });
});
