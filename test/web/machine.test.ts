// The capture page's state machine: the happy path, every sad path, and what must hold whatever happens.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCESSIBLE_WAYS } from '../../src/contract/accessible-way.ts';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import type { CameraRefusal } from '../../src/contract/page-event.ts';
import type { CameraFault } from '../../web/capture/camera/fault.ts';
import { ASKED_LONG_MS } from '../../web/capture/flow/camera-steps.ts';
import { otherWayFirst, wayOf } from '../../web/capture/flow/cannot.ts';
import type { Effect } from '../../web/capture/flow/effect.ts';
import { CAMERA_SCREENS, deadPage, initialPage, transition } from '../../web/capture/flow/machine.ts';
import type { IssuedCapture, Page, PageEvent, Setting } from '../../web/capture/flow/screens.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';
import type { Deadlines } from '../../web/capture/upload/pending.ts';
import type { UploadStatus } from '../../web/capture/upload/upload.ts';

const capture: IssuedCapture = {
  captureId: 'cap_1',
  script: { steps: [{ prompt: 'neutral', hold_ms: 700 }], max_step_ms: 6000 },
  stepCount: 2,
  maxBytes: 1000,
  chunkBytes: 100,
  sliceMs: 400,
  announcing: { issuedAtMs: 0, withinMs: 4_400 },
  deadlines: { commitByMs: 10_000, uploadByMs: 600_000 },
  passkey: null,
};
const deadlines: Deadlines = { commitByMs: 5_000, uploadByMs: 600_000 };
const recorded: PageEvent = { type: 'recorded', deadlines };
const waiting: UploadStatus = { phase: 'waiting', progress: 0.4, committed: true, lost: true };

const passkeys = { sign: true, make: true };
const phone: Setting = { computer: false, inApp: false, hasCamera: true, passkeys, handedOver: null };
const computer: Setting = { ...phone, computer: true };
const freshPage = initialPage(phone, null);

function loaded(challenge: CaptureState, bound = false, pending: Deadlines | null = null): PageEvent {
  return { type: 'loaded', challenge: { ...challenge, bound_here: bound }, pending, following: null };
}

const opened: PageEvent = { type: 'camera_opened', cameras: [], cameraId: null };
const failed = (why: CameraFault, refusal: CameraRefusal | null = null): PageEvent => ({
  type: 'camera_failed',
  why,
  refusal,
});

function run(events: PageEvent[], from: Page = freshPage): { page: Page; effects: Effect[] } {
  return events.reduce<{ page: Page; effects: Effect[] }>(
    ({ page, effects }, event) => {
      const next = transition(page, event);
      return { page: next.page, effects: [...effects, ...next.effects] };
    },
    { page: from, effects: [] },
  );
}

const begun = (change: Partial<CaptureState> = {}): PageEvent => ({
  type: 'begun',
  challenge: sampleState(change),
});

const toRecording: PageEvent[] = [
  loaded(sampleState()),
  { type: 'agree' },
  begun(),
  opened,
  { type: 'aligned' },
  { type: 'capture_issued', capture },
  { type: 'recorder_started' },
];

describe('the sandbox', () => {
  const sandbox = sampleState({ sandbox_outcomes: ['pass', 'spoof', 'no_face'] });

  it('goes to its end without a camera, even on a device that has none', () => {
    const noCamera = initialPage({ ...computer, hasCamera: false }, null);
    const { page, effects } = run(
      [
        loaded(sandbox),
        { type: 'agree' },
        { type: 'begun', challenge: sandbox },
        { type: 'end_as', outcome: 'spoof' },
        // A second tap meanwhile changes nothing.
        { type: 'end_as', outcome: 'pass' },
        { type: 'ended' },
        { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: null },
      ],
      noCamera,
    );
    expect(page.screen.name).toBe('done');
    expect(effects.map((effect) => effect.do)).toEqual(['begin', 'end_as', 'await_outcome']);
    expect(effects).toContainEqual({ do: 'end_as', outcome: 'spoof' });
  });

  it('resumes where it was after a reload, and after a call that failed', () => {
    const again = { ...sandbox, status: 'initiated', device_bound: true } as const;
    const { page } = run([
      loaded({ ...again, consent: { ...again.consent, given: true } }, true),
      { type: 'begin' },
      { type: 'begun', challenge: { ...again, consent: { ...again.consent, given: true } } },
      { type: 'end_as', outcome: 'pass' },
      { type: 'call_failed', fault: 'offline' },
    ]);
    expect(page.screen).toEqual({ name: 'failed', fault: 'offline' });
    expect(run([{ type: 'reload' }], page).effects).toEqual([{ do: 'load' }]);
  });
});

