// Steps of the state machine at its ends: the outcome, and a check that goes on elsewhere.
import type { HandOffTarget } from '../api/device.ts';
import type { Effect, Page, PageEvent, Screen, ScreenName } from './screens.ts';
import { stay, type Transition, to, withTries } from './transition.ts';

/** The server's word after a capture. */
export function afterOutcome(page: Page, event: Extract<PageEvent, { type: 'outcome' }>): Transition {
  if (event.status === 'expired') return to(page, { name: 'expired' });
  if (event.status === 'retry') {
    const { reason, triesLeft } = event;
    // Told below the reason: the next recording asks less of it.
    const told: Page = page.slow ? { ...page, stuck: 'warned' } : page;
    const knowing = triesLeft === null ? told : withTries(told, triesLeft);
    return to(knowing, { name: 'retry', reason: reason ?? 'unknown', triesLeft });
  }
  return finished(page, event.redirectUrl ?? page.challenge?.exit_redirect_url ?? null);
}

/** The check is done: back to the client, unless another tab does that. */
export function finished(page: Page, redirectUrl: string | null): Transition {
  const { handedOver } = page.setting;
  const redirects = redirectUrl !== null && handedOver === null;
  const effects: Effect[] = redirects ? [{ do: 'redirect', url: redirectUrl }] : [];
  return to(page, { name: 'done', redirectUrl, handedOver }, ...effects);
}

/** While another device or tab has the check. */
export function onHandOff(
  page: Page,
  screen: Extract<Screen, { name: 'hand_off' }>,
  event: PageEvent,
): Transition {
  switch (event.type) {
    case 'taken_up':
      return screen.takenUp ? stay(page) : to(page, { ...screen, takenUp: true });
    case 'begin':
      // Of a camera the person knows better, who may have connected one: the browser says so when it is asked.
      return to({ ...page, setting: { ...page.setting, hasCamera: null } }, { name: 'boot' }, { do: 'load' });
    case 'followed_to_end':
      return event.done
        ? finished(page, event.redirectUrl ?? page.challenge?.exit_redirect_url ?? null)
        : to(page, { name: 'expired' });
    default:
      return stay(page);
  }
}

/**
 * A phone can take over from a computer, a tab from a frame; neither from a recording under way, and from another try only where this
 * device or its line was at fault.
 */
export function canHandOff({ screen, setting }: Page, target: HandOffTarget): boolean {
  if (setting.handedOver !== null) return false;
  if (screen.name === 'camera_denied') return target === 'tab' || setting.computer;
  // Whatever has no camera: the link itself is this device's by now, and opens nowhere else.
  if (target === 'phone' && screen.name === 'camera_missing') return true;
  if (target !== 'phone' || !setting.computer) return false;
  if (screen.name === 'retry') return faultOfDevice(screen.reason);
  const from: readonly ScreenName[] = ['privacy', 'start', 'unsupported', 'camera_busy'];
  return from.includes(screen.name);
}

/** Whether a recording came to nothing by this device or its line, so that another may do better. */
export function faultOfDevice(reason: string): boolean {
  const faults: readonly string[] = [
    'too_slow',
    'connection_slow',
    'upload_lost',
    'camera_lost',
    'recorder_failed',
  ];
  return faults.includes(reason);
}

/** Shows the way to the other device and follows along. */
export function handOff(page: Page, target: HandOffTarget, chosen: boolean): Transition {
  return to(page, { name: 'hand_off', target, chosen, takenUp: false }, { do: 'follow', target });
}
