// Steps of the state machine at its ends: the outcome, and a check that continues elsewhere.
import type { Followed, HandOffTarget } from '../api/device.ts';
import type { Effect } from './effect.ts';
import type { Page, PageEvent, Screen, ScreenName } from './screens.ts';
import { stay, type Transition, to, withTries } from './transition.ts';

/** Handles the server's outcome of a capture. */
export function afterOutcome(page: Page, event: Extract<PageEvent, { type: 'outcome' }>): Transition {
  if (event.status === 'expired' || event.status === 'cancelled') return to(page, { name: event.status });
  if (event.status === 'retry') {
    const { reason, triesLeft } = event;
    // This is shown below the reason: the next recording demands less of the device.
    const warned: Page = page.slow ? { ...page, stuck: 'warned' } : page;
    const knowing = triesLeft === null ? warned : withTries(warned, triesLeft);
    return to(knowing, { name: 'retry', reason: reason ?? 'unknown', triesLeft });
  }
  return finished(page, event.redirectUrl ?? page.challenge?.exit_redirect_url ?? null);
}

/** The check is done: returns to the client, unless another tab does that. */
export function finished(page: Page, redirectUrl: string | null): Transition {
  const { handedOver } = page.setting;
  const redirects = redirectUrl !== null && handedOver === null;
  const effects: Effect[] = redirects ? [{ do: 'redirect', url: redirectUrl }] : [];
  return to(page, { name: 'done', redirectUrl, handedOver }, ...effects);
}

/** Handles events while another device or tab has the check. */
export function onHandOff(
  page: Page,
  screen: Extract<Screen, { name: 'hand_off' }>,
  event: PageEvent,
): Transition {
  switch (event.type) {
    case 'taken_up':
    case 'taken_over':
      return screen.takenUp ? stay(page) : to(page, { ...screen, takenUp: true });
    case 'begin':
      // The person may have connected a camera by now. The browser says so when it is asked.
      return to({ ...page, setting: { ...page.setting, hasCamera: null } }, { name: 'boot' }, { do: 'load' });
    case 'followed_to_end':
      return finished(page, page.challenge?.exit_redirect_url ?? null);
    default:
      return stay(page);
  }
}

/**
 * Whether the check can be handed over. A phone can take over from a computer, and a tab from a frame; never during a
 * recording, and before another try only if this device or its connection was at fault.
 */
export function canHandOff({ screen, setting }: Page, target: HandOffTarget): boolean {
  if (setting.handedOver !== null) return false;
  if (screen.name === 'camera_denied' || screen.name === 'device_missing')
    return target === 'tab' || setting.computer;
  // Any device without a camera, not only a computer: nothing else can be done here.
  if (target === 'phone' && screen.name === 'camera_missing') return true;
  if (target !== 'phone' || !setting.computer) return false;
  if (screen.name === 'retry') return faultOfDevice(screen.reason);
  const from: readonly ScreenName[] = ['privacy', 'start', 'unsupported', 'camera_busy'];
  return from.includes(screen.name);
}

/**
 * Whether a phone takes the check over as a device of its own: where a passkey was made here, which a phone cannot use,
 * or where the person's device is required.
 */
export const startsAnew = ({ challenge, madeKey }: Page): boolean =>
  madeKey !== null || challenge?.device_required === true;

/** Whether a recording failed because of this device or its connection, so that another device may do better. */
export function faultOfDevice(reason: string): boolean {
  const faults: readonly string[] = [
    'too_slow',
    'connection_slow',
    'upload_lost',
    'network_blocks',
    'camera_lost',
    'recorder_failed',
  ];
  return faults.includes(reason);
}

/** Shows how to continue on the other device, or that the check went there, and follows it. */
export function handOff(page: Page, target: Followed, chosen: boolean, takenUp = false): Transition {
  return to(page, { name: 'hand_off', target, chosen, takenUp }, { do: 'follow', target });
}
