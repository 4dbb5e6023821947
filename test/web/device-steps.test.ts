// The state machine while the person's device is asked to sign the recording.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import type { PasskeyAnswer, PasskeyAsk } from '../../src/contract/device.ts';
import type { Effect } from '../../web/capture/flow/effect.ts';
import { startsAnew } from '../../web/capture/flow/end-steps.ts';
import { initialPage, transition } from '../../web/capture/flow/machine.ts';
import type { Page, PageEvent, Setting } from '../../web/capture/flow/screens.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';
import type { UploadStatus } from '../../web/capture/upload/upload.ts';

const setting: Setting = {
  computer: false,
  inApp: false,
  hasCamera: true,
  passkeys: { sign: true, make: true },
  handedOver: null,
};
const deadlines = { commitByMs: 5_000, uploadByMs: 600_000 };
const nothing: PasskeyAsk = {
  challenge_id: 'chg_1',
  rp_id: 'check.example',
  rp_name: 'Harbour Bank',
  required: false,
  known: [],
  new_user_id: null,
};
const enrol: PasskeyAsk = { ...nothing, new_user_id: 'u' };
const confirm: PasskeyAsk = { ...nothing, known: [{ id: 'k', transports: ['internal'] }] };
const both: PasskeyAsk = { ...confirm, new_user_id: 'u' };
const made: PasskeyAnswer = {
  kind: 'made',
  made: {
    id: 'new',
    rawId: 'new',
    type: 'public-key',
    response: { clientDataJSON: 'c', attestationObject: 'a' },
  },
};
const sending: UploadStatus = { phase: 'sending', progress: 0.5, committed: true, lost: false };
const DISOWNED = { do: 'disown', key: { rpId: 'check.example', credentialId: 'new' } } satisfies Effect;

interface Run {
  readonly page: Page;
  readonly effects: readonly Effect[];
}

function run(events: readonly PageEvent[], from: Page): Run {
  return events.reduce<Run>(
    ({ page, effects }, event) => {
      const next = transition(page, event);
      return { page: next.page, effects: [...effects, ...next.effects] };
    },
    { page: from, effects: [] },
  );
}

/** The page right after a recording with this ask. */
function asked(ask: PasskeyAsk | null, passkeys = setting.passkeys, triesLeft = 3): Run {
  const challenge = sampleState({ tries_left: triesLeft });
  const screen: Page['screen'] = {
    name: 'recording',
    capture: {
      captureId: 'cap_1',
      script: { steps: [], max_step_ms: 6_000 },
      stepCount: 1,
      maxBytes: 1_000,
      chunkBytes: 100,
      sliceMs: 400,
      announcing: { issuedAtMs: 0, withinMs: 4_400 },
      deadlines,
      passkey: ask,
    },
    step: 1,
    asked: null,
    aim: null,
    answered: true,
    trouble: null,
    offline: false,
  };
  const recording = { ...initialPage({ ...setting, passkeys }, challenge), screen };
  return run([{ type: 'recorded', deadlines }], recording);
}

const names = ({ effects }: Run) => effects.map((effect) => effect.do);

