// Asks for a capture when recording is to begin. A service that is full says when to come again: the page waits for that.
import type { IssuedCapture } from '../../../src/contract/capture-page.ts';
import type { Answer, Calls } from '../api/calls.ts';

export interface IssueParts {
  readonly calls: Pick<Calls, 'issueCapture'>;
  /** The person has left: nothing more is asked. */
  readonly signal: AbortSignal;
  pause(ms: number): Promise<void>;
  /** 0–1, for the jitter. */
  random(): number;
}

/** Bad lines and faults are tried again so often. */
const MAX_ATTEMPTS = 3;
const ATTEMPT_PAUSE_MS = 500;
/** A person watches a spinner so long, then is told and may try again. */
const MAX_WAIT_MS = 60_000;
/** Pages that were all told the same time do not all come back at once. */
const JITTER_MS = 2_000;

/** The capture, the last refusal, or null when the person left. */
export async function issueCapture(parts: IssueParts): Promise<Answer<IssuedCapture> | null> {
  let attempt = 1;
  let waitedMs = 0;
  for (;;) {
    const answer = await parts.calls.issueCapture();
    if (parts.signal.aborted) return null;
    if (answer.ok || (answer.fault !== 'offline' && answer.status < 500)) return answer;
    const full = answer.status === 503 && answer.retryAfterMs !== null;
    const pauseMs = full ? answer.retryAfterMs + JITTER_MS * parts.random() : attempt * ATTEMPT_PAUSE_MS;
    if (full) waitedMs += answer.retryAfterMs;
    else attempt += 1;
    if (attempt > MAX_ATTEMPTS || waitedMs > MAX_WAIT_MS) return answer;
    await parts.pause(pauseMs);
    if (parts.signal.aborted) return null;
  }
}
