// The recording that the server does not have in full yet: uploaded while it is made, held, and found again after a
// reload.

import type { CaptureState, SliceAnnouncement } from '../../../src/contract/capture-page.ts';
import type { PasskeyAnswer } from '../../../src/contract/device.ts';
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
  /** Uploads a recording while it is made, and learns the steps of its script. Dispatches the result. */
  begin(capture: IssuedCapture, script: AskedSteps): GrowingRecording;
  /** The recording is over: uploads the rest, and stores what is unsent for a reload. */
  end(details: CommitDetails, deadlines: Deadlines): void;
  /** The recording failed: nothing more of it is uploaded. */
  giveUp(): void;
  /**
   * Finds what is left of the challenge's open capture, in this page or from before a reload. Resolves to its
   * deadlines, or null if nothing is left.
   */
  resume(challenge: CaptureState): Promise<Deadlines | null>;
  /**
   * The person waits for the upload: reports its status, and continues what a reload found.
   * @param committed whether the server has the recording's end
   */
  send(committed: boolean): void;
  /** Slices of the recording that is over; none if none is held. */
  slices(): Promise<readonly SliceAnnouncement[]>;
  /** What the person's device answered: the upload waits for it. */
  answer(answer: PasskeyAnswer): void;
}

interface Held {
  readonly captureId: string;
  readonly chunkBytes: number;
  readonly recording: GrowingRecording;
  /** Null during the recording. */
  deadlines: Deadlines | null;
  /** Aborts its upload; null before the upload runs. */
  sending: AbortController | null;
  status: UploadStatus | null;
  /** Settles when the bytes are stored for a reload. */
  kept: Promise<void>;
}

/**
 * Upper limit on chunks, whatever the server allows: small enough that progress moves and a lost chunk costs little.
 */
const CHUNK_BYTES = 262_144;

const ENDS: Readonly<Record<UploadOutcome, PageEvent>> = {
  complete: { type: 'upload_complete' },
  lost: { type: 'upload_lost', why: 'upload_lost' },
  blocked: { type: 'upload_lost', why: 'network_blocks' },
  faulty: { type: 'upload_lost', why: 'page_fault' },
  // The reloaded state says how the check ended.
  expired: { type: 'reload' },
};

/** Creates a holder without a recording. */
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
    // Another recording has begun meanwhile, so this result is not its end.
    if (outcome === null || held !== it) return;
    // Abort calls that still hang on a lost connection.
    sending.abort();
    held = null;
    void it.kept.then(dropPending);
    dispatch(ENDS[outcome]);
  };

  return {
    begin: ({ captureId, chunkBytes, announcing, passkey }, script) => {
      held?.sending?.abort();
      const recording = new GrowingRecording(announcing, passkey !== null);
      held = {
        captureId,
        chunkBytes: Math.min(chunkBytes, CHUNK_BYTES),
        recording,
        deadlines: null,
        sending: null,
        status: null,
        kept: Promise.resolve(),
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
      held = pending && heldOf(pending, Boolean(capture?.passkey));
      return held?.deadlines ?? null;
    },
    send: (committed) => {
      if (!held) return dispatch({ type: 'upload_lost', why: 'upload_lost' });
      if (!held.sending) void run(held, null, true, committed);
      else if (held.status) dispatch({ type: 'upload', status: held.status });
    },
    slices: async () => (await held?.recording.hashed()) ?? [],
    answer: (answer) => held?.recording.give(answer),
  };
}

/** Ends the recording, and stores what may be left of it. Neither its commit nor its bytes wait for the disk. */
async function keep(
  { captureId, chunkBytes, recording }: Held,
  details: CommitDetails,
  deadlines: Deadlines,
): Promise<void> {
  const { commit } = await recording.end(details, deadlines.commitByMs);
  const { slices } = recording;
  await keepPending({ captureId, chunkBytes, slices, commit, deadlines, blob: recording.blob() });
}

function heldOf(
  { captureId, chunkBytes, blob, slices, commit, deadlines }: PendingCapture,
  asksDevice: boolean,
): Held {
  const end = { commit, commitByMs: deadlines.commitByMs };
  const recording = GrowingRecording.of(blob, slices, end, asksDevice);
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
