// What each step answers when the disk or the account is full, and that nothing accepted before is lost.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StorageRoom } from '../../../src/challenge/assets/storage-room.ts';
import { roomFor } from '../../support/storage-room.ts';
import {
  announce,
  commit,
  commitOf,
  create,
  createRig,
  createStarted,
  type Rig,
  someVideo,
  submit,
} from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const storageFull = { status: 'unavailable', because: 'storage_full' };
const accountFull = { status: 'unavailable', because: 'account_full' };
const unread = async () => {
  throw new Error('read in vain');
};

describe('a full disk', () => {
  it('starts no recording, accepts no bytes, and resumes at the true offset', async () => {
    let hasSpace = true;
    const room: StorageRoom = {
      hasSpace: async () => hasSpace,
      accountQuotaBytes: async () => null,
      refusal: async () => (hasSpace ? null : 'storage_full'),
    };
    const services = rig.with({ room });
    const { link } = await createStarted(rig);
    const video = someVideo(3000);
    const { capture_id } = await commit(rig, link, video);
    await services.acceptBytes(link, capture_id, 0, async () => video.subarray(0, 1000));
    hasSpace = false;
    expect(await services.acceptBytes(link, capture_id, 1000, unread)).toEqual(storageFull);
    expect(await services.issueCapture((await createStarted(rig)).link)).toEqual(storageFull);
    // Challenges, consents and commits are rows, and the space may be freed before the bytes arrive.
    const { link: another } = await createStarted(rig);
    const capture = await announce(rig, another, video);
    expect(await services.commit(another, capture.capture_id, commitOf(video, capture))).toMatchObject({
      status: 'ok',
    });
    hasSpace = true;
    const rest = await services.acceptBytes(link, capture_id, 1000, async () => video.subarray(1000));
    expect(rest).toMatchObject({ received: { received_bytes: 3000, state: 'submitted' } });
  });
});

describe('an account at its storage limit', () => {
  const limited = async (moreBytes: number) => {
    const stored = await rig.parts.store.countStoredBytes(rig.caller.accountId);
    const limits = { accountQuotaBytes: stored + moreBytes, maxUploadBytes: 2000 };
    return rig.with({ room: roomFor(rig.database.db, rig.folder, limits) });
  };

  it('is told by the API, and its users before they record', async () => {
    const { link } = await createStarted(rig);
    await submit(rig, (await createStarted(rig)).link, someVideo(5000));
    const full = await limited(1999);
    const body = { liveness_only: true, require_consent: false };
    expect(await full.create(rig.caller, { body })).toMatchObject({
      status: 'limit_reached',
      limit: 'storage-quota',
    });
    expect(await full.issueCapture(link)).toEqual(accountFull);
    expect(await full.create(rig.stranger, { body })).toMatchObject({ status: 'created' });
    const roomy = await limited(2000);
    expect(await roomy.create(rig.caller, { body })).toMatchObject({ status: 'created' });
    expect(await roomy.issueCapture(link)).toMatchObject({ status: 'ok' });
  });

  it('accepts commits only up to its limit, however many arrive at once', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => createStarted(rig)));
    const video = someVideo(1500);
    const issued = await Promise.all(opened.map(({ link }) => announce(rig, link, video)));
    const services = await limited(5 * 1500);
    const commits = await Promise.all(
      issued.map((capture, index) => {
        const { link } = opened[index]!;
        return services.commit(link, capture.capture_id, commitOf(video, capture));
      }),
    );
    expect(commits.filter(({ status }) => status === 'ok')).toHaveLength(5);
    expect(commits.filter(({ status }) => status !== 'ok')).toEqual(new Array(7).fill(accountFull));
  });

  it('has space again when an unfinished upload is given up', async () => {
    const { link } = await createStarted(rig);
    const services = await limited(1500);
    await commit(rig, link, someVideo(1500));
    const other = await createStarted(rig);
    const video = someVideo(1500);
    const capture = await announce(rig, other.link, video);
    const again = () => services.commit(other.link, capture.capture_id, commitOf(video, capture));
    expect(await again()).toEqual(accountFull);
    await rig.services.issueCapture(link);
    expect(await again()).toMatchObject({ status: 'ok' });
  });

  it('still replays earlier answers', async () => {
    const body = { liveness_only: true, require_consent: false };
    const first = await rig.services.create(rig.caller, { body, idempotencyKey: 'once' });
    const full = await limited(0);
    expect(await full.create(rig.caller, { body, idempotencyKey: 'once' })).toMatchObject({
      status: 'created',
      replayed: true,
      response: first.status === 'created' && first.response,
    });
    await create(rig);
  });
});
