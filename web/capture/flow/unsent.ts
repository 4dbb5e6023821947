// The recording that is not wholly with the server yet: held, found again after a reload, sent.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Calls } from '../api/calls.ts';
import type { Deadlines } from '../upload/pending.ts';
import { dropPending, keepPending, loadPending, type PendingCapture } from '../upload/pending.ts';
import { uploadPort } from '../upload/port.ts';
import { runUpload, type UploadOutcome } from '../upload/upload.ts';
import type { PageEvent } from './screens.ts';

export interface Unsent {
  /** Holds a recording that is being made ready, and keeps it for a reload. */
  hold(recording: Promise<PendingCapture>): void;
  /** What is left of the challenge's open capture, here or from before a reload: its deadlines; null where nothing is. */
  resume(challenge: CaptureState): Promise<Deadlines | null>;
  /**
   * Sends it, dispatching `upload` on the way and how it ended.
   * @param committed whether the server has the recording's hash
   */
  send(committed: boolean): Promise<void>;
}

interface Held {
  readonly pending: PendingCapture;
  /** Settles when the bytes are kept for a reload. */
  readonly kept: Promise<void>;
  /** Whether the server may have parts of it. */
  readonly resumed: boolean;
}

const ENDS: Readonly<Record<UploadOutcome, PageEvent>> = {
  complete: { type: 'upload_complete' },
  lost: { type: 'upload_lost', why: 'upload_lost' },
  faulty: { type: 'upload_lost', why: 'page_fault' },
  expired: { type: 'call_failed', fault: 'gone' },
};

/** Nothing is held yet. */
export function createUnsent(calls: Calls, dispatch: (event: PageEvent) => void): Unsent {
  let held: Promise<Held | null> = Promise.resolve(null);
  return {
    hold: (recording) => {
      // Keeping is not awaited: the commit has seconds, and the bytes' way to the disk must not take any of them.
      held = recording.then(
        (pending) => ({ pending, kept: keepPending(pending), resumed: false }),
        () => null,
      );
    },
    resume: async ({ capture }) => {
      const open = capture?.state === 'issued' || capture?.state === 'committed' ? capture.id : null;
      const before = await held;
      const pending = open === null ? null : (before?.pending ?? (await loadPending(open)));
      const kept = before?.kept ?? Promise.resolve();
      const found = pending?.captureId === open ? pending : null;
      held = Promise.resolve(found && { pending: found, kept, resumed: true });
      return found?.deadlines ?? null;
    },
    send: async (committed) => {
      const sent = await held;
      if (!sent) return dispatch({ type: 'upload_lost', why: 'upload_lost' });
      const { pending, kept, resumed } = sent;
      const outcome = await runUpload(
        uploadPort(calls, pending, kept, new AbortController().signal),
        {
          sizeBytes: pending.blob.size,
          chunkBytes: pending.chunkBytes,
          resumed,
          committed,
          commitByMs: pending.deadlines.commitByMs,
        },
        (status) => dispatch({ type: 'upload', status }),
      );
      held = Promise.resolve(null);
      void kept.then(dropPending);
      dispatch(ENDS[outcome]);
    },
  };
}
