// The page's state machine: (page, event) → page and effects. Pure, no DOM, no clock, no network.
// A typed reducer and not XState: effects as plain data need no interpreter in tests, every screen can be built by
// hand for the gallery, and XState's 15 kB would be a quarter of the page's budget for its first paint.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { CallFault, Effect, Page, PageEvent, Screen, ScreenName } from './screens.ts';

/** Screens on which the camera may be on. Leaving them for any other one stops its tracks. */
export const CAMERA_SCREENS: readonly ScreenName[] = ['camera_asking', 'position', 'preparing', 'recording'];

/** Seconds between "I'm ready" and the recording. */
export const COUNTDOWN_SECONDS = 3;

/**
 * After this long without a face found in place, "I'm ready" is offered: a detector that fails on somebody must not
 * lock them out. Positioning with live hints took 1.3–2.5 s with the face in place.
 */
export const MANUAL_AFTER_MS = 8_000;

export interface Transition {
  readonly page: Page;
  readonly effects: readonly Effect[];
}

/** The page before anything is known. */
export const initialPage: Page = { screen: { name: 'boot' }, challenge: null };

/**
 * One step of the machine. Events that mean nothing on the present screen (late answers, double taps) change nothing.
 * Whatever the event, leaving the camera screens adds the effect that stops the camera.
 */
export function transition(page: Page, event: PageEvent): Transition {
  const next = step(page, event);
  const wasOn = CAMERA_SCREENS.includes(page.screen.name);
  const isOn = CAMERA_SCREENS.includes(next.page.screen.name);
  return wasOn && !isOn ? { ...next, effects: [{ do: 'stop_camera' }, ...next.effects] } : next;
}

function step(page: Page, event: PageEvent): Transition {
  switch (event.type) {
    case 'refused':
      return to(page, { name: event.why });
    case 'loaded':
      return afterLoad(event);
    case 'call_failed':
      return afterFault(page, event.fault);
    case 'reload':
      return to(page, { name: 'boot' }, { do: 'load' });
    case 'outcome':
      return page.screen.name === 'processing' ? afterOutcome(page, event) : stay(page);
    default:
      return onScreen(page, event);
  }
}

function onScreen(page: Page, event: PageEvent): Transition {
  switch (page.screen.name) {
    case 'privacy':
    case 'start':
      return onWelcome(page, event);
    case 'declined':
      return event.type === 'begin' ? to(page, welcome(page.challenge)) : stay(page);
    case 'camera_asking':
    case 'camera_denied':
    case 'camera_missing':
    case 'camera_busy':
      return onCamera(page, event);
    case 'position':
      return onPosition(page, page.screen, event);
    case 'preparing':
    case 'recording':
      return onRecording(page, event);
    case 'uploading':
      return onUploading(page, event);
    case 'processing':
      return event.type === 'estimate'
        ? to(page, {
            name: 'processing',
            estimateMs: event.estimateMs,
            reconnecting: event.reconnecting,
          })
        : stay(page);
    case 'retry':
      return event.type === 'open_camera' ? askCamera(page) : stay(page);
    default:
      return stay(page);
  }
}

function onWelcome(page: Page, event: PageEvent): Transition {
  const { screen } = page;
  if (screen.name !== 'privacy' && screen.name !== 'start') return stay(page);
  if (event.type === 'begun') {
    const known = { ...page, challenge: event.challenge };
    if (screen.name === 'privacy' && screen.busy === 'decline') return declined(known);
    return askCamera(known);
  }
  if (screen.busy) return stay(page);
  if (screen.name === 'start') {
    if (event.type !== 'begin') return stay(page);
    return to(page, { name: 'start', busy: true, fault: null }, { do: 'begin', consent: null });
  }
  if (event.type !== 'agree' && event.type !== 'decline') return stay(page);
  const consent = event.type === 'agree' ? 'given' : 'declined';
  return to(page, { name: 'privacy', busy: event.type, fault: null }, { do: 'begin', consent });
}

function declined(page: Page): Transition {
  const redirectUrl = page.challenge?.exit_redirect_url ?? null;
  const effects: Effect[] = redirectUrl === null ? [] : [{ do: 'redirect', url: redirectUrl }];
  return to(page, { name: 'declined', redirectUrl }, ...effects);
}

function onCamera(page: Page, event: PageEvent): Transition {
  if (event.type === 'open_camera' && page.screen.name !== 'camera_asking') return askCamera(page);
  if (page.screen.name !== 'camera_asking') return stay(page);
  if (event.type === 'camera_opened') {
    return to(
      page,
      { name: 'position', guidance: 'loading', hint: null, manual: false, countdown: null },
      { do: 'report', name: 'camera_granted' },
      { do: 'guide' },
      { do: 'offer_manual', afterMs: MANUAL_AFTER_MS },
    );
  }
  if (event.type !== 'camera_failed') return stay(page);
  const report: Effect[] = event.why === 'denied' ? [{ do: 'report', name: 'camera_denied' }] : [];
  return to(page, { name: `camera_${event.why}` }, ...report);
}

