// Waits for the judgement: one long poll after another until the server says how the check continues.
import type { Calls } from '../api/calls.ts';
import type { PageEvent } from './screens.ts';

/** Minimum interval between two polls, in case the server answers at once. */
const MIN_INTERVAL_MS = 1_000;
const MAX_DELAY_MS = 10_000;

/** Dispatches `estimate` while waiting, and ends with `outcome` or `call_failed`. */
export async function awaitOutcome(calls: Calls, dispatch: (event: PageEvent) => void): Promise<void> {
  let estimateMs: number | null = null;
  for (let failures = 0; ; ) {
    const askedAtMs = performance.now();
    const answer = await calls.outcome();
    if (answer.ok) {
      failures = 0;
      const { status, retry, redirect_url: redirectUrl, estimate_ms: estimate } = answer.value;
      if (status !== 'processing') {
        const reason = retry?.reason ?? null;
        return dispatch({
          type: 'outcome',
          status,
          reason,
          triesLeft: retry?.tries_left ?? null,
          redirectUrl,
        });
      }
      // Keep the first estimate: one that moves away with every answer is not honest.
      estimateMs ??= estimate > 0 ? estimate : null;
      dispatch({ type: 'estimate', estimateMs, reconnecting: false });
      await sleep(Math.max(0, MIN_INTERVAL_MS - (performance.now() - askedAtMs)));
    } else if (answer.fault === 'offline' || answer.status === 429 || answer.status >= 500) {
      failures += 1;
      dispatch({ type: 'estimate', estimateMs, reconnecting: true });
      await sleep(Math.max(answer.retryAfterMs ?? 0, Math.min(MAX_DELAY_MS, 500 * 2 ** failures)));
    } else {
      return dispatch({ type: 'call_failed', fault: answer.fault });
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
