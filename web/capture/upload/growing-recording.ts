// A recording while it is made: its slices with their hashes, in the recorder's order.
import type { CommitRequest, SliceRequest } from '../../../src/contract/capture-page.ts';
import { sha256Hex } from '../api/device.ts';
import type { UploadSource } from './upload.ts';

/** The end of a recording: what the server is told of it, and until when. */
export interface RecordingEnd {
  readonly commit: CommitRequest;
  /** By this device's clock, in milliseconds since 1970. */
  readonly commitByMs: number;
}

/** The time that the server gives to announcements, by this device's clock in milliseconds since 1970. */
export interface AnnouncingTime {
  readonly issuedAtMs: number;
  /** From the end of the slice before, counted from the issue. */
  readonly withinMs: number;
}

/** What the commit says beside the slices, which are counted here. */
export type CommitDetails = Omit<CommitRequest, 'slices' | 'size_bytes'>;

export class GrowingRecording implements UploadSource {
  readonly #parts: Blob[] = [];
  readonly #slices: SliceRequest[] = [];
  /** Slices that have been announced, or may have been: they do not change any more. */
  #fixed = 0;
  readonly #time: AnnouncingTime | null;
  #end: RecordingEnd | null = null;
  #grown: () => void = () => {};
  #growth = new Promise<void>((resolve) => {
    this.#grown = resolve;
  });
  #adding: Promise<unknown> = Promise.resolve();

  /** @param time null where announcements are too late or in time by the server's word alone */
  constructor(time: AnnouncingTime | null = null) {
    this.#time = time;
  }

  /** One that is over: kept through a reload. */
  static of(blob: Blob, slices: readonly SliceRequest[], end: RecordingEnd): GrowingRecording {
    const recording = new GrowingRecording();
    recording.#parts.push(blob);
    recording.#slices.push(...slices);
    recording.#end = end;
    return recording;
  }

  get sliceBytes(): number[] {
    return this.#slices.map(({ size_bytes }) => size_bytes);
  }

  get slices(): readonly SliceRequest[] {
    return this.#slices;
  }

  get announceByMs(): number | null {
    if (!this.#time) return null;
    const { issuedAtMs, withinMs } = this.#time;
    return issuedAtMs + (this.#slices[this.#fixed - 1]?.to_ms ?? 0) + withinMs;
  }

  get commitByMs(): number | null {
    return this.#end?.commitByMs ?? null;
  }

  get commit(): CommitRequest | null {
    return this.#end?.commit ?? null;
  }

  /** The bytes so far. */
  blob(): Blob {
    return new Blob(this.#parts);
  }

  /** A slice as it is announced: it stays as it is from now on. */
  announcement(index: number): SliceRequest {
    this.#fixed = Math.max(this.#fixed, index + 1);
    return this.#slices[index]!;
  }

  /**
   * The next slice, which ends `toMs` after the recorder's start. It is joined to one that still waits to be announced: a line
   * on which each announcement takes longer than a slice falls no further behind.
   */
  add(part: Blob, toMs: number): void {
    this.#inTurn(async () => {
      const last = this.#slices.length - 1;
      if (last >= this.#fixed) {
        const joined = new Blob([this.#parts[last]!, part]);
        const slice = await sliceOf(joined, last, this.#after(last, toMs));
        // Announced meanwhile: what follows is a slice of its own.
        if (last >= this.#fixed) {
          this.#parts[last] = joined;
          this.#slices[last] = slice;
          return;
        }
      }
      const slice = await sliceOf(part, last + 1, this.#after(last, toMs));
      this.#parts.push(part);
      this.#slices.push(slice);
    });
  }

  /** The recording is over: resolves when the last slice is hashed. */
  end(details: CommitDetails, commitByMs: number): Promise<RecordingEnd> {
    return this.#inTurn(async () => {
      const size_bytes = this.sliceBytes.reduce((total, bytes) => total + bytes, 0);
      this.#end = { commit: { ...details, slices: this.#slices.length, size_bytes }, commitByMs };
      return this.#end;
    });
  }

  changed(): Promise<void> {
    return this.#growth;
  }

  /** Two slices of one moment (the last one comes as the recorder stops) are told apart. */
  #after(index: number, toMs: number): number {
    return Math.max(toMs, (this.#slices[index]?.to_ms ?? 0) + 1);
  }

  /** Hashes end in whatever order; slices have one. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#adding.then(work).finally(() => {
      this.#grown();
      this.#growth = new Promise((resolve) => {
        this.#grown = resolve;
      });
    });
    this.#adding = done.catch(() => {});
    return done;
  }
}

async function sliceOf(part: Blob, index: number, to_ms: number): Promise<SliceRequest> {
  const sha256 = await sha256Hex(await part.arrayBuffer());
  return { index, sha256, size_bytes: part.size, to_ms };
}
