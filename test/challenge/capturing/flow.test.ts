import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { randomSecret } from '../../../src/base/secrets.ts';
import { CONSENT_TEXT_VERSION } from '../../../src/challenge/capturing/consent-text.ts';
import type { Link } from '../../../src/challenge/services.ts';
import { COMMIT_SLACK_MS } from '../../../src/challenge/settings.ts';
import { ACCESSIBLE_WAYS } from '../../../src/contract/accessible-way.ts';
import type { CreateChallengeRequest } from '../../../src/contract/challenge-request.ts';
import {
  announce,
  commit,
  commitOf,
  countAssets,
  countJobs,
  create,
  createRig,
  createStarted,
  expireIn,
  judgementOf,
  type Rig,
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

const consent = (decision: 'given' | 'declined') => ({
  decision,
  text_version: CONSENT_TEXT_VERSION,
  text_sha256: 'ab'.repeat(32),
  language: 'en-AU',
});

async function eventsOf(challengeId: string): Promise<string[]> {
  const read = await rig.services.read(rig.caller, challengeId);
  return read.status === 'ok' ? read.result.events.map((event) => event.name) : [];
}

describe('opening a link', () => {
  it('is not found for any other token, and changes nothing when only viewed', async () => {
    const { link, challengeId } = await create(rig);
    for (const token of ['', 'x', 'A'.repeat(43), `${link.token}A`, 'A'.repeat(100_000)]) {
      expect(await rig.services.state({ token })).toEqual({ status: 'not_found' });
    }
    await rig.services.state(link);
    const read = await rig.services.read(rig.caller, challengeId);
    expect(read.status === 'ok' && read.result.status).toBe('created');
    expect(await eventsOf(challengeId)).toEqual([]);
  });

  it('binds the first device; a repeated start from it gets the same answer; no other device gets further', async () => {
    const { link, challengeId } = await create(rig);
    const first = await rig.services.start(link);
    const again = await rig.services.start(link);
    if (first.status !== 'ok' || again.status !== 'ok') throw new Error(again.status);
    expect(first.answer.device_token).toBe(link.device);
    expect(again.answer.device_token).toBe(link.device);
    expect(first.answer.state).toMatchObject({ status: 'initiated', device_bound: true, tries_left: 3 });
    const other = { token: link.token, device: randomSecret(32) };
    expect(await rig.services.issueCapture(other)).toEqual({ status: 'conflict', code: 'other_device' });
    expect(await eventsOf(challengeId)).toEqual(['challenge_opened']);
  });

  it('is refused from the deadline on, even before the sweep runs', async () => {
    const { link, challengeId } = await createStarted(rig, {
      flow_behaviour: { exit_redirect_url: 'myapp://done', alternative_url: 'https://a.example/branch' },
    });
    await expireIn(rig, challengeId, -1);
    const owner = {
      exit_redirect_url: 'myapp://done',
      alternative_url: 'https://a.example/branch',
      account: { display_name: 'first Ltd' },
    };
    const closed = { status: 'closed', current: 'expired', owner };
    expect(await rig.services.state(link)).toMatchObject(closed);
    expect(await rig.services.start(link)).toMatchObject(closed);
    expect(await rig.services.issueCapture(link)).toMatchObject(closed);
    expect(await rig.services.outcome(link, 0)).toMatchObject({ outcome: { status: 'expired' } });
  });
});

describe('consent', () => {
  it('is required for a capture, recorded with its text, and withdrawn by declining', async () => {
    const { link, challengeId } = await createStarted(rig, { require_consent: true });
    expect(await rig.services.issueCapture(link)).toEqual({ status: 'conflict', code: 'consent_required' });
    await rig.services.consent(link, consent('declined'));
    expect(await rig.services.issueCapture(link)).toEqual({ status: 'conflict', code: 'consent_required' });
    const given = await rig.services.consent(link, consent('given'));
    expect(given.status === 'ok' && given.state.consent.given).toBe(true);
    const read = await rig.services.read(rig.caller, challengeId);
    if (read.status !== 'ok') throw new Error();
    expect(read.result.consent_given_at).toBe(read.result.events.at(-1)?.timestamp);
    expect((await rig.services.issueCapture(link)).status).toBe('ok');
    await rig.services.consent(link, consent('declined'));
    expect(await rig.services.issueCapture(link)).toEqual({ status: 'conflict', code: 'consent_required' });
    expect(await eventsOf(challengeId)).toEqual([
      'challenge_opened',
      'consent_declined',
      'consent_given',
      'capture_started',
      'consent_declined',
    ]);
    const row = await rig.database.db
      .selectFrom('challenge')
      .select('status')
      .where('id', '=', challengeId)
      .executeTakeFirst();
    expect(row?.status).toBe('initiated');
  });

  it('ends the capture made under it when withdrawn: nothing of it is kept, judged or tried again', async () => {
    const { link, challengeId } = await createStarted(rig, { require_consent: true });
    const given = () => rig.services.consent(link, consent('given'));
    const declined = () => rig.services.consent(link, consent('declined'));
    const notOpen = { status: 'conflict', code: 'capture_not_open' };
    const stateOf = async (captureId: string) =>
      (await rig.parts.store.findCapture(captureId))!.capture.state;
    const video = someVideo();

    await given();
    const issued = await rig.services.issueCapture(link);
    if (issued.status !== 'ok') throw new Error(issued.status);
    const uncommitted = issued.capture.capture_id;
    await declined();
    expect(await rig.services.commit(link, uncommitted, commitOf(video, issued.capture))).toEqual(notOpen);
    // A new consent covers what is recorded from then on.
    await given();
    expect(await rig.services.commit(link, uncommitted, commitOf(video, issued.capture))).toEqual(notOpen);

    const { capture_id } = await commit(rig, link, video);
    const [before, jobs] = [await countAssets(rig), await countJobs(rig)];
    await rig.services.acceptBytes(link, capture_id, 0, async () => video.subarray(0, 1000));
    await declined();
    expect(await rig.parts.store.readChunk(capture_id, 0)).toBeNull();
    expect(await rig.services.acceptBytes(link, capture_id, 1000, async () => video.subarray(1000))).toEqual(
      notOpen,
    );
    for (const id of [uncommitted, capture_id]) expect(await stateOf(id)).toBe('abandoned');
    expect(await countAssets(rig)).toBe(before);
    expect(await countJobs(rig)).toBe(jobs);
    expect(await eventsOf(challengeId)).not.toContain('capture_submitted');
  });

  it('ends the capture when withdrawn while its last bytes arrive', async () => {
    const { link, challengeId } = await createStarted(rig, { require_consent: true });
    const video = someVideo();
    await rig.services.consent(link, consent('given'));
    const stranded = (await commit(rig, link, video)).capture_id;
    const [before, jobs] = [await countAssets(rig), await countJobs(rig)];
    const overtaken = rig.with({
      assets: {
        ...rig.parts.assets,
        put: async (asset) => {
          await rig.services.consent(link, consent('declined'));
          return rig.parts.assets.put(asset);
        },
      },
    });
    const notOpen = { status: 'conflict', code: 'capture_not_open' };
    expect(await overtaken.acceptBytes(link, stranded, 0, async () => video)).toEqual(notOpen);
    expect(await rig.sweep.listUnfinishedUploads(100)).toEqual([]);
    expect((await rig.parts.store.findCapture(stranded))!.capture.state).toBe('abandoned');
    expect(await countAssets(rig)).toBe(before);
    expect(await countJobs(rig)).toBe(jobs);
    await rig.services.consent(link, consent('given'));
    await submit(rig, link);
    expect((await eventsOf(challengeId)).at(-1)).toBe('capture_submitted');
  });

  it('is not requested where the client does not require it', async () => {
    const { link } = await createStarted(rig);
    const answer = await rig.services.consent(link, consent('given'));
    expect(answer).toEqual({ status: 'conflict', code: 'consent_not_required' });
  });
});

describe('captures', () => {
  const isUnderWay = { status: 'conflict', code: 'capture_under_way', retryAfterSeconds: expect.any(Number) };
  const issue = async (link: Link) => {
    const issued = await rig.services.issueCapture(link);
    if (issued.status !== 'ok') throw new Error(JSON.stringify(issued));
    return issued.capture;
  };
  const letTimeOut = async (captureId: string) =>
    rig.database.db
      .updateTable('capture')
      .set({ commit_deadline: new Date(Date.now() - 1) })
      .where('id', '=', captureId)
      .execute();

  it('each have their own script; there are at most three, one for each try', async () => {
    const { link } = await createStarted(rig);
    const first = await issue(link);
    const second = await issue(link);
    const progress = await rig.services.progress(link, first.capture_id);
    expect(progress.status === 'ok' && progress.progress.state).toBe('abandoned');
    await letTimeOut(second.capture_id);
    const third = await issue(link);
    const scripts = [first, second, third].map(({ script }) => JSON.stringify(script));
    // Two draws may be equal by chance, three hardly ever.
    expect(new Set(scripts).size).toBeGreaterThan(1);
    await letTimeOut(third.capture_id);
    expect(await rig.services.issueCapture(link)).toEqual({ status: 'conflict', code: 'no_tries_left' });
    const state = await rig.services.state(link);
    expect(state.status === 'ok' && state.state.tries_left).toBe(0);
  });

  it('can be replaced by a new script once; the next must be sent, or time out', async () => {
    const { link } = await createStarted(rig);
    const first = await issue(link);
    const video = someVideo();
    const second = await announce(rig, link, video);
    expect(await rig.services.issueCapture(link)).toEqual(isUnderWay);
    // Refused: the current capture continues, and no try is used.
    expect(await rig.services.commit(link, second.capture_id, commitOf(video, second))).toMatchObject({
      status: 'ok',
    });
    expect(await rig.services.issueCapture(link)).toEqual(isUnderWay);
    await rig.services.acceptBytes(link, second.capture_id, 0, async () => video);
    await settle(rig, second.capture_id, judgementOf({ retry: 'face_missing' }));
    const state = await rig.services.state(link);
    expect(state.status === 'ok' && state.state.tries_left).toBe(1);
    expect((await issue(link)).capture_id).not.toBe(first.capture_id);
  });

  it('are replaced at once by a person who left a prompt unanswered until its time was over', async () => {
    const { link } = await createStarted(rig);
    for (const isLast of [false, false, true]) {
      const { capture_id } = await announce(rig, link, someVideo());
      if (isLast) break;
      const hence = { issued_at: sql<Date>`clock_timestamp() - interval '6.5 seconds'` };
      await rig.database.db.updateTable('capture').set(hence).where('id', '=', capture_id).execute();
    }
    expect(await rig.services.issueCapture(link)).toMatchObject({ code: 'no_tries_left' });
  });

  describe('on a machine whose clock differs from the database’s', () => {
    afterEach(() => vi.useRealTimers());
    const goWrongBy = (minutes: number) =>
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    const left = expect.closeTo(900, -2);

    it.each([-60, 60])('get the database’s times, with the clocks %i minutes apart', async (minutes) => {
      const { link } = await createStarted(rig);
      goWrongBy(minutes);
      const first = await issue(link);
      expect(first.expires_within_ms / 1000).toEqual(left);
      const early = { slices: [{ ...sliceOf(someVideo()), to_ms: 60_000 }] };
      expect(await rig.services.announce(link, first.capture_id, early)).toEqual({
        status: 'conflict',
        code: 'slice_too_early',
      });
      await issue(link);
      const refused = await rig.services.issueCapture(link);
      expect(refused).toEqual(isUnderWay);
      const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
      expect(retryAfterSeconds).toBeGreaterThan(0);
      expect(retryAfterSeconds).toBeLessThan(120);
    });
  });

  it('do not increase in number when consent is withdrawn and given again', async () => {
    const { link } = await createStarted(rig, { require_consent: true });
    await rig.services.consent(link, consent('given'));
    for (const _ of [1, 2]) {
      await issue(link);
      await rig.services.consent(link, consent('declined'));
      await rig.services.consent(link, consent('given'));
    }
    expect(await rig.services.issueCapture(link)).toEqual(isUnderWay);
  });

  it('requested fifty times at once yield two scripts and use two tries', async () => {
    const { link } = await createStarted(rig);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => rig.services.issueCapture(link)));
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(2);
    for (const outcome of outcomes) if (outcome.status !== 'ok') expect(outcome).toEqual(isUnderWay);
    const state = await rig.services.state(link);
    expect(state.status === 'ok' && state.state.tries_left).toBe(1);
  });

  it('are committed only with the script as it was performed', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo();
    const capture = await announce(rig, link, video);
    const commit = commitOf(video, capture);
    const { steps } = commit.script;
    const others = [
      { steps: steps.slice(0, -1) },
      { steps: [...steps.slice(0, -1), { ...steps.at(-1)!, to_ms: steps.at(-1)!.from_ms + 50 }] },
      { steps: steps.map((step) => ({ ...step, prompt: 'neutral' as const })) },
    ];
    for (const script of others)
      expect(await rig.services.commit(link, capture.capture_id, { ...commit, script })).toEqual({
        status: 'conflict',
        code: 'other_script',
      });
    expect(await rig.services.commit(link, capture.capture_id, commit)).toMatchObject({ status: 'ok' });
    const found = (await rig.parts.store.findCapture(capture.capture_id))!.capture;
    expect(found).toMatchObject({ script: capture.script, performedScript: commit.script });
  });

  it('must be committed soon after the end of the performed script, however long it could have taken', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo();
    const capture = await announce(rig, link, video);
    const commit = commitOf(video, capture);
    const performedMs = commit.script.steps.at(-1)!.to_ms;
    await rig.database.db
      .updateTable('capture')
      .set({ issued_at: new Date(Date.now() - performedMs - COMMIT_SLACK_MS - 50) })
      .where('id', '=', capture.capture_id)
      .execute();
    expect(await rig.services.commit(link, capture.capture_id, commit)).toEqual({
      status: 'conflict',
      code: 'commit_too_late',
    });
  });

  it('are committed once, in time, and with what was announced', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo();
    const first = await commit(rig, link, video);
    const { capture_id } = first;
    const same = await rig.services.commit(link, capture_id, commitOf(video, first));
    const received = { received_bytes: 0, announced_slices: 1, state: 'committed' };
    expect(same).toEqual({ status: 'ok', received });
    const { script, ...rest } = commitOf(video, first);
    const steps = script.steps.map((step) => ({ ...step, to_ms: step.to_ms + 1 }));
    const other = await rig.services.commit(link, capture_id, {
      ...rest,
      script: { steps: steps.slice(0, 1) },
    });
    expect(other).toEqual({ status: 'conflict', code: 'other_script' });
    const late = await announce(rig, link, video);
    for (const wrong of [{ slices: 2 }, { size_bytes: video.length + 1 }])
      expect(
        await rig.services.commit(link, late.capture_id, { ...commitOf(video, late), ...wrong }),
      ).toMatchObject({
        status: 'wrong_slice',
        received: { announced_slices: 1, state: 'issued' },
      });
    await letTimeOut(late.capture_id);
    const refused = await rig.services.commit(link, late.capture_id, commitOf(video, late));
    expect(refused).toEqual({ status: 'conflict', code: 'commit_too_late' });
  });

  it('are refused above the size limit and not found on another challenge', async () => {
    const { link } = await createStarted(rig);
    const issued = await rig.services.issueCapture(link);
    if (issued.status !== 'ok') throw new Error();
    const { capture_id } = issued.capture;
    const large = {
      slices: [{ ...sliceOf(someVideo()), size_bytes: rig.parts.settings.maxUploadBytes + 1 }],
    };
    expect(await rig.services.announce(link, capture_id, large)).toEqual({
      status: 'conflict',
      code: 'too_large',
    });
    const elsewhere = await createStarted(rig);
    expect((await rig.services.progress(elsewhere.link, capture_id)).status).toBe('not_found');
    expect(
      (await rig.services.acceptBytes(elsewhere.link, capture_id, 0, async () => Buffer.of(1))).status,
    ).toBe('not_found');
  });
});

