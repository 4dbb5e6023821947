// The page's state machine: (page, event) → page and effects. Pure: no DOM, no clock, no network. A typed reducer
// rather than XState: effects as plain data need no interpreter in tests, every screen can be built by hand for the
// gallery, and XState's 15 kB would be a quarter of the page's budget for its first paint.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { DeadLinkState } from '../../../src/contract/dead-link.ts';
import type { DeadLinkKind } from '../../../src/contract/server-texts.ts';
import type { CallFault } from '../api/calls.ts';
import { askCamera, onCamera, onPosition } from './camera-steps.ts';
import { saysCannot } from './cannot.ts';
import { onRecording } from './capture-steps.ts';
import { afterRecording, lacksDevice, onDevice } from './device-steps.ts';
import type { Effect } from './effect.ts';
import { afterOutcome, canHandOff, finished, handOff, onHandOff } from './end-steps.ts';
import type { DeadEnd, Page, PageEvent, Screen, ScreenName, Setting } from './screens.ts';
import { again, stay, type Transition, to } from './transition.ts';
import { onUploading } from './upload-steps.ts';

/** Screens on which the camera may be on. Leaving them for any other one stops its tracks. */
export const CAMERA_SCREENS: readonly ScreenName[] = ['camera_asking', 'position', 'preparing', 'recording'];

/** Screens that can be left by the button in the bar. */
export const LEAVABLE: readonly ScreenName[] = [
  ...CAMERA_SCREENS,
  'start',
  'device_missing',
  'sandbox',
  'camera_denied',
  'camera_missing',
  'camera_busy',
  'retry',
  'waiting',
  'device',
];

/** Ends of a check that nobody passed, as the page knows. */
const IN_VAIN: readonly ScreenName[] = ['expired', 'cancelled', 'no_tries'];

/** Whether a start elsewhere took the check: the service then forgot the passkey that was made for it here. */
const isTakenOver = (screen: Screen, event: PageEvent): boolean =>
  event.type === 'taken_over' || (screen.name === 'hand_off' && screen.target === 'elsewhere');

/** Ends of a check that somebody may have passed. */
const FINISHED: readonly ScreenName[] = ['done', 'used'];

/** Screens on the way from the device's answer to the outcome of what it answered. */
const ANSWERED: readonly ScreenName[] = ['uploading', 'processing'];

/** Screens that wait for the person, who may have gone on elsewhere. */
const WAITING: readonly ScreenName[] = [...LEAVABLE, 'privacy', 'declined', 'left', 'in_app'];

const PROCESSING: Screen = { name: 'processing', estimateMs: null, reconnecting: false };

const AT_FIRST = {
  cannot: [],
  neither: false,
  busy: false,
  stuck: 'no',
  slow: false,
  wayTried: false,
  wasOffline: false,
  madeKey: null,
  sparesKey: false,
} as const;

/** The page as it opens. */
export function initialPage(setting: Setting, challenge: CaptureState | null): Page {
  return { ...AT_FIRST, screen: { name: 'boot' }, challenge, setting, deadLink: null };
}

const DEAD_ENDS: Readonly<Record<DeadLinkKind, Exclude<DeadEnd, 'no_tries'>>> = {
  unknown: 'unknown_link',
  completed: 'used',
  expired: 'expired',
  cancelled: 'cancelled',
  busy: 'busy',
  failed: 'unavailable',
};

/** The page of a link that leads nowhere. */
export function deadPage(setting: Setting, deadLink: DeadLinkState): Page {
  return {
    screen: { name: DEAD_ENDS[deadLink.dead_link] },
    challenge: null,
    setting,
    ...AT_FIRST,
    deadLink,
  };
}

/**
 * One step of the machine. Events without a meaning on the current screen (late answers, double taps) change nothing.
 * Whatever the event, leaving the camera screens adds the effect that stops the camera, leaving a hand-off the one that
 * stops following it, and leaving the device's question the one that closes its dialog. A passkey that was made here in
 * vain is disowned: nobody passed the check, it went elsewhere, or the device answered its last recording without it.
 */
