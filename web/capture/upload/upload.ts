// The upload of one capture, from the recorder's first slice on: each slice is announced as soon as it exists, together
// with those that waited for the previous call, and its bytes follow in chunks from wherever the server stands. Free of
// DOM and clock (both are passed in), so that lost connections can be tested without either.
import type { ReceivedBytes } from '../../../src/contract/capture-page.ts';
import { MAX_ANNOUNCED_AT_ONCE } from '../../../src/contract/upload-limits.ts';
import { commitDelayAfter } from './delays.ts';
import type { Standing, StepAnswer, UploadPort } from './upload-calls.ts';

/** Whether the person's device has answered, where it is to. */
export type DeviceAnswer = 'none' | 'awaited' | 'given';

/** What has to be uploaded, as it grows. */
export interface UploadSource {
  /** Size in bytes of each slice so far. */
  readonly sliceBytes: readonly number[];
  /**
   * The latest time, on the port's clock, at which the slice after `announced` slices may be announced; never too
   * early; null if unknown.
   */
  announceByMs(announced: number): number | null;
  /** Until when the commit is accepted, on the port's clock; null during the recording. */
  readonly commitByMs: number | null;
  /** After the recording the upload waits for it, however long the person takes. */
  readonly deviceAnswer: DeviceAnswer;
  /** Resolves when there are more slices, the recording is over, or the device has answered. */
  changed(): Promise<void>;
}

export interface UploadInput {
  readonly chunkBytes: number;
  /** Whether this resumes the upload of the same bytes after a reload: the server is then asked first. */
  readonly resumed: boolean;
  /** Whether the server has said that the recording is committed. */
  readonly committed: boolean;
}

export type UploadPhase = 'committing' | 'sending' | 'waiting';

export interface UploadStatus {
  readonly phase: UploadPhase;
  /** Share of the bytes that the server has, 0–1. */
  readonly progress: number;
  /** Whether the server has acknowledged the end of the recording: from then on there are minutes for the bytes. */
  readonly committed: boolean;
  /** Whether no call has been answered since the last step that was accepted. */
  readonly lost: boolean;
}

/**
 * complete: the server has every byte. lost: it will not accept them. blocked: the network lets nothing of them through.
 * faulty: the page is to blame. expired: the challenge is over.
 */
export type UploadOutcome = 'complete' | 'lost' | 'blocked' | 'faulty' | 'expired';

/**
 * An announcement that takes this much longer than the quickest was queued behind the recording's bytes. The bytes then
 * pause, so that the next one finds the connection free.
 */
const QUEUED_MS = 250;
/** Maximum bytes in a chunk before the commit: one second at 1 Mbit/s, so that the bytes can be paused that soon. */
const CHUNK_MEANWHILE = 131_072;
/** A firewall that reads every body may allow little more than a form has. Half of the smallest limit that was met. */
export const SMALLEST_CHUNK = 32_768;
/** A step that is refused this often without progress in between, by the server or on the way, is never accepted. */
const MAX_REFUSALS = 6;

/** A step that is due: one call to the server. */
type Step = () => Promise<StepAnswer>;

/**
 * Runs the upload to an outcome, however long the connection is lost. The server decides whether something came too
 * late, except during the recording, which ends as `lost` once it is certainly in vain. Announcements do not wait for
 * bytes: each has its own lane, with one call at a time. After a failure the server is asked where it stands, so that
 * nothing is sent twice and a step whose answer was lost counts.
 * @param signal stops the upload; there is no outcome then
 */
export function runUpload(
  port: UploadPort,
  source: UploadSource,
  input: UploadInput,
  report: (status: UploadStatus) => void,
  signal?: AbortSignal,
): Promise<UploadOutcome | null> {
  return new Upload(port, source, input, report).run(signal);
}

const NOTHING: ReceivedBytes = { received_bytes: 0, announced_slices: 0, state: 'issued' };

