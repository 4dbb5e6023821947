// Follows a check that continues elsewhere: asks the server for its state until it is over. No biometric data comes
// here.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Answer, CallFault, Calls } from '../api/calls.ts';
import type { Device, Followed } from '../api/device.ts';
import { pause } from '../time/pause.ts';
import type { PageEvent } from './screens.ts';

/** Polling interval: soon enough for somebody who looks up from their phone. */
const INTERVAL_MS = 1_500;

/** Limit on the pause that a server asks for with Retry-After, in case it names hours. Chosen. */
const MAX_PAUSE_MS = 60_000;

/** Answers after which there is nothing to follow: the check ended without a result, or was erased. */
const ENDS: readonly CallFault[] = ['unknown_link', 'gone', 'cancelled'];

export interface Follower {
  /** Follows the check on the other device, through reloads of this tab too. */
  follow(target: Followed): void;
  stop(): void;
}

/** Creates a follower that follows nothing yet. */
export function createFollower(calls: Calls, device: Device, dispatch: (event: PageEvent) => void): Follower {
  let following = new AbortController();
  return {
    follow: (target) => {
      device.keep(device.token);
      device.follow(target);
      following.abort();
      following = new AbortController();
      void followCheck(calls, dispatch, following.signal);
    },
    stop: () => {
      following.abort();
      device.follow(null);
    },
  };
}

/**
 * Dispatches `taken_up` once the check goes on by this device's link, `taken_over` as long as it is another device's, and
 * `followed_to_end` or `call_failed` at the end, which the link tells to any device. Keeps polling through a lost
 * connection and a full server.
 */
async function followCheck(
  calls: Calls,
  dispatch: (event: PageEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  // What this device has left behind, perhaps a recording that failed here.
  let before: CaptureState | null = null;
  while (!signal.aborted) {
    const answer = await calls.state();
    if (signal.aborted) return;
    if (answer.ok) {
      const { value: now } = answer;
      before ??= now;
      if (now.device_bound && !now.bound_here) dispatch({ type: 'taken_over' });
      else if (hasGoneOn(before, now)) dispatch({ type: 'taken_up' });
    } else if (answer.fault === 'used') {
      return dispatch({ type: 'followed_to_end' });
    } else if (ENDS.includes(answer.fault)) {
      return dispatch({ type: 'call_failed', fault: answer.fault });
    }
    await pause(pauseAfter(answer), signal);
  }
}

/** Whether something has happened to the check, while it was this device's: another one goes on with it by its link. */
function hasGoneOn(before: CaptureState, now: CaptureState): boolean {
  return (
    now.status !== before.status ||
    now.device_bound !== before.device_bound ||
    now.tries_left !== before.tries_left ||
    now.consent.given !== before.consent.given ||
    (now.capture !== null && now.capture.id !== before.capture?.id)
  );
}

/** Pause until the next poll: longer if the server asks for it. */
function pauseAfter(answer: Answer<unknown>): number {
  const wantedMs = answer.ok ? 0 : (answer.retryAfterMs ?? 0);
  return Math.max(INTERVAL_MS, Math.min(wantedMs, MAX_PAUSE_MS));
}