describe('the happy path', () => {
  it('goes from privacy to the redirect', () => {
    const { page, effects } = run([
      ...toRecording,
      recorded,
      { type: 'upload', status: { phase: 'sending', progress: 0.5, committed: true, lost: false } },
      { type: 'upload_complete' },
      { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: 'myapp://done?x=1' },
    ]);
    expect(page.screen).toEqual({ name: 'done', redirectUrl: 'myapp://done?x=1', handedOver: null });
    expect(effects.map((effect) => effect.do)).toEqual([
      'begin',
      'open_camera',
      'remind',
      'report',
      'guide',
      'offer_manual',
      'try_way',
      'issue_capture',
      'explain_delay',
      'record',
      'stop_camera',
      'upload',
      'await_outcome',
      'redirect',
    ]);
    expect(effects.at(-1)).toEqual({ do: 'redirect', url: 'myapp://done?x=1' });
  });

  it('skips the privacy screen when no consent is required, and asks for none', () => {
    const consent = { ...sampleState().consent, required: false };
    const { page, effects } = run([loaded(sampleState({ consent })), { type: 'begin' }]);
    expect(page.screen).toEqual({ name: 'start', busy: true, fault: null });
    expect(effects).toEqual([{ do: 'begin', consent: null }]);
  });

  it('counts down after "I am ready" when guidance is off', () => {
    const { page } = run([
      ...toRecording.slice(0, 4),
      { type: 'guidance', state: 'off' },
      { type: 'ready' },
      { type: 'tick' },
      { type: 'tick' },
    ]);
    expect(page.screen).toMatchObject({ name: 'position', countdown: 1, manual: true });
    expect(run([{ type: 'tick' }], page).page.screen.name).toBe('preparing');
  });
});

describe('the screen after a load', () => {
  const initiated = sampleState({
    status: 'initiated',
    device_bound: true,
    consent: { ...sampleState().consent, given: true },
  });
  const issued = {
    id: 'cap_1',
    state: 'issued',
    received_bytes: 0,
    announced_slices: 0,
    size_bytes: null,
    passkey: null,
  } as const;
  const promised = { ...issued, state: 'committed', size_bytes: 1_000 } as const;
  it.each<[string, PageEvent, string]>([
    ['a fresh link', loaded(sampleState()), 'privacy'],
    ['consent given before the reload', loaded(initiated, true), 'start'],
    ['begun on another device', loaded({ ...initiated, consent: sampleState().consent }), 'privacy'],
    ['recorded on another device', loaded({ ...initiated, may_start: false, capture: issued }), 'hand_off'],
    ['bytes left to send', loaded(initiated, true, capture.deadlines), 'uploading'],
    ['promised bytes that are gone', loaded({ ...initiated, capture: promised }, true), 'retry'],
    ['a recording that was broken off', loaded({ ...initiated, capture: issued }, true), 'start'],
    ['under judgement', loaded({ ...initiated, status: 'processing' }, true), 'processing'],
    [
      'under judgement elsewhere',
      loaded({ ...initiated, may_start: false, status: 'processing' }, false),
      'hand_off',
    ],
    ['sent back elsewhere', loaded({ ...initiated, retry_reason: 'too_dark' }), 'start'],
    ['every script drawn elsewhere', loaded({ ...initiated, tries_left: 0 }), 'no_tries'],
    ['sent back', loaded({ ...initiated, retry_reason: 'too_dark' }, true), 'retry'],
    ['every script drawn, none judged', loaded({ ...initiated, tries_left: 0 }, true), 'no_tries'],
    [
      'the last script drawn, its bytes here',
      loaded({ ...initiated, tries_left: 0 }, true, deadlines),
      'uploading',
    ],
    ['finished here', loaded({ ...initiated, status: 'completed' }, true), 'done'],
    ['finished, opened again', loaded({ ...initiated, status: 'completed' }, false), 'used'],
    ['expired', loaded({ ...initiated, status: 'expired' }, true), 'expired'],
    ['cancelled', loaded({ ...initiated, status: 'cancelled' }, true), 'cancelled'],
  ])('%s', (_what, event, screen) => {
    expect(run([event]).page.screen.name).toBe(screen);
  });
});

