// A FeatureID of a picture, from the request to the row: what is returned, what is refused, and that nothing of the
// picture remains. Only the reading of pictures is faked (test/evaluation/template-of-picture.test.ts has the real
// one).
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { PICTURE_FAULTS, type PictureFeatid } from '../../src/contract/picture.ts';
import type { Problem } from '../../src/contract/problem.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { type ReadPicture, withdrawStalePictures } from '../../src/featid/pictures.ts';
import { createPictureStore } from '../../src/featid/tables/picture-store.ts';
import { createPictureTask, PICTURE_TASK } from '../../src/jobs/picture.ts';
import { type JobRunner, startJobRunner } from '../../src/jobs/runner.ts';
import { createWorkerPresence } from '../../src/storage/postgres/coordination/worker-presence.ts';
import { PACK } from '../support/foundation.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

const log = createLogger({ level: 'silent', process: 'test' });
const TEMPLATE = { packId: PACK, embedding: Float32Array.of(0.6, 0.8), regions: {}, frames: 1 };
const QUALITY = { flaws: ['dark' as const], eye_distance_px: 62 };

let rig: HttpRig;
let worker: JobRunner & { close(): Promise<void> };
/** The bytes of every picture that a worker has opened. */
const opened: Buffer[] = [];
let reads: (picture: Buffer) => Promise<ReadPicture>;

beforeAll(async () => {
  rig = await createHttpRig({ limits: { maxPictureBytes: 20_000 } });
  reads = async () => ({ status: 'made', template: TEMPLATE, quality: QUALITY });
  worker = await startWorker();
});
afterAll(async () => {
  await worker.close();
  await rig.close();
});

async function startWorker() {
  const { connectionString, db, custody, featids } = rig;
  const presence = createWorkerPresence(connectionString, db, log);
  const task = createPictureTask({
    store: createPictureStore(db),
    custody,
    featids,
    log,
    read: (picture) => {
      opened.push(Buffer.from(picture));
      return reads(Buffer.from(picture));
    },
  });
  const lanes = [{ name: 'judge', concurrency: 2, tasks: { [PICTURE_TASK]: task } }];
  const runner = await startJobRunner({ connectionString, lanes, presence, log });
  return { ...runner, close: () => runner.stop().then(() => presence.close()) };
}

const send = (picture: Buffer, headers: Record<string, string> = {}) =>
  rig.call('POST', '/v1/featids', picture, { 'content-type': 'image/jpeg', ...headers });
const somePicture = () => randomBytes(500);
const countOf = async (table: 'picture' | 'featid') =>
  Number((await rig.db.selectFrom(table).select(sql<number>`count(*)`.as('n')).executeTakeFirst())?.n);

