// A later start on the same link takes a challenge over from the device that began it, as long as nothing of value has
// passed the link: never during a recording, and without another script, another try or another person's consent.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSecret } from '../../../src/base/secrets.ts';
import { CONSENT_TEXT_VERSION } from '../../../src/challenge/capturing/consent-text.ts';
import type { Link } from '../../../src/challenge/services.ts';
import {
  announce,
  commit,
  commitOf,
  create,
  createRig,
  createStarted,
  expireIn,
  judgementOf,
  type Opened,
  type Rig,
  resultOf,
  settle,
  sliceOf,
  someVideo,
  submit,
} from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const GIVEN = {
  decision: 'given',
  text_version: CONSENT_TEXT_VERSION,
  text_sha256: 'ab'.repeat(32),
  language: 'en-AU',
} as const;
const ELSEWHERE = { status: 'conflict', code: 'other_device' };

/** The same link on another device. */
const another = ({ token }: Link): Required<Link> => ({ token, device: randomSecret(32) });

async function stateAt(link: Link) {
  const read = await rig.services.state(link);
  if (read.status !== 'ok') throw new Error(read.status);
  return read.state;
}

/** Whether this device holds the challenge. */
const holds = async (link: Link): Promise<boolean> => (await stateAt(link)).bound_here;

async function eventsOf(opened: Opened): Promise<string[]> {
  return (await resultOf(rig, opened)).events.map(({ name }) => name);
}

/** Lets the time of the challenge's open capture pass. */
async function letTimeOut({ challengeId }: Opened): Promise<void> {
  const dayBefore = (column: 'commit_deadline' | 'upload_deadline') =>
    sql<Date>`${sql.ref(column)} - interval '1 day'`;
  await rig.database.db
    .updateTable('capture')
    .set({ commit_deadline: dayBefore('commit_deadline'), upload_deadline: dayBefore('upload_deadline') })
    .where('challenge_id', '=', challengeId)
    .where('state', 'in', ['issued', 'committed'])
    .execute();
}