describe('the end of a recording', () => {
  it('shows no further screen where no device is asked', () => {
    const after = asked(null);
    expect(after.page.screen.name).toBe('uploading');
    expect(names(after)).toEqual(['stop_camera', 'upload']);
  });

  it.each([
    ['enrolment', enrol],
    ['confirmation', confirm],
    ['either', both],
  ] as const)('asks for the device while the bytes are sent: %s', (_what, ask) => {
    const after = asked(ask);
    expect(after.page.screen).toMatchObject({ name: 'device', ask, busy: null, said: null });
    expect(after.effects).toEqual([
      { do: 'stop_camera' },
      { do: 'upload' },
      { do: 'prepare_device', ask },
      { do: 'wait', untilMs: deadlines.uploadByMs },
    ]);
  });

  it('answers by itself where there is nothing to ask', () => {
    const after = asked(nothing);
    expect(after.page.screen.name).toBe('uploading');
    expect(after.effects).toContainEqual({ do: 'answer_device', answer: { kind: 'declined' } });
  });

  it('says so where the browser can do nothing of it, and goes on with a tap', () => {
    for (const [ask, can] of [
      [both, { sign: false, make: false }],
      [enrol, { sign: true, make: false }],
      [confirm, { sign: false, make: true }],
    ] as const) {
      const after = asked(ask, can);
      expect(after.page.screen).toMatchObject({ name: 'device', said: 'unavailable' });
      expect(run([{ type: 'use_device', way: 'make' }], after.page).effects).toEqual([]);
      const onward = run([{ type: 'without_device' }], after.page);
      expect(onward.page.screen.name).toBe('uploading');
      expect(onward.effects).toEqual([{ do: 'answer_device', answer: { kind: 'unavailable' } }]);
    }
  });

  it('is found again after a reload for as long as the answer is missing', () => {
    const capture = {
      id: 'cap_1',
      state: 'committed',
      received_bytes: 1_000,
      size_bytes: 1_000,
      announced_slices: 2,
    } as const;
    const loaded = (passkey: PasskeyAsk | null): PageEvent => ({
      type: 'loaded',
      challenge: sampleState({ status: 'initiated', bound_here: true, capture: { ...capture, passkey } }),
      pending: deadlines,
      following: null,
    });
    const opened = initialPage(setting, null);
    const again = run([loaded(both)], opened);
    expect(again.page.screen).toMatchObject({ name: 'device', status: { committed: true } });
    expect(names(again)).toEqual(['upload', 'prepare_device', 'wait']);
    expect(run([loaded(null)], opened).page.screen.name).toBe('uploading');
  });
});

describe('a browser that can do nothing of it, where the device is required', () => {
  const none = { sign: false, make: false };
  const required = sampleState({ device_required: true, tries_left: 3 });
  const load = (challenge: CaptureState, change: Partial<Setting> = {}) =>
    run(
      [{ type: 'loaded', challenge, pending: null, following: null }],
      initialPage({ ...setting, passkeys: none, ...change }, null),
    );

  it('is told before the recording, also before another one and after leaving', () => {
    const told = load(required);
    expect(told.page.screen).toEqual({ name: 'device_missing' });
    const back = run([{ type: 'leave' }, { type: 'begin' }], told.page);
    expect(back.page.screen).toEqual({ name: 'device_missing' });
    const retried = load({ ...required, bound_here: true, retry_reason: 'blurred' });
    expect(retried.page.screen).toEqual({ name: 'device_missing' });
    expect(load({ ...required, tries_left: 0 }).page.screen.name).toBe('no_tries');
  });

  it('hands the check over: from a computer to a phone, from a frame to a tab', () => {
    const computer = load(required, { computer: true }).page;
    for (const [page, target] of [
      [computer, 'phone'],
      [load(required).page, 'tab'],
    ] as const)
      expect(run([{ type: 'hand_off', target }], page).page.screen).toMatchObject({
        name: 'hand_off',
        target,
      });
    const phone = load(required).page;
    expect(run([{ type: 'hand_off', target: 'phone' }], phone).page).toBe(phone);
  });

  it('is asked as any other where the device is only offered, or the browser can do some of it', () => {
    expect(load(sampleState()).page.screen.name).toBe('privacy');
    expect(load(required, { passkeys: { ...none, sign: true } }).page.screen.name).toBe('privacy');
  });
});

