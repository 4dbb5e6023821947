// Steps of the state machine from the browser's camera permission prompt to the face in position.
import type { Effect } from './effect.ts';
import type { Page, PageEvent, Screen } from './screens.ts';
import { again, stay, type Transition, to } from './transition.ts';

/** Seconds between "I'm ready" and the recording. */
export const COUNTDOWN_SECONDS = 3;

/**
 * After this long without a face found in position, "I'm ready" is offered, so that a detector that fails on somebody
 * does not lock them out. Positioning with live hints took 1.3–2.5 s with the face in place.
 */
export const MANUAL_AFTER_MS = 8_000;

/** After this long without an answer to the permission prompt, help is offered: the prompt may be out of sight. */
export const ASKED_LONG_MS = 10_000;

/**
 * A rehearsal and a script take 4 s, or 6 on a bad connection; a minute when the service is full or the network is
 * down.
 */
export const PREPARES_LONG_MS = 8_000;

const POSITIONING: readonly Effect[] = [{ do: 'guide' }, { do: 'offer_manual', afterMs: MANUAL_AFTER_MS }];

/** Requests the camera, also again from the screens of its faults. */
export function askCamera(page: Page): Transition {
  return to(
    page,
    { name: 'camera_asking', slow: false },
    { do: 'open_camera', id: null },
    { do: 'remind', afterMs: ASKED_LONG_MS },
  );
}

/** Handles events while the browser asks for permission, and after it was refused. */
export function onCamera(page: Page, event: PageEvent): Transition {
  const asking = page.screen.name === 'camera_asking';
  // Allow asking again after a long wait: the permission prompt may be hidden behind another window.
  const askable = page.screen.name !== 'camera_asking' || page.screen.slow;
  if (event.type === 'open_camera') return askable ? askCamera(page) : stay(page);
  if (!asking) return stay(page);
  if (event.type === 'asked_long') return to(page, { name: 'camera_asking', slow: true });
  if (event.type === 'camera_opened') {
    const trial: Effect[] = page.wayTried ? [] : [{ do: 'try_way' }];
    const granted: Effect = { do: 'report', event: { name: 'camera_granted' } };
    return to({ ...page, wayTried: true }, inPosition(event), granted, ...POSITIONING, ...trial);
  }
  return event.type === 'camera_failed' ? cameraFailed(page, event) : stay(page);
}

/** Handles events while the person positions their face. */
export function onPosition(
  page: Page,
  screen: Extract<Screen, { name: 'position' }>,
  event: PageEvent,
): Transition {
  switch (event.type) {
    case 'guidance':
      return event.state === 'live'
        ? to(page, { ...screen, guidance: 'live' })
        : to(page, { ...screen, guidance: 'off', hint: withoutDetector(screen), manual: true });
    case 'hint':
      return to(page, { ...screen, guidance: 'live', hint: event.hint });
    case 'light':
      return screen.guidance === 'live' ? stay(page) : to(page, { ...screen, hint: event.hint });
    case 'choose_camera':
      return screen.countdown === null
        ? to(page, { ...screen, cameraId: event.id, hint: null }, { do: 'open_camera', id: event.id })
        : stay(page);
    case 'camera_opened':
      return to(page, inPosition(event), ...POSITIONING);
    case 'camera_failed':
      return cameraFailed(page, event);
    case 'camera_silent':
      return cameraFailed(page, { why: 'busy', refusal: null });
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
      return prepare(page);
    case 'aligned':
      // Whoever has another camera is asked to choose it; the button records with this one.
      if (screen.hint === 'no_colour' && screen.cameras.length > 0) return stay(page);
      return screen.countdown === null ? prepare(page) : stay(page);
    case 'upload_lost':
      // The trial's: nothing else is sent meanwhile.
      return again(page, event.why);
    case 'recording_failed':
      // Nothing is recorded yet, so a look at another tab does no harm, except that it cancels a countdown. A lost
      // camera does.
      if (event.why !== 'interrupted') return again(page, event.why);
      return screen.countdown === null ? stay(page) : to(page, { ...screen, countdown: null });
    default:
      return stay(page);
  }
}

/**
 * Continues to the recording. On a device that is too slow, first shows the person what helps and what else they can do.
 * They may try all the same, as often as they like: on a busy device a script is drawn, and a try used, only after a
 * rehearsal went well.
 */
function prepare(page: Page): Transition {
  if (page.stuck === 'yes') return again(page, 'too_slow');
  const rehearses = page.busy || page.stuck === 'warned';
  return to(
    page,
    { name: 'preparing', long: false },
    { do: rehearses ? 'rehearse' : 'issue_capture' },
    { do: 'explain_delay', afterMs: PREPARES_LONG_MS },
  );
}

/** What remains of the hint when the detector is given up: only what was said without it. */
function withoutDetector({ guidance, hint }: Extract<Screen, { name: 'position' }>): typeof hint {
  return guidance === 'live' ? null : hint;
}

function inPosition({ cameras, cameraId }: Extract<PageEvent, { type: 'camera_opened' }>): Screen {
  return {
    name: 'position',
    guidance: 'loading',
    hint: null,
    manual: false,
    countdown: null,
    cameras,
    cameraId,
  };
}

function cameraFailed(
  page: Page,
  { why, refusal }: Pick<Extract<PageEvent, { type: 'camera_failed' }>, 'why' | 'refusal'>,
): Transition {
  if (why !== 'denied') {
    return page.setting.inApp ? to(page, { name: 'in_app' }) : to(page, { name: `camera_${why}` });
  }
  const report: Effect = {
    do: 'report',
    event: { name: 'camera_denied', ...(refusal && { cause: refusal }) },
  };
  if (page.setting.inApp) return to(page, { name: 'in_app' }, report);
  return to(page, { name: 'camera_denied', refusal: refusal ?? 'blocked' }, report, {
    do: 'watch_permission',
  });
}
