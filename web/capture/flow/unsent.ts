// The recording that is not wholly with the server yet: sent while it is made, held, found again after a reload.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Calls } from '../api/calls.ts';
import { type CommitDetails, GrowingRecording } from '../upload/growing-recording.ts';
import {
  type Deadlines,
  dropPending,
  keepPending,
  loadPending,
  type PendingCapture,
} from '../upload/pending.ts';
import { type AskedSteps, uploadPort } from '../upload/port.ts';
import { runUpload, type UploadOutcome, type UploadStatus } from '../upload/upload.ts';
import type { IssuedCapture, PageEvent } from './screens.ts';

export interface Unsent {
  /** Sends a recording while it is made, and learns the steps of its script. What becomes of it is dispatched. */
  begin(capture: IssuedCapture, script: AskedSteps): GrowingRecording;
  /** The recording is over: the rest is sent, and what is unsent kept for a reload. */
  end(details: CommitDetails, deadlines: Deadlines): void;
  /** The recording came to nothing: nothing more of it is sent. */
  giveUp(): void;
  /** What is left of the challenge's open capture, here or from before a reload: its deadlines; null where nothing is. */
  resume(challenge: CaptureState): Promise<Deadlines | null>;
  /**
   * The person waits for it: says where it stands, and goes on with what a reload found.
   * @param committed whether the server has the recording's end
   */
  send(committed: boolean): void;
}

interface Held {
  readonly captureId: string;
  readonly chunkBytes: number;
  readonly recording: GrowingRecording;
  /** Null while the recording goes on. */
  deadlines: Deadlines | null;
  /** Its upload; null before it runs. */
  sending: AbortController | null;
  status: UploadStatus | null;
  /** Settles when the bytes are kept for a reload. */
  kept: Promise<void>;
}

/** Chunks small enough that progress moves and a lost one costs little, whatever more the server would take. */
const CHUNK_BYTES = 262_144;

const ENDS: Readonly<Record<UploadOutcome, PageEvent>> = {
  complete: { type: 'upload_complete' },
  lost: { type: 'upload_lost', why: 'upload_lost' },
  faulty: { type: 'upload_lost', why: 'page_fault' },
  // How the check ended the server says with its state.
  expired: { type: 'reload' },
};

/** Nothing is held yet. */
export function createUnsent(calls: Calls, dispatch: (event: PageEvent) => void): Unsent {
  let held: Held | null = null;

  const run = async (it: Held, script: AskedSteps | null, resumed: boolean, committed: boolean) => {
    const sending = new AbortController();
    it.sending = sending;
    const report = (status: UploadStatus) => {
      it.status = status;
      if (!sending.signal.aborted) dispatch({ type: 'upload', status });
    };
    const port = uploadPort(calls, it.captureId, it.recording, script, sending.signal);
    const outcome = await runUpload(
      port,
      it.recording,
      { chunkBytes: it.chunkBytes, resumed, committed },
      report,
      sending.signal,
    );
    // Another recording has begun meanwhile: it is not this one's end.
    if (outcome === null || held !== it) return;
    // What still hangs on a line that is away.
    sending.abort();
    held = null;
    void it.kept.then(dropPending);
    dispatch(ENDS[outcome]);
  };

  return {
    begin: ({ captureId, chunkBytes, announcing }, script) => {
      held?.sending?.abort();
      const recording = new GrowingRecording(announcing);
      held = {
        ...{ captureId, chunkBytes: Math.min(chunkBytes, CHUNK_BYTES), recording },
        ...{ deadlines: null, sending: null, status: null, kept: Promise.resolve() },
      };
      void run(held, script, false, false);
      return recording;
    },
    end: (details, deadlines) => {
      if (!held) return;
      held.deadlines = deadlines;
      held.kept = keep(held, details, deadlines);
    },
    giveUp: () => {
      held?.sending?.abort();
      held = null;
    },
    resume: async ({ capture }) => {
      const open = capture?.state === 'issued' || capture?.state === 'committed' ? capture.id : null;
      if (held?.captureId === open && held.deadlines) return held.deadlines;
      held?.sending?.abort();
      const pending = open === null ? null : await loadPending(open);
      held = pending && heldOf(pending);
      return held?.deadlines ?? null;
    },
    send: (committed) => {
      if (!held) return dispatch({ type: 'upload_lost', why: 'upload_lost' });
      if (!held.sending) void run(held, null, true, committed);
      else if (held.status) dispatch({ type: 'upload', status: held.status });
    },
  };
}

/** Ends the recording, and keeps what may be left of it: neither its commit nor its bytes wait for the disk. */
async function keep(
  { captureId, chunkBytes, recording }: Held,
  details: CommitDetails,
  deadlines: Deadlines,
): Promise<void> {
  const { commit } = await recording.end(details, deadlines.commitByMs);
  const { slices } = recording;
  await keepPending({ captureId, chunkBytes, slices, commit, deadlines, blob: recording.blob() });
}

function heldOf({ captureId, chunkBytes, blob, slices, commit, deadlines }: PendingCapture): Held {
  const recording = GrowingRecording.of(blob, slices, { commit, commitByMs: deadlines.commitByMs });
  return {
    captureId,
    chunkBytes,
    recording,
    deadlines,
    sending: null,
    status: null,
    kept: Promise.resolve(),
  };
}
