// A check that goes on elsewhere: asks the server where it stands until it is over. Nothing of the face comes here.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { CallFault, Calls } from '../api/calls.ts';
import type { Device, HandOffTarget } from '../api/device.ts';
import type { PageEvent } from './screens.ts';

/** Between two questions: soon enough for somebody who looks up from their phone. */
const INTERVAL_MS = 1_500;

/** Answers after which there is nothing to follow. */
const ENDS: readonly CallFault[] = ['unknown_link', 'other_device', 'cancelled'];

export interface Follower {
  /** Follows the check on the other device, through reloads of this tab too. */
  follow(target: HandOffTarget, before: CaptureState | null): void;
  stop(): void;
}

/** Follows nothing yet. */
export function createFollower(calls: Calls, device: Device, dispatch: (event: PageEvent) => void): Follower {
  let following = new AbortController();
  return {
    follow: (target, before) => {
      device.keep(device.token);
      device.follow(target);
      following = new AbortController();
      void followCheck(calls, before, dispatch, following.signal);
    },
    stop: () => {
      following.abort();
      device.follow(null);
    },
  };
}

/**
 * Dispatches `taken_up` when the other device has begun, and `followed_to_end` or `call_failed` at the end. A lost
 * connection is waited out.
 * @param before the challenge as it stood when it was handed over
 */
async function followCheck(
  calls: Calls,
  before: CaptureState | null,
  dispatch: (event: PageEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const answer = await calls.state();
    if (signal.aborted) return;
    if (answer.ok) {
      if (isTakenUp(before, answer.value)) dispatch({ type: 'taken_up' });
      if (answer.value.status === 'completed') return dispatch(await ending(calls, signal));
    } else if (answer.fault === 'gone' || answer.fault === 'used') {
      return dispatch(await ending(calls, signal));
    } else if (ENDS.includes(answer.fault)) {
      return dispatch({ type: 'call_failed', fault: answer.fault });
    }
    await pause(signal);
  }
}

function isTakenUp(before: CaptureState | null, now: CaptureState): boolean {
  if (now.status === 'processing' || now.capture !== null) return true;
  if (now.status !== 'initiated') return false;
  const begunThere = !before?.device_bound;
  return begunThere || now.tries_left !== before.tries_left || now.consent.given !== before.consent.given;
}

/** A closed challenge tells its own device how it closed; any other answer means that it is over without a capture. */
async function ending(calls: Calls, signal: AbortSignal): Promise<PageEvent> {
  const answer = await calls.outcome(signal);
  const done = answer.ok && answer.value.status === 'done';
  return { type: 'followed_to_end', done, redirectUrl: done ? answer.value.redirect_url : null };
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, INTERVAL_MS);
    signal.addEventListener('abort', done);
  });
}