class Upload {
  readonly #port: UploadPort;
  readonly #source: UploadSource;
  #chunkBytes: number;
  readonly #report: (status: UploadStatus) => void;
  /** Where the server stands, as far as this page knows. */
  #server: ReceivedBytes = NOTHING;
  /** Slices that the server may have, counting announcements whose answer was lost. */
  #mayBeAnnounced = 0;
  #committed: boolean;
  /** Whether the server has what the device answered, or no longer wants it. */
  #answered = false;
  #asked: boolean;
  /** Whether the last announcement took long. */
  #lineIsFull = false;
  #quickestMs = Number.POSITIVE_INFINITY;
  /**
   * False while the connection is lost. Reported once, and again when it is back: text that changes with every attempt
   * helps nobody.
   */
  #connected = true;
  /** What became of the calls since the last step that was accepted; null if none failed. */
  #failing: 'unanswered' | 'answered' | null = null;
  #outcome: UploadOutcome | null = null;
  #tellEnd: () => void = () => {};
  readonly #ended = new Promise<void>((resolve) => {
    this.#tellEnd = resolve;
  });
  /** Whether there is nothing more to do. */
  #over = false;
  #moved: () => void = () => {};
  #movement: Promise<void> = Promise.resolve();

  constructor(
    port: UploadPort,
    source: UploadSource,
    input: UploadInput,
    report: (status: UploadStatus) => void,
  ) {
    this.#port = port;
    this.#source = source;
    this.#chunkBytes = input.chunkBytes;
    this.#report = report;
    this.#asked = !input.resumed;
    this.#committed = input.committed;
    this.#wake();
  }

  async run(signal?: AbortSignal): Promise<UploadOutcome | null> {
    const stop = () => {
      this.#over = true;
      this.#wake();
    };
    signal?.addEventListener('abort', stop);
    const lanes = [this.#lane(() => this.#nextAnnouncement()), this.#lane(() => this.#nextBytes())];
    // Once there is an outcome, a call that hangs holds up nothing.
    await Promise.race([this.#ended, Promise.all(lanes)]);
    signal?.removeEventListener('abort', stop);
    return this.#outcome;
  }

  /** Makes one call after another until there is an outcome. */
  async #lane(next: () => Step | null): Promise<void> {
    let attempt = 0;
    let refusals = 0;
    while (!this.#over) {
      const step = this.#asked ? next() : () => this.#port.progress();
      if (!step) {
        if (this.#awaitsPerson()) this.#tell('sending');
        await Promise.race([this.#source.changed(), this.#movement]);
        continue;
      }
      if (this.#connected) this.#tell(this.#committed ? 'sending' : 'committing');
      const answer = await step();
      if (this.#over) return;
      const unanswered = !answer.ok && answer.kind === 'offline';
      this.#connected = answer.ok || !(unanswered || answer.kind === 'transient');
      if (unanswered) this.#failing ??= 'unanswered';
      else if (!answer.ok || this.#failing) this.#failing = 'answered';
      if (answer.ok) {
        const hadAsked = this.#asked;
        const further = this.#learn(answer.value);
        // Asking after a failure is not progress yet: the count of attempts restarts only when a step is accepted.
        if (further && hadAsked) {
          attempt = refusals = 0;
          this.#failing = null;
        }
        if (further || !hadAsked) continue;
        attempt += 1;
        await this.#port.pause(this.#delayMs(attempt, null));
        continue;
      }
      const isBlocked = answer.kind === 'blocked';
      const isRefused = isBlocked || answer.kind === 'realign';
      if (isRefused) refusals += 1;
      const end = endOf(answer.kind);
      if (end !== null || refusals > MAX_REFUSALS || this.#isInVain())
        return this.#end(end ?? (isBlocked ? 'blocked' : 'lost'));
      // It may be their size that is refused.
      if (isBlocked) this.#chunkBytes = Math.min(this.#chunkBytes, SMALLEST_CHUNK);
      this.#asked = false;
      attempt += 1;
      if (isRefused && attempt === 1) continue;
      this.#tell('waiting');
      await this.#port.pause(this.#delayMs(attempt, answer.retryAfterMs));
    }
  }

  /** The next announcement, the commit once all are made, and then the device's answer once there is one. */
  #nextAnnouncement(): Step | null {
    const { sliceBytes, commitByMs } = this.#source;
    const { announced_slices: announced } = this.#server;
    if (this.#committed) return this.#nextAnswer();
    if (announced < sliceBytes.length) {
      const to = Math.min(sliceBytes.length, announced + MAX_ANNOUNCED_AT_ONCE);
      return async () => {
        this.#mayBeAnnounced = Math.max(this.#mayBeAnnounced, to);
        const fromMs = this.#port.now();
        const answer = await this.#port.announce(announced, to);
        const tookMs = this.#port.now() - fromMs;
        this.#quickestMs = Math.min(this.#quickestMs, tookMs);
        this.#lineIsFull = tookMs > this.#quickestMs + QUEUED_MS;
        return answer;
      };
    }
    return commitByMs === null ? null : () => this.#port.commit();
  }

  #nextAnswer(): Step | null {
    const isDue = this.#source.deviceAnswer === 'given' && !this.#answered;
    return isDue ? () => this.#port.answer() : null;
  }

  /** Whether the server lacks the device's answer, which is the end of the upload where one is asked for. */
  #lacksAnswer(): boolean {
    return this.#source.deviceAnswer !== 'none' && !this.#answered;
  }

  /** Whether nothing is left to do before the person answers. */
  #awaitsPerson(): boolean {
    const { sliceBytes, deviceAnswer } = this.#source;
    const hasAll = this.#committed && this.#server.received_bytes >= sum(sliceBytes);
    return hasAll && deviceAnswer === 'awaited' && !this.#answered;
  }

  /**
   * The next chunk of the announced bytes; an empty one if the server has everything but has not reported the end.
   */
  #nextBytes(): Step | null {
    const { announced_slices: announced, received_bytes: received } = this.#server;
    // Bytes have minutes; announcements, and the commit after the last of them, have only seconds.
    if (this.#lineIsFull && !this.#committed) return null;
    const most = this.#committed ? this.#chunkBytes : Math.min(this.#chunkBytes, CHUNK_MEANWHILE);
    const sendable = sum(this.#source.sliceBytes.slice(0, announced));
    if (received >= sendable && (!this.#committed || this.#lacksAnswer())) return null;
    return () => this.#port.append(received, Math.min(received + most, sendable));
  }

  /** Records where the server stands, never less than it has reported before. Returns whether it has advanced. */
  #learn({ received_bytes, announced_slices, state, passkey }: Standing): boolean {
    const before = this.#server;
    const wasCommitted = this.#committed;
    const hadAnswer = this.#answered;
    this.#asked = true;
    this.#server = {
      received_bytes: Math.max(before.received_bytes, received_bytes),
      announced_slices: Math.max(before.announced_slices, announced_slices),
      state,
    };
    this.#committed ||= state === 'committed';
    this.#answered ||= state === 'committed' && passkey === null;
    if (state === 'submitted' || state === 'judged' || state === 'rejected') this.#end('complete');
    if (state === 'abandoned') this.#end('lost');
    const further =
      received_bytes > before.received_bytes ||
      announced_slices > before.announced_slices ||
      this.#committed !== wasCommitted ||
      this.#answered !== hadAnswer;
    if (further) this.#wake();
    return further;
  }

  /**
   * Whether the person is still recording something that can no longer be announced in time. Once the recording is
   * over, it costs nobody anything to let the server decide.
   */
  #isInVain(): boolean {
    const byMs = this.#source.announceByMs(this.#mayBeAnnounced);
    return this.#source.commitByMs === null && byMs !== null && this.#port.now() > byMs;
  }

  #delayMs(attempt: number, retryAfterMs: number | null): number {
    const { commitByMs } = this.#source;
    const leftMs = this.#committed ? 0 : (commitByMs ?? Number.POSITIVE_INFINITY) - this.#port.now();
    return commitDelayAfter(attempt, retryAfterMs, this.#port.random(), leftMs);
  }

  #tell(phase: UploadPhase): void {
    const progress = this.#server.received_bytes / Math.max(1, sum(this.#source.sliceBytes));
    this.#report({ phase, progress, committed: this.#committed, lost: this.#failing === 'unanswered' });
  }

  #end(outcome: UploadOutcome): void {
    this.#outcome ??= outcome;
    this.#over = true;
    this.#tellEnd();
    this.#wake();
  }

  /** Lets the other lane check again. */
  #wake(): void {
    this.#moved();
    this.#movement = new Promise((resolve) => {
      this.#moved = resolve;
    });
  }
}

function endOf(kind: Extract<StepAnswer, { ok: false }>['kind']): UploadOutcome | null {
  if (kind === 'expired') return 'expired';
  if (kind === 'refused') return 'lost';
  return kind === 'faulty' ? 'faulty' : null;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