describe('events of the page', () => {
  it('are recorded up to a limit, however many arrive', async () => {
    const { link, challengeId } = await createStarted(rig);
    await rig.services.recordEvent(link, { name: 'camera_denied' });
    await rig.services.recordEvent(link, { name: 'camera_granted' });
    expect(await eventsOf(challengeId)).toEqual(['challenge_opened', 'camera_denied', 'camera_granted']);
    const rows = Array.from({ length: 300 }, () => ({ challenge_id: challengeId, name: 'camera_denied' }));
    await rig.database.db.insertInto('challenge_event').values(rows).execute();
    expect(await rig.services.recordEvent(link, { name: 'camera_denied' })).toEqual({ status: 'ok' });
    expect((await eventsOf(challengeId)).length).toBe(303);
    await submit(rig, link);
    expect((await eventsOf(challengeId)).at(-1)).toBe('capture_submitted');
  });
});

/** A format that the image library can decode but the logo does not accept. */
const TIFF = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#369' } })
  .tiff()
  .toBuffer();

describe('the logo', () => {
  it('is fetched once, re-encoded as PNG, and then served from the asset', async () => {
    const jpeg = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer();
    let fetches = 0;
    const services = rig.with({
      fetchImage: async () => {
        fetches++;
        return jpeg;
      },
    });
    const { link, challengeId } = await create(rig, {
      flow_style: { logo_public_url: 'https://a.example/logo.jpg' },
    });
    const first = await services.logo(link);
    const second = await services.logo(link);
    if (first.status !== 'ok' || second.status !== 'ok') throw new Error(first.status);
    expect(second.png.equals(first.png)).toBe(true);
    expect(await sharp(first.png).metadata()).toMatchObject({ format: 'png', width: 480, height: 160 });
    expect(fetches).toBe(1);
    const read = await services.read(rig.caller, challengeId);
    expect(read.status === 'ok' && read.result.assets_links).toEqual([]);
  });

  it('may be a drawing', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><circle r="9"/></svg>';
    const services = rig.with({ fetchImage: async () => Buffer.from(svg) });
    const { link } = await create(rig, { flow_style: { logo_public_url: 'https://a.example/logo' } });
    const made = await services.logo(link);
    expect(made.status === 'ok' && (await sharp(made.png).metadata())).toMatchObject({
      format: 'png',
      width: 90,
    });
  });

  it.each([
    ['tiff', TIFF],

    ['html', Buffer.from('<script>1</script>')],
    ['nothing', null],
    ['too large', Buffer.alloc(1_000_001)],
  ])('is left out when it is %s, and not fetched again at once', async (_name, bytes) => {
    let fetches = 0;
    const services = rig.with({
      fetchImage: async () => {
        fetches++;
        return bytes;
      },
    });
    const { link } = await create(rig, { flow_style: { logo_public_url: 'https://a.example/logo' } });
    expect(await services.logo(link)).toEqual({ status: 'not_found' });
    expect(await services.logo(link)).toEqual({ status: 'not_found' });
    expect(fetches).toBe(1);
  });
});

