// The upload of one recorded capture: its hash first, then its bytes in chunks from wherever the server stands.
// Pure of DOM and clock (both given), so that lost connections are tested without one.
import type { ReceivedBytes } from '../../../src/contract/capture-page.ts';

/** Answer to one step of the upload, reduced to what matters for going on. */
export type StepAnswer =
  | { readonly ok: true; readonly value: ReceivedBytes }
  | {
      readonly ok: false;
      /**
       * transient: try again; realign: the server stands elsewhere; refused: it will never take these bytes; faulty: nor
       * would it ever have.
       */
      readonly kind: 'transient' | 'realign' | 'refused' | 'faulty' | 'expired';
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
  /** Milliseconds since 1970: outlives a reload. */
  now(): number;
}

export interface UploadInput {
  readonly sizeBytes: number;
  readonly chunkBytes: number;
  /** Whether this is a second run for the same bytes, after a reload: the server is asked first. */
  readonly resumed: boolean;
  /** Whether the server has said that the hash is committed. */
  readonly committed: boolean;
  /** Until when the commit is taken, on the port's clock. */
  readonly commitByMs: number;
}

export type UploadPhase = 'committing' | 'sending' | 'waiting';

export interface UploadStatus {
  readonly phase: UploadPhase;
  /** Share of the bytes that the server has, 0–1. */
  readonly progress: number;
  /** Whether the server has acknowledged the hash: from then on there are minutes for the bytes. */
  readonly committed: boolean;
}

/** complete: the server has every byte. lost: it will not take them. faulty: the page is to blame. expired: the challenge is over. */
export type UploadOutcome = 'complete' | 'lost' | 'faulty' | 'expired';

const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 12_000;
/** The commit has seconds: a connection that comes back must not find the page in a long pause. */
const MAX_COMMIT_DELAY_MS = 800;
/** A server that refuses a step so often without any progress between will never take these bytes. */
const MAX_REFUSALS = 6;

/** Exponential backoff with half jitter; `Retry-After` wins where the server gave a longer one. */
export function delayAfter(attempt: number, retryAfterMs: number | null, random: number): number {
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const ownMs = ceilingMs / 2 + (ceilingMs / 2) * random;
  return Math.max(ownMs, Math.min(retryAfterMs ?? 0, 60_000));
}

/** The pause before another try at the commit: short, and not past the time in which one is taken. */
export function commitDelayAfter(
  attempt: number,
  retryAfterMs: number | null,
  random: number,
  leftMs: number,
): number {
  const delayMs = delayAfter(attempt, retryAfterMs, random);
  if (leftMs <= 0) return delayMs;
  return Math.min(delayMs, Math.max(MAX_COMMIT_DELAY_MS, retryAfterMs ?? 0), leftMs);
}

/** What is known of the server: nothing, not committed, or the number of bytes it has. */
type Standing = 'unasked' | 'uncommitted' | number;

/**
 * Runs the upload to an outcome, however long the connection is away: whether a commit or a byte came too late is the
 * server's to say. After each failure it is asked where it stands, so that nothing is sent twice and a commit or
 * chunk whose answer was lost counts.
 */
export async function runUpload(
  port: UploadPort,
  input: UploadInput,
  report: (status: UploadStatus) => void,
): Promise<UploadOutcome> {
  let standing: Standing = input.resumed ? 'unasked' : 'uncommitted';
  let { committed } = input;
  let received = 0;
  let attempt = 0;
  let refusals = 0;
  let commitRefused = false;
  let connected = true;
  const tell = (phase: UploadPhase) => report({ phase, progress: received / input.sizeBytes, committed });
  for (;;) {
    // Words that change with every attempt would help nobody: it waits until something has come through.
    if (connected) tell(standing === 'uncommitted' ? 'committing' : 'sending');
    const answer = await nextStep(port, input, standing);
    let retryAfterMs: number | null = null;
    connected = answer.ok || answer.kind !== 'transient';
    if (answer.ok) {
      const { state } = answer.value;
      if (isTaken(state)) return 'complete';
      // A commit refused while the capture is still open came too late: it will never be taken.
      if (state === 'abandoned' || (state === 'issued' && commitRefused)) return 'lost';
      const before = standing;
      committed = state === 'committed';
      standing = committed ? answer.value.received_bytes : 'uncommitted';
      received = answer.value.received_bytes;
      const progressed = typeof before !== 'number' || (typeof standing === 'number' && standing > before);
      // Asking after a failure is no progress yet: only taken bytes start the count of attempts anew.
      if (progressed && before !== 'unasked') attempt = refusals = 0;
      if (progressed) continue;
    } else {
      if (answer.kind === 'expired') return 'expired';
      if (answer.kind === 'refused') return 'lost';
      if (answer.kind === 'faulty') return 'faulty';
      commitRefused ||= answer.kind === 'realign' && standing === 'uncommitted';
      standing = 'unasked';
      retryAfterMs = answer.retryAfterMs;
      if (answer.kind === 'realign') refusals += 1;
      if (refusals > MAX_REFUSALS) return 'lost';
    }
    attempt += 1;
    if (!answer.ok && answer.kind === 'realign' && attempt === 1) continue;
    tell('waiting');
    const leftMs = committed ? 0 : input.commitByMs - port.now();
    await port.pause(commitDelayAfter(attempt, retryAfterMs, port.random(), leftMs));
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
