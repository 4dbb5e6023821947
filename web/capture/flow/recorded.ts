// A recording as it is sent: its bytes, the commit of their hash, and what the page says of how it was made.
import type { GuidanceState } from '../../../src/contract/capture-page.ts';
import { sha256Hex } from '../api/device.ts';
import type { Recording } from '../camera/recorder.ts';
import type { PendingCapture } from '../upload/pending.ts';
import type { IssuedCapture } from './screens.ts';

/** As many as the server takes; no script has more steps. */
const MAX_HINTED_DELAYS = 32;

/** Chunks small enough that progress moves and a lost one costs little, whatever more the server would take. */
const CHUNK_BYTES = 262_144;

/** Hashes the recording: a few milliseconds for 1.5 MB. */
export async function pendingOf(
  { captureId, chunkBytes, deadlines }: IssuedCapture,
  { blob, mimeType, durationMs, focusLost, promptDelaysMs }: Recording,
  { labelVirtual, guidance }: { labelVirtual: boolean; guidance: GuidanceState },
): Promise<PendingCapture> {
  return {
    captureId,
    chunkBytes: Math.min(chunkBytes, CHUNK_BYTES),
    deadlines,
    blob,
    commit: {
      sha256: await sha256Hex(await blob.arrayBuffer()),
      size_bytes: blob.size,
      mime_type: mimeType,
      duration_ms: durationMs,
      hints: {
        camera_label_virtual: labelVirtual,
        focus_lost: focusLost,
        guidance,
        prompt_delays_ms: promptDelaysMs.slice(0, MAX_HINTED_DELAYS),
      },
    },
  };
}