describe('a later start', () => {
  it('takes over from the first device, which is refused from then on, and can take back', async () => {
    const opened = await createStarted(rig, { require_consent: true });
    const first = opened.link;
    const later = another(first);
    const before = await resultOf(rig, opened);
    const taken = await rig.services.start(later);
    expect(taken).toMatchObject({ status: 'ok', answer: { device_token: later.device } });
    expect([await holds(first), await holds(later)]).toEqual([false, true]);
    expect(await rig.services.consent(first, GIVEN)).toEqual(ELSEWHERE);
    expect(await rig.services.recordEvent(first, { name: 'camera_granted' })).toEqual(ELSEWHERE);
    expect(await rig.services.issueCapture(first)).toEqual(ELSEWHERE);
    expect(await rig.services.outcome(first, 0)).toEqual(ELSEWHERE);
    // The same device starting again is the same start.
    expect((await rig.services.start(later)).status).toBe('ok');
    expect(await eventsOf(opened)).toEqual(['challenge_opened', 'challenge_opened']);
    const { initiated_at, events } = await resultOf(rig, opened);
    expect(initiated_at).toBe(before.initiated_at);
    expect(events[1]!.timestamp > events[0]!.timestamp).toBe(true);
    expect((await rig.services.start(first)).status).toBe('ok');
    expect(await rig.services.consent(later, GIVEN)).toEqual(ELSEWHERE);
    expect((await rig.services.consent(first, GIVEN)).status).toBe('ok');
  });

  it('without a token of its own takes over too: the answer to its first start may have been lost', async () => {
    const { link } = await createStarted(rig);
    const taken = await rig.services.start({ token: link.token });
    if (taken.status !== 'ok') throw new Error(taken.status);
    expect(await holds({ ...link, device: taken.answer.device_token })).toBe(true);
  });

  it('withdraws the consent that was given on the other device', async () => {
    const opened = await createStarted(rig, { require_consent: true });
    await rig.services.consent(opened.link, GIVEN);
    const later = another(opened.link);
    expect((await stateAt(opened.link)).consent.given).toBe(true);
    expect((await stateAt(later)).consent.given).toBe(false);
    const taken = await rig.services.start(later);
    expect(taken).toMatchObject({ answer: { state: { consent: { given: false } } } });
    expect(await rig.services.issueCapture(later)).toEqual({ status: 'conflict', code: 'consent_required' });
    expect((await resultOf(rig, opened)).consent_given_at).toBeNull();
    // Back on the first device, it has to be given once more.
    await rig.services.start(opened.link);
    expect(await rig.services.issueCapture(opened.link)).toMatchObject({ code: 'consent_required' });
  });

  it('leaves a recording to its device until that is over', async () => {
    const opened = await createStarted(rig);
    const { link } = opened;
    const later = another(link);
    const refused = async () => {
      expect(await rig.services.start(later)).toEqual(ELSEWHERE);
      expect(await holds(link)).toBe(true);
      expect((await stateAt(later)).may_start).toBe(false);
      expect((await stateAt(link)).may_start).toBe(true);
    };
    const video = someVideo();
    const capture = await announce(rig, link, video);
    await refused();
    await rig.services.commit(link, capture.capture_id, commitOf(video, capture));
    await refused();
    await rig.services.acceptBytes(link, capture.capture_id, 0, async () => video);
    await refused();
    await settle(rig, capture.capture_id, judgementOf({ retry: 'too_dark' }));
    expect((await stateAt(later)).may_start).toBe(true);
    expect((await rig.services.start(later)).status).toBe('ok');
    expect(await stateAt(later)).toMatchObject({ tries_left: 2, bound_here: true });
  });

  it.each(['issued', 'committed'])('may follow a recording that was %s and then given up', async (state) => {
    const opened = await createStarted(rig);
    const { link } = opened;
    const later = another(link);
    const video = someVideo();
    if (state === 'issued') await announce(rig, link, video);
    else await commit(rig, link, video);
    expect(await rig.services.start(later)).toEqual(ELSEWHERE);
    // Before the sweep has run.
    await letTimeOut(opened);
    expect((await stateAt(later)).may_start).toBe(true);
    expect((await rig.services.start(later)).status).toBe('ok');
    expect(await rig.services.issueCapture(link)).toEqual(ELSEWHERE);
    expect((await rig.services.issueCapture(later)).status).toBe('ok');
  });

  it('does not come between the last byte of a recording and its judgement, however long that takes to store', async () => {
    const opened = await createStarted(rig);
    const { link } = opened;
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    const full = rig.with({
      assets: {
        ...rig.parts.assets,
        put: async () => {
          await letTimeOut(opened);
          expect(await rig.services.start(another(link))).toEqual(ELSEWHERE);
          throw new Error('the store is away');
        },
      },
    });
    await full.acceptBytes(link, capture_id, 0, async () => video).catch(() => undefined);
    expect(await rig.services.start(another(link))).toEqual(ELSEWHERE);
  });

  it('gives neither a script nor a try: both are the challenge’s', async () => {
    const opened = await createStarted(rig);
    const devices = [opened.link, another(opened.link), another(opened.link)];
    for (const [drawn, device] of devices.entries()) {
      expect((await rig.services.start(device)).status).toBe('ok');
      expect((await stateAt(device)).tries_left).toBe(3 - drawn);
      expect((await rig.services.issueCapture(device)).status).toBe('ok');
      await letTimeOut(opened);
    }
    const last = another(opened.link);
    expect((await rig.services.start(last)).status).toBe('ok');
    expect(await rig.services.issueCapture(last)).toEqual({ status: 'conflict', code: 'no_tries_left' });
  });

  it('reads nothing of an earlier device’s recording, and adds nothing to it', async () => {
    const opened = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await announce(rig, opened.link, video);
    await letTimeOut(opened);
    const later = another(opened.link);
    await rig.services.start(later);
    const { link } = opened;
    expect(await rig.services.progress(link, capture_id)).toEqual(ELSEWHERE);
    expect(await rig.services.announce(link, capture_id, { slices: [sliceOf(video)] })).toEqual(ELSEWHERE);
    expect(await rig.services.acceptBytes(link, capture_id, 0, async () => video)).toEqual(ELSEWHERE);
    const late = await rig.services.commit(
      later,
      capture_id,
      commitOf(video, { script: { steps: [], max_step_ms: 1 } }),
    );
    expect(late.status).not.toBe('ok');
  });

  it('is refused where the challenge is over', async () => {
    const opened = await createStarted(rig);
    const later = another(opened.link);
    await settle(rig, await submit(rig, opened.link), judgementOf());
    expect(await rig.services.start(later)).toMatchObject({ status: 'closed', current: 'completed' });
    const due = await createStarted(rig);
    await expireIn(rig, due.challengeId, -1);
    expect(await rig.services.start(another(due.link))).toMatchObject({ current: 'expired' });
  });

  it('of many at once leaves the challenge with exactly one, as the first one of many does', async () => {
    const { link } = await create(rig);
    for (const _ of ['the first start', 'a later one']) {
      const devices = Array.from({ length: 6 }, () => another(link));
      const outcomes = await Promise.all(devices.map((device) => rig.services.start(device)));
      const held = await Promise.all(devices.map(holds));
      expect(held.filter(Boolean)).toHaveLength(1);
      expect(outcomes[held.indexOf(true)]!.status).toBe('ok');
    }
  });

  it.each([
    'a script',
    'the start',
  ] as const)('and a script at once: only one of them succeeds, if %s is first', async (first) => {
    const opened = await createStarted(rig);
    const later = another(opened.link);
    let release = () => {};
    const held = rig.database.db.transaction().execute(async (trx) => {
      await sql`select from challenge where id = ${opened.challengeId} for update`.execute(trx);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const draw = () => rig.services.issueCapture(opened.link);
    const start = () => rig.services.start(later);
    // Both wait for the challenge's row, in this order, having read that nothing is under way.
    const won = first === 'a script' ? draw() : start();
    await delay(300);
    const lost = first === 'a script' ? start() : draw();
    await delay(300);
    release();
    await held;
    expect([(await won).status, await lost]).toEqual(['ok', ELSEWHERE]);
    expect(await holds(later)).toBe(first === 'the start');
  });
});
