// The capture page's state machine: the way through, every sad path, and what must hold whatever happens.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import { CAMERA_SCREENS, initialPage, transition } from '../../web/capture/flow/machine.ts';
import type { Effect, IssuedCapture, Page, PageEvent } from '../../web/capture/flow/screens.ts';
import { openState } from './support/page-server.ts';

const capture: IssuedCapture = {
  captureId: 'cap_1',
  script: { steps: [{ prompt: 'neutral', from_ms: 0, to_ms: 900 }] },
  maxBytes: 1000,
  chunkBytes: 100,
};

function loaded(challenge: CaptureState, bound = false, pending = false): PageEvent {
  return { type: 'loaded', challenge, bound, pending };
}

function run(events: PageEvent[], from: Page = initialPage): { page: Page; effects: Effect[] } {
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
  challenge: openState(change),
});

const toRecording: PageEvent[] = [
  loaded(openState()),
  { type: 'agree' },
  begun(),
  { type: 'camera_opened' },
  { type: 'aligned' },
  { type: 'capture_issued', capture },
  { type: 'recorder_started', atMs: 10 },
];

describe('the way through', () => {
  it('goes from privacy to the redirect', () => {
    const { page, effects } = run([
      ...toRecording,
      { type: 'recorded' },
      { type: 'upload', phase: 'sending', progress: 0.5 },
      { type: 'upload_complete' },
      { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: 'myapp://done?x=1' },
    ]);
    expect(page.screen).toEqual({ name: 'done', redirectUrl: 'myapp://done?x=1' });
    expect(effects.map((effect) => effect.do)).toEqual([
      'begin',
      'open_camera',
      'report',
      'guide',
      'offer_manual',
      'issue_capture',
      'record',
      'stop_camera',
      'upload',
      'await_outcome',
      'redirect',
    ]);
    expect(effects.at(-1)).toEqual({ do: 'redirect', url: 'myapp://done?x=1' });
  });

  it('hides the privacy screen when no consent is required, and asks for none', () => {
    const consent = { ...openState().consent, required: false };
    const { page, effects } = run([loaded(openState({ consent })), { type: 'begin' }]);
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

describe('where a load opens', () => {
  const initiated = openState({
    status: 'initiated',
    device_bound: true,
    consent: { ...openState().consent, given: true },
  });
  it.each<[string, PageEvent, string]>([
    ['a fresh link', loaded(openState()), 'privacy'],
    ['consent given before the reload', loaded(initiated, true), 'start'],
    ['begun on another device', loaded(initiated, false), 'other_device'],
    ['bytes left to send', loaded(initiated, true, true), 'uploading'],
    ['under judgement', loaded({ ...initiated, status: 'processing' }, true), 'processing'],
    ['under judgement elsewhere', loaded({ ...initiated, status: 'processing' }, false), 'other_device'],
    ['sent back', loaded({ ...initiated, retry_reason: 'too_dark' }, true), 'retry'],
    ['finished here', loaded({ ...initiated, status: 'completed' }, true), 'done'],
    ['finished, opened again', loaded({ ...initiated, status: 'completed' }, false), 'used'],
    ['expired', loaded({ ...initiated, status: 'expired' }, true), 'expired'],
    ['cancelled', loaded({ ...initiated, status: 'cancelled' }, true), 'cancelled'],
  ])('%s', (_what, event, screen) => {
    expect(run([event]).page.screen.name).toBe(screen);
  });
});

describe('sad paths', () => {
  it('declining redirects, and the link stays usable', () => {
    const { page, effects } = run([
      loaded(openState()),
      { type: 'decline' },
      begun({ exit_redirect_url: 'https://client.example/back' }),
    ]);
    expect(page.screen).toEqual({ name: 'declined', redirectUrl: 'https://client.example/back' });
    expect(effects.at(-1)).toEqual({ do: 'redirect', url: 'https://client.example/back' });
    expect(effects).not.toContainEqual({ do: 'open_camera' });
    expect(run([{ type: 'begin' }], page).page.screen.name).toBe('privacy');
  });

  it.each(['denied', 'missing', 'busy'] as const)('camera %s can be tried again', (why) => {
    const { page } = run([...toRecording.slice(0, 3), { type: 'camera_failed', why }]);
    expect(page.screen.name).toBe(`camera_${why}`);
    const again = transition(page, { type: 'open_camera' });
    expect(again.page.screen.name).toBe('camera_asking');
    expect(again.effects).toEqual([{ do: 'open_camera' }]);
  });

  it('only a denied camera is reported as denied', () => {
    const denied = run([...toRecording.slice(0, 3), { type: 'camera_failed', why: 'denied' }]);
    expect(denied.effects).toContainEqual({ do: 'report', name: 'camera_denied' });
    const missing = run([...toRecording.slice(0, 3), { type: 'camera_failed', why: 'missing' }]);
    expect(missing.effects).not.toContainEqual({ do: 'report', name: 'camera_denied' });
  });

  it('an upload that stopped goes on with the same bytes', () => {
    const { page } = run([
      ...toRecording,
      { type: 'recorded' },
      { type: 'upload', phase: 'stopped', progress: 0.4 },
    ]);
    const next = transition(page, { type: 'retry_upload' });
    expect(next.page.screen).toMatchObject({ name: 'uploading', phase: 'sending', progress: 0.4 });
    expect(next.effects).toEqual([{ do: 'upload' }]);
  });

  it('a lost camera while recording stops it and offers another try', () => {
    const { page, effects } = run([...toRecording, { type: 'recording_failed', why: 'camera_lost' }]);
    expect(page.screen).toMatchObject({ name: 'retry', reason: 'camera_lost' });
    expect(effects.at(-1)).toEqual({ do: 'stop_camera' });
  });

  it('a conflict asks the server where it stands; refused again, another device has it', () => {
    const { page, effects } = run([
      loaded(openState()),
      { type: 'agree' },
      { type: 'call_failed', fault: 'conflict' },
    ]);
    expect(page.screen.name).toBe('boot');
    expect(effects.at(-1)).toEqual({ do: 'load' });
    expect(run([{ type: 'call_failed', fault: 'conflict' }], page).page.screen.name).toBe('other_device');
  });

  it('no connection on the first screens keeps them, with a word', () => {
    const { page } = run([loaded(openState()), { type: 'agree' }, { type: 'call_failed', fault: 'offline' }]);
    expect(page.screen).toEqual({ name: 'privacy', busy: null, fault: 'offline' });
  });
});

const anyEvent: fc.Arbitrary<PageEvent> = fc.constantFrom<PageEvent>(
  loaded(openState()),
  loaded(openState({ status: 'processing' }), true),
  loaded(openState({ status: 'completed' })),
  { type: 'agree' },
  { type: 'decline' },
  { type: 'begin' },
  begun(),
  { type: 'open_camera' },
  { type: 'camera_opened' },
  { type: 'camera_failed', why: 'denied' },
  { type: 'guidance', state: 'live' },
  { type: 'guidance', state: 'off' },
  { type: 'hint', hint: 'ok' },
  { type: 'aligned' },
  { type: 'ready' },
  { type: 'tick' },
  { type: 'capture_issued', capture },
  { type: 'recorder_started', atMs: 5 },
  { type: 'step', index: 0 },
  { type: 'recorded' },
  { type: 'recording_failed', why: 'interrupted' },
  { type: 'upload', phase: 'stopped', progress: 0.2 },
  { type: 'upload_complete' },
  { type: 'upload_lost' },
  { type: 'retry_upload' },
  { type: 'outcome', status: 'retry', reason: 'blurred', triesLeft: 1, redirectUrl: null },
  { type: 'outcome', status: 'done', reason: null, triesLeft: null, redirectUrl: null },
  { type: 'call_failed', fault: 'offline' },
  { type: 'call_failed', fault: 'gone' },
  { type: 'call_failed', fault: 'conflict' },
  { type: 'reload' },
);

describe('whatever happens', () => {
  it('the camera is stopped on every way out of the camera screens', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let page = initialPage;
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
        let page = initialPage;
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
        let page = initialPage;
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