describe('the device', () => {
  it('is asked with a tap, once at a time, only for what is wanted', () => {
    const { page } = asked(confirm);
    expect(run([{ type: 'use_device', way: 'make' }], page).page).toBe(page);
    const tapped = run(
      [
        { type: 'use_device', way: 'sign' },
        { type: 'use_device', way: 'sign' },
      ],
      page,
    );
    expect(tapped.page.screen).toMatchObject({ busy: 'sign' });
    expect(tapped.effects).toEqual([{ do: 'ask_device', ask: confirm, way: 'sign' }]);
  });

  it('answers while the upload goes on, which then shows how far it is', () => {
    const answered = run(
      [
        { type: 'use_device', way: 'make' },
        { type: 'upload', status: sending },
        { type: 'device_answered', answer: made },
      ],
      asked(enrol).page,
    );
    expect(answered.page.screen).toEqual({ name: 'uploading', status: sending, deadlines });
    expect(answered.effects).toContainEqual({ do: 'answer_device', answer: made });
    expect(run([{ type: 'upload_complete' }], answered.page).page.screen.name).toBe('processing');
  });

  it('whose dialog was closed may be asked again', () => {
    const closed = run(
      [
        { type: 'use_device', way: 'sign' },
        { type: 'device_failed', why: 'cancelled' },
      ],
      asked(both).page,
    );
    expect(closed.page.screen).toMatchObject({ name: 'device', busy: null, said: 'cancelled' });
    const again = run([{ type: 'use_device', way: 'make' }], closed.page);
    expect(again.page.screen).toMatchObject({ busy: 'make', said: null });
  });

  it('that is required is declined only by a second tap, after being told what follows', () => {
    const { page } = asked({ ...both, required: true });
    const told = run([{ type: 'without_device' }], page);
    expect(told.page.screen).toMatchObject({ name: 'device', said: 'declining' });
    expect(told.effects).toEqual([]);
    const declined = run([{ type: 'without_device' }], told.page);
    expect(declined.effects).toEqual([{ do: 'answer_device', answer: { kind: 'declined' } }]);
    // Whoever tried the device in between is told again.
    const tried = run(
      [
        { type: 'use_device', way: 'sign' },
        { type: 'device_failed', why: 'cancelled' },
        { type: 'without_device' },
      ],
      told.page,
    );
    expect(tried.page.screen).toMatchObject({ name: 'device', said: 'declining' });
  });

  it('that is only offered is declined at once, also while its dialog is open', () => {
    const declined = run(
      [{ type: 'use_device', way: 'make' }, { type: 'without_device' }],
      asked(enrol).page,
    );
    expect(declined.page.screen.name).toBe('uploading');
    expect(names(declined)).toEqual(['ask_device', 'stop_asking', 'answer_device']);
    // What it says afterwards changes nothing.
    expect(run([{ type: 'device_answered', answer: made }], declined.page).page).toBe(declined.page);
  });
});

describe('meanwhile', () => {
  const { page } = asked(both);

  it('the upload may be lost, the check may end, and the person may have gone on elsewhere', () => {
    const busy = run([{ type: 'use_device', way: 'sign' }], page).page;
    const lost = run([{ type: 'upload_lost', why: 'upload_lost' }], busy);
    expect(lost.page.screen).toMatchObject({ name: 'retry', reason: 'upload_lost' });
    expect(lost.effects[0]).toEqual({ do: 'stop_asking' });
    for (const [fault, name] of [
      ['gone', 'expired'],
      ['cancelled', 'cancelled'],
    ] as const)
      expect(run([{ type: 'call_failed', fault }], page).page.screen.name).toBe(name);
    for (const type of ['returned', 'waited'] as const)
      expect(run([{ type }], page).effects).toEqual([{ do: 'ask_whether_over' }]);
    expect(run([{ type: 'upload_complete' }], page).page.screen.name).toBe('processing');
    // The page is hidden while the device shows its own dialog.
    expect(run([{ type: 'recording_failed', why: 'interrupted' }], page).page).toBe(page);
  });

  it('the person may leave, and come back to the same question', () => {
    const left = run([{ type: 'use_device', way: 'sign' }, { type: 'leave' }], page);
    expect(left.page.screen).toMatchObject({ name: 'left', recorded: true });
    expect(left.effects.at(-1)).toEqual({ do: 'stop_asking' });
    const back = run([{ type: 'begin' }], left.page);
    expect(back.page.screen.name).toBe('boot');
    expect(back.effects).toEqual([{ do: 'load' }]);
  });
});

