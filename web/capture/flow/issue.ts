// Requests a capture when the recording is about to begin. If the service is full or rate-limits the page, it says when
// to retry, and the page waits for that.

import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { IssuedCapture as IssueAnswer } from '../../../src/contract/capture-page.ts';
import type { DrawnScript, Script } from '../../../src/contract/script.ts';
import { scriptLimitMs } from '../../../src/contract/script-steps.ts';
import { type Answer, type Calls, conflictOf } from '../api/calls.ts';
import type { Deadlines } from '../upload/pending.ts';
import type { IssuedCapture } from './screens.ts';

export interface IssueParts {
  readonly calls: Pick<Calls, 'issueCapture'>;
  /** Aborted when the person has left: nothing more is requested. */
  readonly signal: AbortSignal;
  pause(ms: number): Promise<void>;
  /** 0–1, for the jitter. */
  random(): number;
}

/** How often network errors and server faults are retried. */
const MAX_ATTEMPTS = 3;
const ATTEMPT_PAUSE_MS = 500;
/** How long a person watches a spinner before they are told, and may try again. */
const MAX_WAIT_MS = 60_000;
/** Wait for a recording under way if the server does not say how long. */
const UNKNOWN_WAIT_MS = 10_000;
/** Keeps pages that were all told the same time from coming back at once. */
const JITTER_MS = 2_000;

/**
 * Resolves to the capture, the last refusal, or null if the person left.
 * @param way what the person cannot do is left out; null: nothing
 */
export async function issueCapture(
  parts: IssueParts,
  way: AccessibleWay | null = null,
): Promise<Answer<IssueAnswer> | null> {
  let attempt = 1;
  let waitedMs = 0;
  for (;;) {
    const answer = await parts.calls.issueCapture(way);
    if (parts.signal.aborted) return null;
    if (answer.ok) return answer;
    const { fault, status, retryAfterMs } = answer;
    // Full, or rate-limited at an address that many share: both say when it is worth asking again.
    const waits = (status === 503 || status === 429) && retryAfterMs !== null;
    if (!waits && fault !== 'offline' && status < 500) return answer;
    const pauseMs = waits ? retryAfterMs + JITTER_MS * parts.random() : attempt * ATTEMPT_PAUSE_MS;
    if (waits) waitedMs += retryAfterMs;
    else attempt += 1;
    if (attempt > MAX_ATTEMPTS || waitedMs > MAX_WAIT_MS) return answer;
    await parts.pause(pauseMs);
    if (parts.signal.aborted) return null;
  }
}

/**
 * The capture with its deadlines on this device's clock. The deadline for the bytes runs from the commit; counted from
 * here it is early by the length of a recording, so that nobody is promised more time than there is.
 */
export function issuedCapture(answer: IssueAnswer, nowMs: number): IssuedCapture {
  const until = (withinMs: number) => nowMs + Math.min(withinMs, answer.expires_within_ms);
  return {
    captureId: answer.capture_id,
    script: answer.script,
    stepCount: answer.step_count,
    maxBytes: answer.max_bytes,
    chunkBytes: answer.chunk_bytes,
    sliceMs: answer.slice_ms,
    announcing: { issuedAtMs: nowMs, withinMs: answer.announce_within_ms },
    deadlines: {
      commitByMs: until(answer.commit_within_ms),
      uploadByMs: until(answer.upload_within_ms),
    },
    passkey: answer.passkey,
  };
}

/** The commit's deadline for a script that took less time than its steps may: it runs from the last step's end. */
export function commitDeadlines(
  deadlines: Deadlines,
  script: Pick<DrawnScript, 'steps' | 'max_step_ms'>,
  performed: Script,
): Deadlines {
  const sparedMs = scriptLimitMs(script) - (performed.steps.at(-1)?.to_ms ?? 0);
  return { ...deadlines, commitByMs: deadlines.commitByMs - Math.max(0, sparedMs) };
}

/** How long to wait for the previous recording if it is why there is no capture; null if it is not. */
export function waitForLastMs(answer: Answer<IssueAnswer>): number | null {
  const underWay = !answer.ok && conflictOf(answer.body) === 'capture_under_way';
  return underWay ? (answer.retryAfterMs ?? UNKNOWN_WAIT_MS) : null;
}