describe('POST /v1/featids', () => {
  it('returns a FeatureID that can be compared, and says that it is of a picture', async () => {
    const picture = somePicture();
    const answer = await send(picture);
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { featid, ...rest } = answer.json<PictureFeatid>();
    expect(rest).toEqual({ source: 'image', quality: QUALITY });
    expect(opened.at(-1)?.equals(picture)).toBe(true);
    await rig.create({ liveness_only: false, compare_to_featids: [featid] });
    expect(await rig.featids.openAll(rig.accountId, [featid])).toMatchObject([
      { ok: true, source: 'image', template: { frames: 1 } },
    ]);
    const { id } = parseFeatid(featid)!;
    const lines = rig.db.selectFrom('audit').selectAll().where('subject', '=', id);
    expect(await lines.execute()).toMatchObject([{ action: 'featid.enrolled', actor: rig.keyId }]);
  });

  it('accepts image/jpg, which is no type but what many programs send', async () => {
    expect((await send(somePicture(), { 'content-type': 'image/jpg' })).statusCode).toBe(201);
  });

  it('keeps neither the picture nor the answer, and no key to them', async () => {
    const before = await rig.db
      .selectFrom('erasure_key')
      .select('id')
      .where('reference_tag', 'is', null)
      .execute();
    const { featid } = (await send(somePicture())).json<PictureFeatid>();
    expect(await countOf('picture')).toBe(0);
    const after = await rig.db
      .selectFrom('erasure_key')
      .select('id')
      .where('reference_tag', 'is', null)
      .execute();
    const known = new Set(before.map((row) => row.id));
    const added = after.map((row) => row.id).filter((id) => !known.has(id));
    expect(added).toEqual([parseFeatid(featid)!.id]);
    const lines = JSON.stringify(rig.logLines);
    expect(lines.includes(featid)).toBe(false);
  });

  it('can be erased: once revoked, its string is useless', async () => {
    const { featid } = (await send(somePicture())).json<PictureFeatid>();
    expect((await rig.call('POST', '/v1/featids/revoke', { featid })).statusCode).toBe(204);
    const again = await rig.call('POST', '/v1/create-challenge', {
      liveness_only: false,
      compare_to_featids: [featid],
    });
    expect(again.json<Problem>().errors).toMatchObject([{ code: 'featid_revoked' }]);
  });

  it('cannot pass as one of a liveness video: a row with that source does not open', async () => {
    const { featid } = (await send(somePicture())).json<PictureFeatid>();
    const { id } = parseFeatid(featid)!;
    const says = (source: 'image' | 'liveness_video') =>
      rig.db.updateTable('featid').set({ source }).where('id', '=', id).execute();
    await says('liveness_video');
    expect(await rig.featids.check(rig.accountId, [featid])).toEqual([{ ok: false, code: 'featid_unknown' }]);
    await says('image');
    expect(await rig.featids.check(rig.accountId, [featid])).toMatchObject([{ ok: true, source: 'image' }]);
    const captured = await rig.makeFeatid();
    const other = parseFeatid(captured)!.id;
    await rig.db.updateTable('featid').set({ source: 'image' }).where('id', '=', other).execute();
    expect(await rig.featids.check(rig.accountId, [captured])).toEqual([
      { ok: false, code: 'featid_unknown' },
    ]);
  });

  it('says what is wrong with a picture', async () => {
    const usual = reads;
    const faults = Object.keys(PICTURE_FAULTS) as (keyof typeof PICTURE_FAULTS)[];
    reads = async (picture) => ({ status: 'refused', fault: faults[picture[0]!]! });
    const answers = await Promise.all(faults.map((_, at) => send(Buffer.of(at))));
    reads = usual;
    expect(answers.map((answer) => answer.statusCode)).toEqual(faults.map(() => 422));
    expect(answers.map((answer) => answer.json<Problem>())).toMatchObject(
      faults.map((code) => ({
        type: 'http://likeness.test/docs/errors/picture-unusable',
        errors: [{ pointer: '', code, detail: PICTURE_FAULTS[code] }],
      })),
    );
    expect(await countOf('picture')).toBe(0);
  });

  it('says picture_damaged if its worker never finishes, and stops trying', async () => {
    const usual = reads;
    let tries = 0;
    reads = async () => {
      tries += 1;
      throw new Error('as a worker that dies of it');
    };
    const answering = send(somePicture());
    let isAnswered = false;
    void answering.then(() => {
      isAnswered = true;
    });
    // The queue waits longer after each attempt.
    while (!isAnswered) {
      await sql`update graphile_worker._private_jobs set run_at = now()`.execute(rig.db);
      await delay(50);
    }
    const answer = await answering;
    reads = usual;
    expect(answer.json<Problem>().errors).toMatchObject([{ code: 'picture_damaged' }]);
    expect(tries).toBe(2);
  }, 20_000);

  it('acts once for each Idempotency-Key, and refuses another picture under it', async () => {
    const picture = somePicture();
    const key = { 'idempotency-key': 'once' };
    const before = await countOf('featid');
    const [first, second] = await Promise.all([send(picture, key), send(picture, key)]);
    const third = await send(picture, key);
    expect([first.statusCode, second.statusCode, third.statusCode]).toEqual([201, 201, 201]);
    const strings = [first, second, third].map((answer) => answer.json<PictureFeatid>().featid);
    expect(new Set(strings).size).toBe(1);
    expect(third.headers['idempotency-replayed']).toBe('true');
    // The loser of the two leaves nothing.
    expect(await countOf('featid')).toBe(before + 1);
    expect((await send(somePicture(), key)).json<Problem>().type).toContain('idempotency-key-reused');
  });

  it.each([
    ['no body', { headers: { 'content-type': 'image/jpeg' }, body: Buffer.alloc(0) }, 422],
    ['JSON', { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }, 415],
    ['a type that is not an image', { headers: { 'content-type': 'text/html' }, body: somePicture() }, 415],
    ['an SVG', { headers: { 'content-type': 'image/svg+xml' }, body: somePicture() }, 415],
    ['too many bytes', { headers: { 'content-type': 'image/png' }, body: randomBytes(20_001) }, 413],
    [
      'a broken key',
      { headers: { 'content-type': 'image/png', 'idempotency-key': 'ä' }, body: somePicture() },
      400,
    ],
  ] as const)('answers %s with the right status', async (_what, { headers, body }, status) => {
    expect((await send(body, headers)).statusCode).toBe(status);
    expect(await countOf('picture')).toBe(0);
  });

  it('requires the key before it reads the picture', async () => {
    const url = '/v1/featids';
    const headers = { 'content-type': 'image/jpeg', authorization: 'Basic nonsense' };
    const answer = await rig.app.inject({ method: 'POST', url, headers, payload: randomBytes(50_000) });
    expect(answer.statusCode).toBe(401);
  });

  it('of a sandbox key opens no picture, and marks the result', async () => {
    const live = (await rig.accounts.find(rig.accountId))!;
    const { key: sandbox } = await rig.accounts.createKey(live, { sandbox: true }, 'operator');
    const seen = opened.length;
    const headers = { authorization: `Basic ${sandbox}` };
    const { featid, ...rest } = (await send(somePicture(), headers)).json<PictureFeatid>();
    expect(rest).toEqual({
      source: 'image',
      quality: { flaws: [], eye_distance_px: 0 },
      sandbox: true,
    });
    expect(opened.length).toBe(seen);
    const created = await rig.call(
      'POST',
      '/v1/create-challenge',
      { liveness_only: false, compare_to_featids: [featid], customer_reference: 'sandbox:pass' },
      headers,
    );
    const { challenge_id } = created.json<{ challenge_id: string }>();
    const result = await rig.call('GET', `/v1/challenges/${challenge_id}`, undefined, headers);
    expect(result.json()).toMatchObject({
      overall_result: 'pass',
      diagnostics: { compared_sources: [{ featid, source: 'image' }] },
    });
  });
});