function onPosition(page: Page, screen: Extract<Screen, { name: 'position' }>, event: PageEvent): Transition {
  switch (event.type) {
    case 'guidance':
      return event.state === 'live'
        ? to(page, { ...screen, guidance: 'live' })
        : to(page, { ...screen, guidance: 'off', hint: null, manual: true });
    case 'hint':
      return to(page, { ...screen, guidance: 'live', hint: event.hint });
    case 'manual_offered':
      return to(page, { ...screen, manual: true });
    case 'ready':
      if (screen.countdown !== null) return stay(page);
      return to(page, { ...screen, countdown: COUNTDOWN_SECONDS }, { do: 'tick', afterMs: 1000 });
    case 'tick':
      if (screen.countdown === null) return stay(page);
      if (screen.countdown > 1) {
        return to(page, { ...screen, countdown: screen.countdown - 1 }, { do: 'tick', afterMs: 1000 });
      }
      return to(page, { name: 'preparing' }, { do: 'issue_capture' });
    case 'aligned':
      if (screen.countdown !== null) return stay(page);
      return to(page, { name: 'preparing' }, { do: 'issue_capture' });
    case 'recording_failed':
      // Nothing is recorded yet: a look at another tab does no harm here, a lost camera does.
      return event.why === 'interrupted' ? stay(page) : again(page, event.why);
    default:
      return stay(page);
  }
}

function onRecording(page: Page, event: PageEvent): Transition {
  const { screen } = page;
  if (event.type === 'recording_failed') return again(page, event.why);
  if (screen.name === 'preparing') {
    if (event.type !== 'capture_issued') return stay(page);
    const { capture } = event;
    return to(
      page,
      { name: 'recording', capture, step: null, startedAtMs: null, faceLost: false },
      { do: 'record', capture },
    );
  }
  if (screen.name !== 'recording') return stay(page);
  switch (event.type) {
    case 'recorder_started':
      return to(page, { ...screen, step: 0, startedAtMs: event.atMs });
    case 'step':
      return to(page, { ...screen, step: event.index });
    case 'hint':
      return to(page, { ...screen, faceLost: event.hint === 'no_face' || event.hint === 'several_faces' });
    case 'recorded':
      return to(page, { name: 'uploading', phase: 'committing', progress: 0 }, { do: 'upload' });
    default:
      return stay(page);
  }
}

function onUploading(page: Page, event: PageEvent): Transition {
  const { screen } = page;
  if (screen.name !== 'uploading') return stay(page);
  switch (event.type) {
    case 'upload':
      return to(page, { name: 'uploading', phase: event.phase, progress: event.progress });
    case 'upload_complete':
      return to(page, { name: 'processing', estimateMs: null, reconnecting: false }, { do: 'await_outcome' });
    case 'upload_lost':
      return again(page, 'upload_lost');
    case 'retry_upload':
      if (screen.phase !== 'stopped') return stay(page);
      return to(page, { ...screen, phase: 'sending' }, { do: 'upload' });
    default:
      return stay(page);
  }
}

function afterOutcome(page: Page, event: Extract<PageEvent, { type: 'outcome' }>): Transition {
  if (event.status === 'expired') return to(page, { name: 'expired' });
  if (event.status === 'retry') {
    return to(page, { name: 'retry', reason: event.reason ?? 'unknown', triesLeft: event.triesLeft });
  }
  return finished(page, event.redirectUrl ?? page.challenge?.exit_redirect_url ?? null);
}

function finished(page: Page, redirectUrl: string | null): Transition {
  const effects: Effect[] = redirectUrl === null ? [] : [{ do: 'redirect', url: redirectUrl }];
  return to(page, { name: 'done', redirectUrl }, ...effects);
}

/** Where a challenge stands decides where its page opens: a reload goes on where it was. */
function afterLoad({ challenge, bound, pending }: Extract<PageEvent, { type: 'loaded' }>): Transition {
  const page: Page = { screen: { name: 'boot' }, challenge };
  switch (challenge.status) {
    case 'completed':
      return bound ? finished(page, challenge.exit_redirect_url) : to(page, { name: 'used' });
    case 'expired':
    case 'cancelled':
      return to(page, { name: challenge.status });
    default:
      break;
  }
  if (challenge.device_bound && !bound) return to(page, { name: 'other_device' });
  if (challenge.status === 'processing') {
    return to(page, { name: 'processing', estimateMs: null, reconnecting: false }, { do: 'await_outcome' });
  }
  if (pending) {
    return to(page, { name: 'uploading', phase: 'sending', progress: 0 }, { do: 'upload' });
  }
  if (bound && challenge.retry_reason !== null) {
    return to(page, { name: 'retry', reason: challenge.retry_reason, triesLeft: challenge.tries_left });
  }
  return to(page, welcome(challenge));
}

function welcome(challenge: CaptureState | null): Screen {
  const consent = challenge?.consent;
  return consent?.required && !consent.given
    ? { name: 'privacy', busy: null, fault: null }
    : { name: 'start', busy: false, fault: null };
}

function afterFault(page: Page, fault: CallFault): Transition {
  if (fault === 'unknown_link' || fault === 'other_device') return to(page, { name: fault });
  if (fault === 'gone') return to(page, { name: 'expired' });
  const { screen } = page;
  // The server knows better where the challenge stands: ask it. Where that very question is refused, another device
  // has the challenge.
  if (fault === 'conflict') {
    return screen.name === 'boot'
      ? to(page, { name: 'other_device' })
      : to(page, { name: 'boot' }, { do: 'load' });
  }
  if (screen.name === 'privacy') return to(page, { name: 'privacy', busy: null, fault });
  if (screen.name === 'start') return to(page, { name: 'start', busy: false, fault });
  return to(page, { name: 'failed', fault });
}

function again(page: Page, reason: string): Transition {
  return to(page, { name: 'retry', reason, triesLeft: null });
}

function askCamera(page: Page): Transition {
  return to(page, { name: 'camera_asking' }, { do: 'open_camera' });
}

function to(page: Page, screen: Screen, ...effects: Effect[]): Transition {
  return { page: { ...page, screen }, effects };
}

function stay(page: Page): Transition {
  return { page, effects: [] };
}