export function transition(page: Page, event: PageEvent): Transition {
  const next = step(page, event);
  const { screen, madeKey, sparesKey } = next.page;
  const effects = [...afterScreen(page.screen, screen.name), ...next.effects];
  // Another tab with the same token may still be recording the last try.
  const isElsewhere =
    event.type === 'loaded' && screen.name === 'no_tries' && event.challenge.capture !== null;
  const inVain = (IN_VAIN.includes(screen.name) && !isElsewhere) || isTakenOver(screen, event);
  const after = sparesKey && !ANSWERED.includes(screen.name) ? { ...next.page, sparesKey: false } : next.page;
  if (madeKey === null || !(inVain || FINISHED.includes(screen.name))) return { page: after, effects };
  if (inVain || (sparesKey && screen.name === 'done')) effects.push({ do: 'disown', key: madeKey });
  return { page: { ...after, madeKey: null }, effects };
}

/** What ends with a screen. */
function afterScreen(screen: Screen, next: ScreenName): Effect[] {
  const left: Effect[] = [];
  if (CAMERA_SCREENS.includes(screen.name) && !CAMERA_SCREENS.includes(next))
    left.push({ do: 'stop_camera' });
  if (screen.name === 'hand_off' && next !== 'hand_off') left.push({ do: 'stop_following' });
  if (screen.name === 'device' && screen.busy !== null && next !== 'device') left.push({ do: 'stop_asking' });
  return left;
}