describe('the person’s device', () => {
  it('is said to be required before anything is recorded, and never in the sandbox', async () => {
    const isRequired = async (device_binding: 'off' | 'offer' | 'require', caller = rig.caller) => {
      const { link } = await create({ ...rig, caller }, { device_binding });
      const read = await rig.services.state(link);
      return read.status === 'ok' && read.state.device_required;
    };
    expect(await isRequired('require')).toBe(true);
    expect(await isRequired('offer')).toBe(false);
    expect(await isRequired('off')).toBe(false);
    expect(await isRequired('require', rig.sandbox)).toBe(false);
  });
});

describe('how long a check usually takes', () => {
  it.each([
    [{}, {}, null],
    [{ standard: 28 }, {}, 30],
    [{ standard: 30 }, {}, 30],
    [{ standard: 28, high: 41 }, { liveness_level: 'high' }, 45],
    [{ standard: 28 }, { liveness_level: 'high' }, null],
    // Nobody knows how long they look for the right finger.
    [{ standard: 28 }, { device_binding: 'offer' }, null],
  ] as const)('with %j, a page for %j says %s', async (usual, body, seconds) => {
    const { link } = await create(rig, body);
    const read = await rig.with({ usualSeconds: async () => usual }).state(link);
    expect(read).toMatchObject({ status: 'ok', state: { usual_seconds: seconds } });
  });
});