describe('a passkey that was made here', () => {
  const answered: PageEvent[] = [
    { type: 'use_device', way: 'make' },
    { type: 'device_answered', answer: made },
  ];

  it.each([
    ['expired', { type: 'call_failed', fault: 'gone' }],
    ['cancelled', { type: 'call_failed', fault: 'cancelled' }],
  ] as const)('is disowned once the check has ended in vain: %s', (name, event) => {
    const ended = run([...answered, event], asked(enrol).page);
    expect(ended.page.screen.name).toBe(name);
    expect(ended.effects.filter((effect) => effect.do === 'disown')).toEqual([DISOWNED]);
    expect(ended.page.madeKey).toBeNull();
  });

  it('is disowned once where a start elsewhere took the check: the service has forgotten it', () => {
    const retried: PageEvent[] = [
      ...answered,
      { type: 'upload_complete' },
      { type: 'outcome', status: 'retry', reason: 'too_dark', triesLeft: 2, redirectUrl: null },
    ];
    const other = sampleState({ status: 'initiated', bound_here: false, device_bound: true });
    const loaded = (challenge: CaptureState): PageEvent[] => [
      { type: 'reload' },
      { type: 'loaded', challenge, pending: null, following: null },
    ];
    for (const events of [
      [{ type: 'call_failed', fault: 'other_device' }] as PageEvent[],
      loaded({ ...other, may_start: false }),
    ]) {
      const here = run(retried, asked(enrol).page);
      expect(here.effects).not.toContainEqual(DISOWNED);
      const taken = run([...events, { type: 'taken_up' }], here.page);
      expect(taken.page.screen).toMatchObject({ name: 'hand_off', target: 'elsewhere' });
      expect(taken.effects.filter((effect) => effect.do === 'disown')).toEqual([DISOWNED]);
      expect(taken.page.madeKey).toBeNull();
    }
  });

  it('is kept where the check is handed over, until the phone has started as a device of its own', () => {
    const page = { ...initialPage({ ...setting, computer: true }, sampleState()), madeKey: DISOWNED.key };
    const handed = run([{ type: 'hand_off', target: 'phone' }, { type: 'taken_up' }], {
      ...page,
      screen: { name: 'retry', reason: 'too_slow', triesLeft: 2 },
    });
    expect(handed.page).toMatchObject({ screen: { name: 'hand_off', takenUp: true }, madeKey: DISOWNED.key });
    expect(handed.effects).not.toContainEqual(DISOWNED);
    const over = run([{ type: 'taken_over' }, { type: 'taken_over' }], handed.page);
    expect(over.page).toMatchObject({ screen: { name: 'hand_off', target: 'phone' }, madeKey: null });
    expect(over.effects).toEqual([DISOWNED]);
  });

  it('is of no use to a phone, which starts anew; so it does where its own device is required', () => {
    const page = initialPage(setting, sampleState());
    expect(startsAnew(page)).toBe(false);
    expect(startsAnew({ ...page, madeKey: DISOWNED.key })).toBe(true);
    expect(startsAnew({ ...page, challenge: sampleState({ device_required: true }) })).toBe(true);
  });

  it('is kept where the last try was drawn and another tab may be recording it', () => {
    const page = { ...initialPage(setting, null), madeKey: { rpId: 'check.example', credentialId: 'new' } };
    const load = (capture: CaptureState['capture']) => {
      const challenge = sampleState({ status: 'initiated', tries_left: 0, capture });
      return run([{ type: 'loaded', challenge, pending: null, following: null }], page);
    };
    const elsewhere = load({ state: 'issued' } as CaptureState['capture']);
    expect(elsewhere.page.screen.name).toBe('no_tries');
    expect(elsewhere.effects).not.toContainEqual(DISOWNED);
    expect(load(null).effects).toContainEqual(DISOWNED);
  });

  it('is disowned when another one takes its place, because its recording was lost', () => {
    const page = { ...asked(enrol).page, madeKey: { rpId: 'likeness.test', credentialId: 'lost' } };
    const again = run(answered, page);
    expect(again.effects).toContainEqual({ do: 'disown', key: page.madeKey });
    expect(again.page.madeKey).not.toEqual(page.madeKey);
  });

  it('is disowned when the last try was lost, and kept for another try', () => {
    const lost: PageEvent = { type: 'upload_lost', why: 'upload_lost' };
    expect(run([...answered, lost], asked(enrol, setting.passkeys, 0).page).effects).toContainEqual(DISOWNED);
    expect(run([...answered, lost], asked(enrol).page).effects).not.toContainEqual(DISOWNED);
  });

  it('is kept when the check is done, because the page does not know how it ended', () => {
    const done = run(
      [
        ...answered,
        { type: 'upload_complete' },
        { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: null },
      ],
      asked(enrol).page,
    );
    expect(done.page.screen.name).toBe('done');
    expect(done.effects).not.toContainEqual(DISOWNED);
    expect(done.page.madeKey).toBeNull();
  });

  describe('and was asked to sign another try', () => {
    const signed = (id: string): PasskeyAnswer => ({
      kind: 'signed',
      signed: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON: 'c', authenticatorData: 'a', signature: 's' },
      },
    });
    const signs = (id: string): PageEvent[] => [
      { type: 'use_device', way: 'sign' },
      { type: 'device_answered', answer: signed(id) },
    ];
    const done: PageEvent[] = [
      { type: 'upload_complete' },
      { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: null },
    ];
    const next = { ...confirm, known: [{ id: 'new', transports: [] }, ...confirm.known] };
    const secondTry = (passkeys = setting.passkeys) => {
      const { page } = asked(next, passkeys);
      return { ...page, madeKey: DISOWNED.key };
    };
    const disowned = ({ effects }: Run) => effects.filter((effect) => effect.do === 'disown');

    it.each([
      ['declined', setting.passkeys, [{ type: 'without_device' }]],
      ['unavailable', { sign: false, make: false }, [{ type: 'without_device' }]],
      ['signed by another passkey', setting.passkeys, signs('k')],
    ] as const)('is disowned when the check is done: %s', (_answer, passkeys, answer) => {
      const after = run([...answer, ...done], secondTry(passkeys));
      expect(after.page.screen.name).toBe('done');
      expect(disowned(after)).toEqual([DISOWNED]);
      expect(after.page.madeKey).toBeNull();
    });

    it.each([
      ['it signed', [...signs('new'), ...done]],
      [
        'the answer was to an earlier recording',
        [
          { type: 'without_device' },
          { type: 'upload_lost', why: 'upload_lost' },
          { type: 'reload' },
          {
            type: 'loaded',
            challenge: sampleState({ status: 'processing', bound_here: true }),
            pending: null,
            following: null,
          },
          done[1]!,
        ],
      ],
      [
        'the check was completed elsewhere',
        [{ type: 'without_device' }, { type: 'call_failed', fault: 'used' }],
      ],
    ] as [string, PageEvent[]][])('is kept when the check is done: %s', (_why, events) => {
      const after = run(events, secondTry());
      expect(['done', 'used']).toContain(after.page.screen.name);
      expect(disowned(after)).toEqual([]);
      expect(after.page.madeKey).toBeNull();
    });
  });
});

