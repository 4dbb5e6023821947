// Joins the upload's logic (upload.ts) to the page's calls, the clock and the browser's word on the connection.

import type { ReceivedBytes } from '../../../src/contract/capture-page.ts';
import { type Answer, type Calls, conflictOf } from '../api/calls.ts';
import type { PendingCapture } from './pending.ts';
import type { StepAnswer, UploadPort } from './upload.ts';

/**
 * @param kept settles when the bytes are kept for a reload (pending.ts): the commit does not wait for it, chunks do
 * @param signal ends the calls and pauses of this upload
 */
export function uploadPort(
  calls: Calls,
  pending: PendingCapture,
  kept: Promise<void>,
  signal: AbortSignal,
): UploadPort {
  const { captureId, blob, commit } = pending;
  return {
    commit: async () => stepAnswer(await calls.commit(captureId, commit)),
    progress: async () => {
      const answer = await calls.progress(captureId);
      // A conflict here has no truer place to ask: the capture is not this tab's any more.
      if (!answer.ok && answer.fault === 'conflict') return refused;
      return stepAnswer(answer);
    },
    append: async (from, to) => {
      await kept;
      return stepAnswer(await calls.append(captureId, from, blob.slice(from, to), signal));
    },
    pause: (ms) => pause(ms, signal),
    random: Math.random,
    now: Date.now,
  };
}

const refused: StepAnswer = { ok: false, kind: 'refused', retryAfterMs: null };

function stepAnswer(answer: Answer<ReceivedBytes>): StepAnswer {
  if (answer.ok) return { ok: true, value: answer.value };
  const { fault, retryAfterMs, status } = answer;
  if (conflictOf(answer.body) === 'other_script') return { ok: false, kind: 'faulty', retryAfterMs: null };
  if (fault === 'gone') return { ok: false, kind: 'expired', retryAfterMs: null };
  if (fault === 'conflict') return { ok: false, kind: 'realign', retryAfterMs: null };
  const transient = fault === 'offline' || status === 408 || status === 429 || status >= 500;
  return transient ? { ok: false, kind: 'transient', retryAfterMs } : refused;
}

/** Waits; a returning connection or the end of the upload cuts it short. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
