// The upload of one recorded capture: its hash first, then its bytes in chunks from wherever the server stands.
// Pure of DOM and clock (both given), so that lost connections are tested without one.
import type { ReceivedBytes } from '../../../src/contract/capture-page.ts';

/** Answer to one step of the upload, reduced to what matters for going on. */
export type StepAnswer =
  | { readonly ok: true; readonly value: ReceivedBytes }
  | {
      readonly ok: false;
      /** transient: try again; realign: the server stands elsewhere; refused: it will never take these bytes. */
      readonly kind: 'transient' | 'realign' | 'refused' | 'expired';
      readonly retryAfterMs: number | null;
    };

export interface UploadPort {
  /** Commits the hash. */
  commit(): Promise<StepAnswer>;
  /** Where the server stands now. */
  progress(): Promise<StepAnswer>;
  /** Sends bytes [from, to). */
  append(from: number, to: number): Promise<StepAnswer>;
  /** Resolves after the time, or earlier when the connection comes back. */
  pause(ms: number): Promise<void>;
  /** 0–1, for the jitter. */
  random(): number;
}

export interface UploadInput {
  readonly sizeBytes: number;
  readonly chunkBytes: number;
  /** Whether this is a second run for the same bytes (a reload, "try again"): the server is asked first. */
  readonly resumed: boolean;
}

export type UploadPhase = 'committing' | 'sending' | 'waiting';

/** complete: the server has every byte. lost: it will not take them. stopped: given up for now; may be resumed. */
export type UploadOutcome = 'complete' | 'lost' | 'expired' | 'stopped';

/** Attempts in a row without any progress before the person is asked: about a minute with the delays below. */
export const MAX_ATTEMPTS = 9;
const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 12_000;

/** Exponential backoff with half jitter; `Retry-After` wins where the server gave a longer one. */
export function delayAfter(attempt: number, retryAfterMs: number | null, random: number): number {
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const ownMs = ceilingMs / 2 + (ceilingMs / 2) * random;
  return Math.max(ownMs, Math.min(retryAfterMs ?? 0, 60_000));
}

/** What is known of the server: nothing, not committed, or the number of bytes it has. */
type Standing = 'unasked' | 'uncommitted' | number;

/**
 * Runs the upload to an outcome. After each failure the server is asked where it stands, so that nothing is sent
 * twice and a commit or chunk whose answer was lost counts.
 */
export async function runUpload(
  port: UploadPort,
  input: UploadInput,
  report: (phase: UploadPhase, progress: number) => void,
): Promise<UploadOutcome> {
  let standing: Standing = input.resumed ? 'unasked' : 'uncommitted';
  let received = 0;
  let attempt = 0;
  let commitRefused = false;
  for (;;) {
    report(standing === 'uncommitted' ? 'committing' : 'sending', received / input.sizeBytes);
    const answer = await nextStep(port, input, standing);
    let retryAfterMs: number | null = null;
    if (answer.ok) {
      const { state } = answer.value;
      if (isTaken(state)) return 'complete';
      // A commit refused while the capture is still open came too late: it will never be taken.
      if (state === 'abandoned' || (state === 'issued' && commitRefused)) return 'lost';
      const before = standing;
      standing = state === 'issued' ? 'uncommitted' : answer.value.received_bytes;
      received = answer.value.received_bytes;
      const progressed = typeof before !== 'number' || (typeof standing === 'number' && standing > before);
      // Asking after a failure is no progress yet: only taken bytes start the count of attempts anew.
      if (progressed && before !== 'unasked') attempt = 0;
      if (progressed) continue;
    } else {
      if (answer.kind === 'expired') return 'expired';
      if (answer.kind === 'refused') return 'lost';
      commitRefused ||= answer.kind === 'realign' && standing === 'uncommitted';
      standing = 'unasked';
      retryAfterMs = answer.retryAfterMs;
    }
    attempt += 1;
    if (attempt >= MAX_ATTEMPTS) return 'stopped';
    if (!answer.ok && answer.kind === 'realign' && attempt === 1) continue;
    report('waiting', received / input.sizeBytes);
    await port.pause(delayAfter(attempt, retryAfterMs, port.random()));
  }
}

function nextStep(port: UploadPort, input: UploadInput, standing: Standing): Promise<StepAnswer> {
  if (standing === 'unasked') return port.progress();
  if (standing === 'uncommitted') return port.commit();
  return port.append(standing, Math.min(standing + input.chunkBytes, input.sizeBytes));
}

function isTaken(state: ReceivedBytes['state']): boolean {
  return state === 'submitted' || state === 'judged' || state === 'rejected';
}
