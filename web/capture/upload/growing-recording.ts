// A recording while it is made: its slices with their hashes, in the recorder's order.
import type { CommitRequest, SliceAnnouncement } from '../../../src/contract/capture-page.ts';
import type { PasskeyAnswer } from '../../../src/contract/device.ts';
import { sha256Hex } from '../api/device.ts';
import type { DeviceAnswer, UploadSource } from './upload.ts';

/** The end of a recording: its commit, and the deadline for that. */
export interface RecordingEnd {
  readonly commit: CommitRequest;
  /** On this device's clock, in milliseconds since 1970. */
  readonly commitByMs: number;
}

/** The time that the server allows for announcements, on this device's clock in milliseconds since 1970. */
export interface AnnouncingTime {
  readonly issuedAtMs: number;
  /** Counted from the previous slice's end, which is relative to the issue. */
  readonly withinMs: number;
}

/** The commit without the slices' count and size, which are filled in here. */
export type CommitDetails = Omit<CommitRequest, 'slices' | 'size_bytes'>;

export class GrowingRecording implements UploadSource {
  readonly #parts: Blob[] = [];
  readonly #slices: SliceAnnouncement[] = [];
  readonly #time: AnnouncingTime | null;
  readonly #asksDevice: boolean;
  #answer: PasskeyAnswer | null = null;
  #end: RecordingEnd | null = null;
  #grown: () => void = () => {};
  #growth = new Promise<void>((resolve) => {
    this.#grown = resolve;
  });
  #adding: Promise<unknown> = Promise.resolve();

  /**
   * @param time null if only the server decides whether an announcement is in time
   * @param asksDevice whether the upload is over only with an answer of the person's device
   */
  constructor(time: AnnouncingTime | null, asksDevice: boolean) {
    this.#time = time;
    this.#asksDevice = asksDevice;
  }

  /** A recording that is over, restored after a reload. */
  static of(
    blob: Blob,
    slices: readonly SliceAnnouncement[],
    end: RecordingEnd,
    asksDevice: boolean,
  ): GrowingRecording {
    const recording = new GrowingRecording(null, asksDevice);
    recording.#parts.push(blob);
    recording.#slices.push(...slices);
    recording.#end = end;
    return recording;
  }

  get sliceBytes(): number[] {
    return this.#slices.map(({ size_bytes }) => size_bytes);
  }

  get slices(): readonly SliceAnnouncement[] {
    return this.#slices;
  }

  announceByMs(announced: number): number | null {
    if (!this.#time) return null;
    const { issuedAtMs, withinMs } = this.#time;
    return issuedAtMs + (this.#slices[announced - 1]?.to_ms ?? 0) + withinMs;
  }

  get commitByMs(): number | null {
    return this.#end?.commitByMs ?? null;
  }

  get commit(): CommitRequest | null {
    return this.#end?.commit ?? null;
  }

  get deviceAnswer(): DeviceAnswer {
    if (!this.#asksDevice) return 'none';
    return this.#answer === null ? 'awaited' : 'given';
  }

  /** What the device answered; null before it has. */
  get answer(): PasskeyAnswer | null {
    return this.#answer;
  }

  /** Takes the device's answer. The first one counts, as it does for the server. */
  give(answer: PasskeyAnswer): void {
    this.#answer ??= answer;
    this.#tellGrowth();
  }

  /** Every slice that has been added, once the last of them is hashed. */
  hashed(): Promise<readonly SliceAnnouncement[]> {
    return this.#adding.then(() => this.#slices);
  }

  /** The bytes so far. */
  blob(): Blob {
    return new Blob(this.#parts);
  }

  /** Adds the next slice, which ends `toMs` after the recorder's start; `bytes` if they are already being read. */
  add(part: Blob, toMs: number, bytes: Promise<ArrayBuffer> = part.arrayBuffer()): void {
    const hashed = bytes.then(sha256Hex);
    hashed.catch(() => {});
    this.#inTurn(async () => {
      const sha256 = await hashed;
      // Keep the times of slices distinct: the last slice may come at the same moment as the one before, as the
      // recorder stops.
      const to_ms = Math.max(toMs, (this.#slices.at(-1)?.to_ms ?? 0) + 1);
      this.#parts.push(part);
      this.#slices.push({ index: this.#slices.length, sha256, size_bytes: part.size, to_ms });
    });
  }

  /** Ends the recording; resolves when the last slice has been hashed. */
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

  /** Runs the work in order: hashes finish in any order, slices have one. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#adding.then(work).finally(() => this.#tellGrowth());
    this.#adding = done.catch(() => {});
    return done;
  }

  #tellGrowth(): void {
    this.#grown();
    this.#growth = new Promise((resolve) => {
      this.#grown = resolve;
    });
  }
}
