// What an upload calls: the server, whose answers are reduced to what matters for the next step, and the clock.
import type { ReceivedBytes } from '../../../src/contract/capture-page.ts';
import type { PasskeyAsk } from '../../../src/contract/device.ts';

/**
 * Where the server stands. `passkey`: what the device is still to answer, null if nothing; undefined where the server did
 * not say.
 */
export interface Standing extends ReceivedBytes {
  readonly passkey?: PasskeyAsk | null;
}

/** Answer to one step of the upload, reduced to what matters for the next one. */
export type StepAnswer =
  | { readonly ok: true; readonly value: Standing }
  | {
      readonly ok: false;
      /**
       * offline: nothing answered; transient: try again; realign: the server is at another position; blocked: something
       * on the way to the server refuses this; refused: the server no longer accepts these bytes; faulty: it never would
       * have; expired: the challenge is over.
       */
      readonly kind: 'offline' | 'transient' | 'realign' | 'blocked' | 'refused' | 'faulty' | 'expired';
      readonly retryAfterMs: number | null;
    };

export interface UploadPort {
  /** Announces slices [from, to) by their hashes. */
  announce(from: number, to: number): Promise<StepAnswer>;
  /** Tells the server that the recording is over. */
  commit(): Promise<StepAnswer>;
  /** Asks where the server stands now. */
  progress(): Promise<StepAnswer>;
  /** Sends bytes [from, to). */
  append(from: number, to: number): Promise<StepAnswer>;
  /** Sends what the person's device answered. */
  answer(): Promise<StepAnswer>;
  /** Resolves after the time, or earlier when the connection is restored. */
  pause(ms: number): Promise<void>;
  /** 0–1, for the jitter. */
  random(): number;
  /** Milliseconds since 1970, so that times survive a reload. */
  now(): number;
}