function step(page: Page, event: PageEvent): Transition {
  switch (event.type) {
    case 'refused':
      return to(page, { name: page.setting.inApp && event.why === 'unsupported' ? 'in_app' : event.why });
    case 'loaded':
      return afterLoad(page, event);
    case 'call_failed':
      return afterFault(page, event.fault);
    case 'reload':
      return to(page, { name: 'boot' }, { do: 'load' });
    case 'leave':
      return LEAVABLE.includes(page.screen.name) ? left(page) : stay(page);
    case 'hand_off':
      return canHandOff(page, event.target) ? handOff(page, event.target, true) : stay(page);
    case 'cannot':
      return saysCannot(page, event.what, event.on);
    case 'busy':
      return page.busy ? stay(page) : { page: { ...page, busy: true }, effects: [{ do: 'slow_guidance' }] };
    case 'stuck':
      return page.stuck === 'no' ? stay({ ...page, stuck: 'yes' }) : stay(page);
    case 'offline':
      return stay({ ...page, wasOffline: true });
    case 'returned':
      return WAITING.includes(page.screen.name)
        ? { page, effects: [{ do: 'ask_whether_over' }] }
        : stay(page);
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
      return event.type === 'begin' ? to(page, welcome(page)) : stay(page);
    case 'left':
      if (event.type !== 'begin') return stay(page);
      return page.screen.recorded ? to(page, { name: 'boot' }, { do: 'load' }) : to(page, welcome(page));
    case 'sandbox':
      return event.type === 'end_as'
        ? to(page, PROCESSING, { do: 'end_as', outcome: event.outcome })
        : stay(page);
    case 'hand_off':
      return onHandOff(page, page.screen, event);
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
    case 'device':
      return onDevice(page, page.screen, event);
    case 'uploading':
      return onUploading(page, page.screen, event);
    case 'processing':
      if (event.type === 'ended') return to(page, page.screen, { do: 'await_outcome' });
      return event.type === 'estimate'
        ? to(page, {
            name: 'processing',
            estimateMs: event.estimateMs,
            reconnecting: event.reconnecting,
          })
        : stay(page);
    case 'waiting':
      return event.type === 'waited' ? askCamera(page) : stay(page);
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
    const first = welcome(known);
    // A start elsewhere withdrew the consent that this page knew of.
    if (screen.name === 'start' && first.name === 'privacy') return to(known, first);
    return known.challenge.sandbox_outcomes ? to(known, { name: 'sandbox' }) : askCamera(known);
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
  const redirects = redirectUrl !== null && page.setting.handedOver === null;
  const effects: Effect[] = redirects ? [{ do: 'redirect', url: redirectUrl }] : [];
  return to(page, { name: 'declined', redirectUrl }, ...effects);
}

function left(page: Page): Transition {
  const redirectUrl = page.challenge?.exit_redirect_url ?? null;
  return to(page, { name: 'left', redirectUrl, recorded: page.screen.name === 'device' });
}

/** A challenge's state decides which screen its page opens with, so that a reload continues where it was. */
function afterLoad(
  before: Page,
  { challenge, pending, following }: Extract<PageEvent, { type: 'loaded' }>,
): Transition {
  const page: Page = { ...before, screen: { name: 'boot' }, challenge };
  const { bound_here: bound } = challenge;
  switch (challenge.status) {
    case 'completed':
      return bound ? finished(page, challenge.exit_redirect_url) : to(page, { name: 'used' });
    case 'expired':
    case 'cancelled':
      return to(page, { name: challenge.status });
    default:
      break;
  }
  const isUnderWay = challenge.status === 'processing' || challenge.capture !== null;
  if (following !== null) return handOff(page, following, true, isUnderWay);
  if (!challenge.may_start) return handOff(page, 'elsewhere', false);
  if (challenge.status === 'processing') {
    return to(page, PROCESSING, { do: 'await_outcome' });
  }
  const committed = challenge.capture?.state === 'committed';
  if (bound && pending) return afterRecording(page, challenge.capture?.passkey ?? null, pending, committed);
  // A recording was committed but its bytes are gone, so nobody can send it.
  if (bound && committed) return again(page, 'upload_lost');
  // The last script was drawn, and nothing of it can be judged any more.
  if (challenge.tries_left === 0) {
    return to(page, { name: 'no_tries', reason: challenge.retry_reason });
  }
  if (bound && challenge.retry_reason !== null && !lacksDevice(page)) {
    return to(page, { name: 'retry', reason: challenge.retry_reason, triesLeft: challenge.tries_left });
  }
  // The sandbox needs no camera.
  if (challenge.sandbox_outcomes) return to(page, welcome(page));
  const { computer, inApp, hasCamera } = page.setting;
  if (hasCamera === false && inApp) return to(page, { name: 'in_app' });
  if (hasCamera === false && computer) return handOff(page, 'phone', false);
  return to(page, welcome(page));
}

function welcome(page: Page): Screen {
  if (lacksDevice(page)) return { name: 'device_missing' };
  const { challenge } = page;
  const consent = challenge?.consent;
  return consent?.required && !consent.given
    ? { name: 'privacy', busy: null, fault: null }
    : { name: 'start', busy: false, fault: null };
}

function afterFault(page: Page, fault: CallFault): Transition {
  if (fault === 'unknown_link' || fault === 'cancelled' || fault === 'used') return to(page, { name: fault });
  if (fault === 'gone') return to(page, { name: 'expired' });
  if (fault === 'other_browser') return to(page, { name: 'other_device' });
  if (fault === 'other_device') return handOff(page, 'elsewhere', false);
  const { screen } = page;
  // The server knows where the challenge stands, so load its state. If that very call was refused, another device has
  // the challenge.
  if (fault === 'conflict') {
    return screen.name === 'boot'
      ? handOff(page, 'elsewhere', false)
      : to(page, { name: 'boot' }, { do: 'load' });
  }
  if (screen.name === 'privacy') return to(page, { name: 'privacy', busy: null, fault });
  if (screen.name === 'start') return to(page, { name: 'start', busy: false, fault });
  return to(page, { name: 'failed', fault });
}