describe('the level and what may be left out', () => {
  async function waysOf(body: Partial<CreateChallengeRequest>, there = rig): Promise<readonly string[]> {
    const read = await rig.services.state((await create(there, body)).link);
    return read.status === 'ok' ? read.state.accessible_ways : [];
  }

  it('are those of the request; by default, one kind of movement may be left out, and none at level high', async () => {
    const oneKind = ['without_turns', 'without_smile'];
    expect(await waysOf({})).toEqual(oneKind);
    expect(await waysOf({ liveness_level: 'high' })).toEqual([]);
    expect(await waysOf({ liveness_level: 'high', flow_behaviour: { accessible_way: 'one_kind' } })).toEqual(
      oneKind,
    );
    expect(await waysOf({ flow_behaviour: { accessible_way: 'none' } })).toEqual([]);
    expect(await waysOf({ flow_behaviour: { accessible_way: 'passive' } })).toEqual([...oneKind, 'passive']);
  });

  it('are by default what goes with the operator’s level', async () => {
    const { settings } = rig.parts;
    const strict = rig.with({ settings: { ...settings, livenessLevel: 'high' } });
    const waysThere = (body: Partial<CreateChallengeRequest>) => waysOf(body, { ...rig, services: strict });
    expect(await waysThere({})).toEqual([]);
    expect(await waysThere({ liveness_level: 'standard' })).toEqual(['without_turns', 'without_smile']);
  });

  it('are no question in the sandbox, where nothing is recorded', async () => {
    const { link } = await create({ ...rig, caller: rig.sandbox });
    expect(await rig.services.state(link)).toMatchObject({ state: { accessible_ways: [] } });
  });

  it('decide the number of prompts', async () => {
    for (const [liveness_level, counts] of [
      ['quick', [3]],
      ['standard', [4, 5]],
      ['high', [7, 8, 9, 10, 11]],
    ] as const) {
      const issued = await rig.services.issueCapture((await createStarted(rig, { liveness_level })).link);
      expect(counts).toContain(issued.status === 'ok' && issued.capture.step_count);
    }
  });

  it.each(ACCESSIBLE_WAYS)('refuse what the client closed: %s', async (way) => {
    const closed = await createStarted(rig, { flow_behaviour: { accessible_way: 'none' } });
    const refused = { status: 'conflict', code: 'way_not_open' };
    expect(await rig.services.issueCapture(closed.link, { way })).toEqual(refused);
    const oneKind = await rig.services.issueCapture((await createStarted(rig)).link, { way });
    if (way === 'passive') expect(oneKind).toEqual(refused);
    else expect(oneKind).toMatchObject({ status: 'ok', capture: { script: { way } } });
  });
});