describe('sad paths', () => {
  it('does not count down to a recording while another page is in front', () => {
    const counting = run([
      loaded(sampleState()),
      { type: 'agree' },
      begun(),
      opened,
      { type: 'guidance', state: 'off' },
      { type: 'ready' },
      { type: 'recording_failed', why: 'interrupted' },
    ]).page;
    expect(counting.screen).toMatchObject({ name: 'position', manual: true, countdown: null });
    const ticks: PageEvent[] = [{ type: 'tick' }, { type: 'tick' }, { type: 'tick' }];
    expect(run(ticks, counting).page.screen.name).toBe('position');
    expect(run([{ type: 'ready' }, ...ticks], counting).page.screen.name).toBe('preparing');
  });

  it('a camera that stays silent counts as in use before a recording, and interrupts one that has begun', () => {
    const silent: PageEvent = { type: 'camera_silent' };
    const placing = run([...toRecording.slice(0, 4), silent]);
    expect(placing.page.screen.name).toBe('camera_busy');
    expect(placing.effects.at(-1)).toEqual({ do: 'stop_camera' });
    for (const count of [5, 6, 7]) {
      const { screen } = run([...toRecording.slice(0, count), silent]).page;
      expect(screen).toMatchObject({ name: 'retry', reason: 'interrupted' });
    }
  });

  it('a refusal of consent redirects, and the link stays usable', () => {
    const { page, effects } = run([
      loaded(sampleState()),
      { type: 'decline' },
      begun({ exit_redirect_url: 'https://client.example/back' }),
    ]);
    expect(page.screen).toEqual({ name: 'declined', redirectUrl: 'https://client.example/back' });
    expect(effects.at(-1)).toEqual({ do: 'redirect', url: 'https://client.example/back' });
    expect(effects).not.toContainEqual({ do: 'open_camera' });
    expect(run([{ type: 'begin' }], page).page.screen.name).toBe('privacy');
  });

  it.each(['denied', 'missing', 'busy'] as const)('camera %s can be tried again', (why) => {
    const { page } = run([...toRecording.slice(0, 3), failed(why)]);
    expect(page.screen.name).toBe(`camera_${why}`);
    const again = transition(page, { type: 'open_camera' });
    expect(again.page.screen.name).toBe('camera_asking');
    expect(again.effects).toEqual([
      { do: 'open_camera', id: null },
      { do: 'remind', afterMs: ASKED_LONG_MS },
    ]);
  });

  it('a device without a camera can hand over after the check has begun, even if it is no computer', () => {
    const asked: PageEvent = { type: 'hand_off', target: 'phone' };
    const missing = run([...toRecording.slice(0, 3), failed('missing'), asked], initialPage(phone, null));
    expect(missing.page.screen).toMatchObject({ name: 'hand_off', target: 'phone', chosen: true });
    const busy = run([...toRecording.slice(0, 3), failed('busy'), asked], initialPage(phone, null));
    expect(busy.page.screen.name).toBe('camera_busy');
  });

  it('only a denied camera is reported as denied', () => {
    const denied = run([...toRecording.slice(0, 3), failed('denied')]);
    expect(denied.effects).toContainEqual({ do: 'report', event: { name: 'camera_denied' } });
    const bySite = run([...toRecording.slice(0, 3), failed('denied', 'by_site')]);
    const cause = 'by_site';
    expect(bySite.effects).toContainEqual({ do: 'report', event: { name: 'camera_denied', cause } });
    const missing = run([...toRecording.slice(0, 3), failed('missing')]);
    expect(missing.effects.map((effect) => effect.do)).not.toContain('report');
  });

  it('an app’s own browser without a camera leads out of the app', () => {
    const inApp: Setting = { ...phone, inApp: true };
    const begin = [...toRecording.slice(0, 3), failed('denied')];
    expect(run(begin, initialPage(inApp, null)).page.screen.name).toBe('in_app');
    const blind = initialPage({ ...inApp, hasCamera: false }, null);
    expect(run([loaded(sampleState())], blind).page.screen.name).toBe('in_app');
    const refused = run([{ type: 'refused', why: 'unsupported' }], initialPage(inApp, null));
    expect(refused.page.screen.name).toBe('in_app');
  });

  it('a computer without a camera hands over by itself; one with a camera may do so', () => {
    const blind = run([loaded(sampleState())], initialPage({ ...computer, hasCamera: false }, null));
    // A person who has connected a camera meanwhile is not sent back to the phone.
    const here = run([{ type: 'begin' }, loaded(sampleState())], blind.page);
    expect(here.page.screen.name).toBe('privacy');
    expect(blind.page.screen).toMatchObject({ name: 'hand_off', target: 'phone', chosen: false });
    expect(blind.effects.at(-1)).toEqual({ do: 'follow', target: 'phone' });
    const chosen = run(
      [loaded(sampleState()), { type: 'hand_off', target: 'phone' }],
      initialPage(computer, null),
    );
    expect(chosen.page.screen).toMatchObject({ name: 'hand_off', chosen: true });
    const onPhone = run([loaded(sampleState()), { type: 'hand_off', target: 'phone' }]);
    expect(onPhone.page.screen.name).toBe('privacy');
  });

  it('following a hand-off stops when the hand-off ends, however it ends', () => {
    const exit_redirect_url = 'https://a.example/';
    const { page } = run(
      [
        loaded(sampleState({ exit_redirect_url })),
        { type: 'hand_off', target: 'phone' },
        { type: 'taken_up' },
      ],
      initialPage(computer, null),
    );
    expect(page.screen).toMatchObject({ name: 'hand_off', takenUp: true });
    const done = transition(page, { type: 'followed_to_end' });
    expect(done.page.screen.name).toBe('done');
    expect(done.effects).toEqual([{ do: 'stop_following' }, { do: 'redirect', url: 'https://a.example/' }]);
    expect(transition(page, { type: 'begin' }).effects).toEqual([{ do: 'stop_following' }, { do: 'load' }]);
  });

  it.each<[string, PageEvent[]]>([
    ['at its start', [loaded(sampleState()), { type: 'agree' }]],
    ['in front of the camera', toRecording.slice(0, 5)],
    ['between two tries', [...toRecording, { type: 'recording_failed', why: 'interrupted' }]],
  ])('a page that lost its check %s follows it, and goes on here if the person wants', (_when, events) => {
    const lost = run([...events, { type: 'call_failed', fault: 'other_device' }]);
    expect(lost.page.screen).toMatchObject({ name: 'hand_off', target: 'elsewhere' });
    expect(lost.effects.at(-1)).toEqual({ do: 'follow', target: 'elsewhere' });
    const here = transition(lost.page, { type: 'begin' });
    expect(here.effects).toEqual([{ do: 'stop_following' }, { do: 'load' }]);
    const initiated = sampleState({ status: 'initiated', device_bound: true });
    expect(run([loaded(initiated)], here.page).page.screen.name).toBe('privacy');
    // Not while the other device records.
    const kept = run([loaded({ ...initiated, may_start: false })], here.page).page;
    expect(kept.screen).toMatchObject({ name: 'hand_off', target: 'elsewhere' });
    const reloaded: PageEvent = {
      type: 'loaded',
      challenge: initiated,
      pending: null,
      following: 'elsewhere',
    };
    expect(run([reloaded]).page.screen).toMatchObject({ name: 'hand_off', target: 'elsewhere' });
  });

  it('a page that is in front again asks whether the check went on elsewhere, except amid a call of its own', () => {
    const asks: Effect[] = [{ do: 'ask_whether_over' }];
    const back: PageEvent = { type: 'returned' };
    for (const count of [1, 3, 4])
      expect(run([back], run(toRecording.slice(0, count)).page).effects).toEqual(asks);
    const followed = run([...toRecording.slice(0, 3), { type: 'call_failed', fault: 'other_device' }]).page;
    const waits = run([...toRecording, recorded, { type: 'upload_complete' }]).page;
    for (const page of [freshPage, followed, waits]) expect(run([back], page).effects).toEqual([]);
  });

  it('a page whose check is tied to another browser offers nothing that cannot work', () => {
    const { page } = run([...toRecording.slice(0, 2), { type: 'call_failed', fault: 'other_browser' }]);
    expect(page.screen).toEqual({ name: 'other_device' });
  });

  it('asks for consent again where a start elsewhere has withdrawn it', () => {
    const consent = { ...sampleState().consent, given: true };
    const started = sampleState({ status: 'initiated', device_bound: true, consent });
    const { page, effects } = run([loaded(started, true), { type: 'begin' }, begun({ status: 'initiated' })]);
    expect(page.screen.name).toBe('privacy');
    expect(effects).not.toContainEqual({ do: 'open_camera', id: null });
  });

  it('the tab that took a check over leaves the redirect to the one that follows', () => {
    const { page, effects } = run(
      [
        ...toRecording,
        recorded,
        { type: 'upload_complete' },
        { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: 'https://a.example/' },
      ],
      initialPage({ ...phone, handedOver: 'phone' }, null),
    );
    expect(page.screen).toMatchObject({ name: 'done', handedOver: 'phone' });
    expect(effects.map((effect) => effect.do)).not.toContain('redirect');
  });

  it('leaving stops the camera, and the check can be continued', () => {
    for (const count of [3, 4, 6, 7]) {
      const { page } = run(toRecording.slice(0, count));
      const { page: next, effects } = transition(page, { type: 'leave' });
      expect(next.screen.name).toBe('left');
      expect(effects).toEqual([{ do: 'stop_camera' }]);
      expect(transition(next, { type: 'begin' }).page.screen.name).toMatch(/start|privacy/);
    }
  });

  it('the camera can be asked for again only when the permission prompt stays unanswered', () => {
    const { page } = run(toRecording.slice(0, 3));
    expect(transition(page, { type: 'open_camera' }).effects).toEqual([]);
    const slow = transition(page, { type: 'asked_long' }).page;
    expect(slow.screen).toEqual({ name: 'camera_asking', slow: true });
    expect(transition(slow, { type: 'open_camera' }).effects[0]).toEqual({ do: 'open_camera', id: null });
  });

  it('an upload begins without a promise, keeps its deadlines, and is recorded again if it came too late', () => {
    const begun = run([...toRecording, recorded]).page;
    expect(begun.screen).toEqual({
      name: 'uploading',
      status: { phase: 'committing', progress: 0, committed: false, lost: false },
      deadlines,
    });
    const { page } = transition(begun, { type: 'upload', status: waiting });
    expect(page.screen).toEqual({ name: 'uploading', status: waiting, deadlines });
    const late = transition(page, { type: 'upload_lost', why: 'upload_lost' }).page;
    expect(late.screen).toMatchObject({ name: 'retry', reason: 'upload_lost', triesLeft: 2 });
  });

  it('a video that the server refuses for its script is the page’s own fault', () => {
    const { page } = run([...toRecording, recorded, { type: 'upload_lost', why: 'page_fault' }]);
    expect(page.screen).toEqual({ name: 'retry', reason: 'page_fault', triesLeft: 2 });
  });

  it('a script that was drawn counts as a try, and a failed last one ends the check', () => {
    const lastTry = [
      loaded(sampleState({ tries_left: 1 })),
      { type: 'agree' },
      begun({ tries_left: 1 }),
    ] satisfies PageEvent[];
    const beforeIt = [
      ...lastTry,
      opened,
      { type: 'recording_failed', why: 'camera_lost' },
    ] satisfies PageEvent[];
    expect(run(beforeIt).page.screen).toEqual({ name: 'retry', reason: 'camera_lost', triesLeft: 1 });
    const { page, effects } = run([
      ...lastTry,
      ...toRecording.slice(3),
      { type: 'recording_failed', why: 'interrupted' },
    ]);
    expect(page.screen).toEqual({ name: 'no_tries', reason: 'interrupted' });
    expect(effects).toContainEqual({ do: 'stop_camera' });
  });

  it('waits for the previous recording to run out, with the camera off, and continues by itself', () => {
    const { page, effects } = run([
      ...toRecording.slice(0, 5),
      { type: 'capture_under_way', untilMs: 34_000 },
    ]);
    expect(page.screen).toEqual({ name: 'waiting', untilMs: 34_000 });
    expect(effects.slice(-2)).toEqual([{ do: 'stop_camera' }, { do: 'wait', untilMs: 34_000 }]);
    expect(run([{ type: 'waited' }], page).page.screen.name).toBe('camera_asking');
    expect(run([{ type: 'leave' }, { type: 'waited' }], page).page.screen.name).toBe('left');
  });

  it('ticks prompts off, and shows only trouble that lasts and spoils the recording', () => {
    const { page } = run([...toRecording, { type: 'hint', hint: 'look_ahead' }]);
    expect(page.screen).toMatchObject({ name: 'recording', step: 0, answered: false, trouble: null });
    expect(page.screen).toMatchObject({ asked: { prompt: 'neutral' } });
    const smile = { prompt: 'smile', hold_ms: 300 } as const;
    const ended: PageEvent = { type: 'step_ended', index: 0, answered: true, next: smile };
    const next = run([{ type: 'hint', hint: 'no_face' }, ended], page).page;
    expect(next.screen).toMatchObject({ step: 1, asked: smile, answered: true, trouble: 'no_face' });
  });

  it('shows where the head aims until the step is over', () => {
    const aim = { at: { x: 4, y: -2 }, held: 0.5, advice: null };
    const { page } = run([...toRecording, { type: 'aimed', aim }]);
    expect(page.screen).toMatchObject({ aim });
    const ended: PageEvent = { type: 'step_ended', index: 0, answered: true, next: null };
    expect(run([ended], page).page.screen).toMatchObject({ aim: null });
  });

  it.each([
    ['unknown', 'unknown_link'],
    ['completed', 'used'],
    ['expired', 'expired'],
    ['cancelled', 'cancelled'],
    ['busy', 'busy'],
    ['failed', 'unavailable'],
  ] as const)('a dead link (%s) stays on its screen whatever happens', (dead_link, name) => {
    const page = deadPage(phone, { dead_link, owner: null });
    expect(page.screen).toEqual({ name });
    expect(run([{ type: 'begin' }, { type: 'open_camera' }, { type: 'leave' }], page).page).toEqual(page);
  });

  describe('a person who cannot do everything', () => {
    const says = (what: 'turn' | 'smile', on = true) => ({ type: 'cannot', what, on }) as const;
    const [turn, smile] = [says('turn'), says('smile')];
    const saying = (challenge: Partial<CaptureState>, ...events: PageEvent[]) =>
      run([loaded(sampleState(challenge)), ...events]).page;
    /** Where the client has no other way. */
    const after = (ways: CaptureState['accessible_ways'], ...events: PageEvent[]) => {
      const page = saying({ accessible_ways: ways, alternative_url: null }, ...events);
      expect(otherWayFirst(page)).toBe(false);
      return { way: wayOf(page), neither: page.neither };
    };

    it('is asked for the rest', () => {
      const ways = ['without_turns', 'without_smile'] as const;
      expect(after([...ways])).toEqual({ way: null, neither: false });
      expect(after([...ways], says('turn'))).toEqual({ way: 'without_turns', neither: false });
      expect(after([...ways], says('smile'))).toEqual({ way: 'without_smile', neither: false });
      expect(after([...ways], says('turn'), says('turn', false))).toEqual({ way: null, neither: false });
    });

    it('is asked for one of the two, and told so, where both may not be left out', () => {
      const ways = ['without_turns', 'without_smile'] as const;
      expect(after([...ways], says('turn'), says('smile'))).toEqual({ way: 'without_smile', neither: true });
      const again = [says('turn'), says('smile'), says('smile', false)];
      expect(after([...ways], ...again)).toEqual({ way: null, neither: false });
    });

    it('is asked for nothing where both may be left out', () => {
      expect(after([...ACCESSIBLE_WAYS], says('turn'), says('smile'))).toEqual({
        way: 'passive',
        neither: false,
      });
      // Where the operator asks for one kind of movement only.
      expect(after(['passive'], says('turn'))).toEqual({ way: 'passive', neither: false });
      expect(after([], says('turn'))).toEqual({ way: null, neither: false });
    });

    it.each([
      ['one_kind', ACCESSIBLE_WAYS.filter((way) => way !== 'passive')],
      ['passive', [...ACCESSIBLE_WAYS]],
    ])('is led to the client’s other way first once they can do neither (%s)', (policy, ways) => {
      const ticking = (...ticks: PageEvent[]) => saying({ accessible_ways: ways }, ...ticks);
      for (const [first, second] of [
        [turn, smile],
        [smile, turn],
      ] as const) {
        expect(otherWayFirst(ticking(first))).toBe(false);
        const both = ticking(first, second);
        expect(otherWayFirst(both)).toBe(true);
        // Both boxes stay ticked, and without `passive` there is nothing left to record.
        expect(both).toMatchObject({ cannot: [first.what, second.what], neither: policy === 'one_kind' });
        const { page } = run([{ ...first, on: false }], both);
        expect(otherWayFirst(page)).toBe(false);
        expect(page).toMatchObject({ cannot: [second.what], neither: false });
      }
    });

    it('keeps that for every later try', () => {
      const offers = { tries_left: 3 };
      const recorded: PageEvent[] = [
        loaded(sampleState(offers)),
        says('turn'),
        { type: 'agree' },
        begun(offers),
        opened,
        { type: 'aligned' },
        { type: 'capture_issued', capture },
        { type: 'recording_failed', why: 'camera_lost' },
      ];
      const { page } = run(recorded);
      expect(page.screen.name).toBe('retry');
      expect(wayOf(page)).toBe('without_turns');
      expect(wayOf(run([says('turn', false)], page).page)).toBeNull();
    });
  });

  it.each<PageEvent>([
    { type: 'recording_failed', why: 'recorder_failed' },
    { type: 'upload_lost', why: 'upload_lost' },
    { type: 'camera_silent' },
  ])('asks whether the check is over where the page itself gives a recording up: $type', (lost) => {
    const { page, effects } = run([...toRecording, lost]);
    expect(page.screen.name).toBe('retry');
    expect(effects.at(-1)).toEqual({ do: 'ask_whether_over' });
    expect(run([{ type: 'call_failed', fault: 'cancelled' }], page).page.screen).toEqual({
      name: 'cancelled',
    });
  });

  it('says whether the device was to blame for a recording that came too late', () => {
    const lost: PageEvent = { type: 'upload_lost', why: 'upload_lost' };
    expect(run([...toRecording, lost]).page.screen).toMatchObject({ name: 'retry', reason: 'upload_lost' });
    const slow = run([...toRecording, { type: 'slow' }, lost]).page;
    expect(slow.screen).toMatchObject({ name: 'retry', reason: 'too_slow' });
    const waitedFor: PageEvent = { type: 'recording_failed', why: 'connection_slow' };
    const waited = run([...toRecording, { type: 'slow' }, waitedFor]);
    expect(waited.page.screen).toMatchObject({ name: 'retry', reason: 'too_slow' });
    // A line that is down is the reason, whatever the device, and whether or not the browser noticed.
    const unnoticed: PageEvent[] = [{ type: 'upload', status: waiting }, waitedFor];
    for (const events of [[{ type: 'offline' } as const, waitedFor], unnoticed]) {
      const { screen } = run([...toRecording, { type: 'slow' }, ...events]).page;
      expect(screen).toMatchObject({ name: 'retry', reason: 'upload_lost' });
    }
    const after = run([...toRecording, { type: 'slow' }, recorded, lost]).page;
    expect(after.screen).toMatchObject({ name: 'retry', reason: 'too_slow' });
    // Each recording is assessed by itself; the next one is rehearsed.
    const next = run([{ type: 'open_camera' }, opened, { type: 'aligned' }], slow);
    expect(next.effects).toContainEqual({ do: 'rehearse' });
    const recording = run(
      [
        { type: 'rehearsed', inTime: true },
        { type: 'capture_issued', capture },
      ],
      next.page,
    );
    expect(recording.page.slow).toBe(false);
    // So is the one after a slow recording that was sent back for another reason, but not after a device that kept up.
    const judged: PageEvent = {
      type: 'outcome',
      status: 'retry',
      reason: 'too_short',
      triesLeft: 2,
      redirectUrl: null,
    };
    const toJudgement: PageEvent[] = [recorded, { type: 'upload_complete' }, judged];
    const once = (how: PageEvent[]) =>
      run([...toRecording, ...how, ...toJudgement, { type: 'open_camera' }, opened, { type: 'aligned' }]);
    expect(once([{ type: 'slow' }]).effects).toContainEqual({ do: 'rehearse' });
    expect(once([]).effects).not.toContainEqual({ do: 'rehearse' });
    // A connection that was certainly lost is to blame, however slow the device was. The next recording starts afresh.
    const away = run([...toRecording, { type: 'slow' }, { type: 'offline' }, lost]).page;
    expect(away.screen).toMatchObject({ name: 'retry', reason: 'upload_lost' });
    const drawn: PageEvent = { type: 'capture_issued', capture };
    expect(run([drawn], { ...next.page, wasOffline: true }).page.wasOffline).toBe(false);
    // A device that was warned before is to blame, however well it did this time.
    expect(run([lost], recording.page).page.screen).toMatchObject({ name: 'retry', reason: 'too_slow' });
  });

  it('asks for another camera where one sees no colour and there are several, and lets the person go on', () => {
    const cameras = [
      { id: 'a', label: 'Infrared' },
      { id: 'b', label: 'Colour' },
    ];
    const grey: PageEvent[] = [{ type: 'hint', hint: 'no_colour' }, { type: 'aligned' }];
    const position = run([loaded(sampleState()), { type: 'agree' }, begun()]).page;
    const several = run([{ ...opened, cameras, cameraId: 'a' }, ...grey], position).page;
    expect(several.screen).toMatchObject({ name: 'position', hint: 'no_colour' });
    const tick: PageEvent = { type: 'tick' };
    expect(run([{ type: 'ready' }, tick, tick, tick], several).page.screen.name).toBe('preparing');
    expect(run([opened, ...grey], position).page.screen.name).toBe('preparing');
  });

  it('says that the network refuses recordings before a script is drawn, once', () => {
    const refused: PageEvent = { type: 'upload_lost', why: 'network_blocks' };
    const asked = run(toRecording.slice(0, 4));
    expect(asked.effects).toContainEqual({ do: 'try_way' });
    const told = run([refused], asked.page);
    expect(told.page.screen).toEqual({ name: 'retry', reason: 'network_blocks', triesLeft: 3 });
    const anew = run([{ type: 'open_camera' }, opened], told.page);
    expect(anew.page.screen.name).toBe('position');
    expect(anew.effects).not.toContainEqual({ do: 'try_way' });
  });

  it('says that it takes longer when a script is long in coming, and nowhere else', () => {
    const { page, effects } = run(toRecording.slice(0, -2));
    expect(page.screen).toEqual({ name: 'preparing', long: false });
    expect(effects).toContainEqual({ do: 'explain_delay', afterMs: 8_000 });
    expect(run([{ type: 'prepares_long' }], page).page.screen).toEqual({ name: 'preparing', long: true });
    const recording = run(toRecording).page;
    expect(run([{ type: 'prepares_long' }], recording).page).toBe(recording);
  });

  it('says before a recording that the device is too slow for one, and draws no script that cannot be recorded', () => {
    const positioned = [
      loaded(sampleState({ tries_left: 3 })),
      { type: 'agree' } as const,
      begun({ tries_left: 3 }),
    ];
    const told = run([...positioned, { type: 'busy' }, { type: 'stuck' }, opened, { type: 'aligned' }]);
    expect(told.page.screen).toEqual({ name: 'retry', reason: 'too_slow', triesLeft: 3 });
    expect(told.effects).not.toContainEqual({ do: 'issue_capture' });
    expect(told.effects.filter((effect) => effect.do === 'slow_guidance')).toHaveLength(1);
    // A person who tries all the same rehearses first, as often as they like.
    const again = run([{ type: 'open_camera' }, opened, { type: 'stuck' }, { type: 'aligned' }], told.page);
    expect(again.page.screen.name).toBe('preparing');
    expect(again.effects).toContainEqual({ do: 'rehearse' });
    expect(again.effects).not.toContainEqual({ do: 'issue_capture' });
    const inVain = run([{ type: 'rehearsed', inTime: false }], again.page);
    expect(inVain.page.screen).toEqual({ name: 'retry', reason: 'too_slow', triesLeft: 3 });
    expect(inVain.effects).toContainEqual({ do: 'stop_camera' });
    expect(run([{ type: 'rehearsed', inTime: true }], again.page).effects).toEqual([{ do: 'issue_capture' }]);
    // The same applies to a start by hand.
    const byHand = run([...positioned, { type: 'stuck' }, opened, { type: 'ready' }]).page;
    expect(run([{ type: 'tick' }, { type: 'tick' }, { type: 'tick' }], byHand).page.screen.name).toBe(
      'retry',
    );
  });

  it('offers a phone when the computer failed a recording, not when the person did', () => {
    const onComputer = initialPage(computer, null);
    const failedBy = (why: 'too_slow' | 'interrupted') =>
      run(
        [...toRecording, { type: 'recording_failed', why }, { type: 'hand_off', target: 'phone' }],
        onComputer,
      );
    expect(failedBy('too_slow').page.screen).toMatchObject({ name: 'hand_off', target: 'phone' });
    expect(failedBy('interrupted').page.screen.name).toBe('retry');
  });

  it('says during a recording that the connection is lost, for as long as it is', () => {
    const away = run([...toRecording, { type: 'upload', status: waiting }]).page;
    expect(away.screen).toMatchObject({ name: 'recording', offline: true });
    const back: UploadStatus = { ...waiting, phase: 'sending' };
    expect(run([{ type: 'upload', status: back }], away).page.screen).toMatchObject({ offline: false });
  });

  it('a camera lost while recording ends the recording and offers another try', () => {
    const { page, effects } = run([...toRecording, { type: 'recording_failed', why: 'camera_lost' }]);
    expect(page.screen).toMatchObject({ name: 'retry', reason: 'camera_lost' });
    expect(effects).toContainEqual({ do: 'stop_camera' });
  });

  it('a conflict reloads the state from the server; a second one means that another device has the check', () => {
    const { page, effects } = run([
      loaded(sampleState()),
      { type: 'agree' },
      { type: 'call_failed', fault: 'conflict' },
    ]);
    expect(page.screen.name).toBe('boot');
    expect(effects.at(-1)).toEqual({ do: 'load' });
    const again = run([{ type: 'call_failed', fault: 'conflict' }], page);
    expect(again.page.screen).toMatchObject({ name: 'hand_off', target: 'elsewhere' });
  });

  it('the first screens stay when there is no connection, and say so', () => {
    const { page } = run([
      loaded(sampleState()),
      { type: 'agree' },
      { type: 'call_failed', fault: 'offline' },
    ]);
    expect(page.screen).toEqual({ name: 'privacy', busy: null, fault: 'offline' });
  });
});

