// A recording as it is sent: its bytes, the commit of their hash, and what the page says of how it was made.
import type { GuidanceState } from '../../../src/contract/capture-page.ts';
import type { LightShown } from '../../../src/contract/screen-light.ts';
import { sha256Hex } from '../api/device.ts';
import type { Recording } from '../camera/recorder.ts';
import type { PendingCapture } from '../upload/pending.ts';
import { commitDeadlines } from './issue.ts';
import type { IssuedCapture } from './screens.ts';

/** Chunks small enough that progress moves and a lost one costs little, whatever more the server would take. */
const CHUNK_BYTES = 262_144;

/** Hashes the recording: a few milliseconds for 1.5 MB. */
export async function pendingOf(
  capture: IssuedCapture,
  { blob, mimeType, durationMs, focusLost, script }: Recording,
  hints: { labelVirtual: boolean; guidance: GuidanceState; light: LightShown | null },
): Promise<PendingCapture> {
  return {
    captureId: capture.captureId,
    chunkBytes: Math.min(capture.chunkBytes, CHUNK_BYTES),
    deadlines: commitDeadlines(capture, script),
    blob,
    commit: {
      sha256: await sha256Hex(await blob.arrayBuffer()),
      size_bytes: blob.size,
      mime_type: mimeType,
      duration_ms: durationMs,
      script,
      hints: {
        ...{ camera_label_virtual: hints.labelVirtual, focus_lost: focusLost, guidance: hints.guidance },
        ...(hints.light && { light: hints.light }),
      },
    },
  };
}