describe('a picture whose request ends early', () => {
  it('is withdrawn with the FeatureID made of it, by the sweep if its process was killed', async () => {
    const store = createPictureStore(rig.db);
    const { accountId, keyId: actor } = rig;
    const erasureKey = randomBytes(32);
    const sealedPicture = await rig.custody.seal(
      { accountId, erasureKey },
      'featid-picture',
      somePicture(),
      'pic_1',
    );
    await store.submit(
      { id: 'pic_1', accountId, actor, sealedPicture, erasureKey },
      { ofAll: 9, ofAccount: 9 },
    );
    const before = await countOf('featid');
    for (let i = 0; i < 100 && !(await store.readAnswer('pic_1')); i++) await delay(50);
    expect(await countOf('featid')).toBe(before + 1);
    expect(await withdrawStalePictures(store)).toBe(0);
    await rig.db.updateTable('picture').set({ created_at: sql`now() - interval '1 hour'` }).execute();
    expect(await withdrawStalePictures(store)).toBe(1);
    expect([await countOf('featid'), await countOf('picture')]).toEqual([before, 0]);
    expect(await store.collect('pic_1', null)).toBe('gone');
  });

  it('is refused while too many are queued: 503 with Retry-After', async () => {
    await worker.close();
    const store = createPictureStore(rig.db);
    const { accountId, keyId: actor } = rig;
    for (let i = 0; i < 16; i++)
      await store.submit(
        { id: `pic_full${i}`, accountId, actor, sealedPicture: Buffer.of(1), erasureKey: randomBytes(32) },
        { ofAll: 64, ofAccount: 16 },
      );
    const answer = await send(somePicture());
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    for (let i = 0; i < 16; i++) await store.withdraw(`pic_full${i}`);
    worker = await startWorker();
    expect((await send(somePicture())).statusCode).toBe(201);
  });
});