const anyEvent: fc.Arbitrary<PageEvent> = fc.constantFrom<PageEvent>(
  loaded(sampleState()),
  loaded(sampleState({ status: 'processing' }), true),
  loaded(sampleState({ status: 'completed' })),
  { type: 'agree' },
  { type: 'decline' },
  { type: 'begin' },
  begun(),
  { type: 'open_camera' },
  { type: 'asked_long' },
  { type: 'leave' },
  { type: 'choose_camera', id: 'b' },
  { type: 'busy' },
  { type: 'stuck' },
  { type: 'light', hint: 'too_dark' },
  { type: 'hand_off', target: 'tab' },
  { type: 'hand_off', target: 'phone' },
  { type: 'taken_up' },
  { type: 'taken_over' },
  { type: 'followed_to_end' },
  { type: 'call_failed', fault: 'other_device' },
  opened,
  failed('denied'),
  { type: 'guidance', state: 'live' },
  { type: 'guidance', state: 'off' },
  { type: 'hint', hint: 'ok' },
  { type: 'hint', hint: 'no_colour' },
  { type: 'aligned' },
  { type: 'ready' },
  { type: 'tick' },
  { type: 'capture_issued', capture },
  { type: 'capture_under_way', untilMs: 1_000 },
  { type: 'waited' },
  { type: 'recorder_started' },
  { type: 'aimed', aim: { at: null, held: 0, advice: 'further' } },
  { type: 'step_ended', index: 0, answered: true, next: null },
  recorded,
  { type: 'recording_failed', why: 'interrupted' },
  { type: 'upload', status: waiting },
  { type: 'upload_complete' },
  { type: 'upload_lost', why: 'upload_lost' },
  { type: 'outcome', status: 'retry', reason: 'blurred', triesLeft: 1, redirectUrl: null },
  { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: null },
  { type: 'call_failed', fault: 'offline' },
  { type: 'call_failed', fault: 'gone' },
  { type: 'call_failed', fault: 'conflict' },
  { type: 'reload' },
  { type: 'returned' },
);

describe('whatever happens', () => {
  it('the camera stops on every way out of the camera screens', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let page: Page = freshPage;
        for (const event of events) {
          const next = transition(page, event);
          const left =
            CAMERA_SCREENS.includes(page.screen.name) && !CAMERA_SCREENS.includes(next.page.screen.name);
          expect(next.effects.some((effect) => effect.do === 'stop_camera')).toBe(left);
          page = next.page;
        }
      }),
    );
  });

  it('nothing is recorded before the camera was opened, and nothing sent that was not recorded', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let page: Page = freshPage;
        for (const event of events) {
          const next = transition(page, event);
          for (const effect of next.effects) {
            if (effect.do === 'record') expect(page.screen.name).toBe('preparing');
            if (effect.do === 'issue_capture') expect(page.screen.name).toBe('position');
            if (effect.do === 'upload') expect(['recording', 'uploading']).toContain(page.screen.name);
          }
          page = next.page;
        }
      }),
    );
  });

  it('pages are values: a transition leaves the old one as it was', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        let page: Page = freshPage;
        for (const event of events) {
          const before = JSON.stringify(page);
          const next = transition(page, event);
          expect(JSON.stringify(page)).toBe(before);
          page = next.page;
        }
      }),
    );
  });
});