const anyEvent = fc.constantFrom<PageEvent>(
  { type: 'use_device', way: 'sign' },
  { type: 'use_device', way: 'make' },
  { type: 'device_answered', answer: made },
  { type: 'device_failed', why: 'cancelled' },
  { type: 'device_failed', why: 'offline' },
  { type: 'device_failed', why: 'unattested' },
  { type: 'device_failed', why: 'unavailable' },
  { type: 'without_device' },
  { type: 'upload', status: sending },
  { type: 'leave' },
  { type: 'begin' },
  { type: 'waited' },
  { type: 'upload_lost', why: 'upload_lost' },
);

it('whatever happens, the upload gets one answer at most, and a dialog is closed with its screen', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(enrol, confirm, both, { ...both, required: true }),
      fc.array(anyEvent, { maxLength: 30 }),
      (ask, events) => {
        const start = asked(ask).page;
        const { effects } = run(events, start);
        expect(effects.filter((effect) => effect.do === 'answer_device').length).toBeLessThanOrEqual(1);
        let page = start;
        for (const event of events) {
          const next = transition(page, event);
          const wasOpen = page.screen.name === 'device' && page.screen.busy !== null;
          const closes = wasOpen && next.page.screen.name !== 'device';
          expect(next.effects.some((effect) => effect.do === 'stop_asking')).toBe(closes);
          page = next.page;
        }
      },
    ),
  );
});
