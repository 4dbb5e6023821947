// What the page tells the server about a recording when it is over.
import type { GuidanceState } from '../../../src/contract/capture-page.ts';
import type { Recording } from '../camera/recorder.ts';
import type { CommitDetails } from '../upload/growing-recording.ts';

/** The commit of a recording, apart from its slices. */
export function commitDetails(
  { mimeType, durationMs, focusLost, script }: Recording,
  hints: { labelVirtual: boolean; guidance: GuidanceState },
): CommitDetails {
  return {
    mime_type: mimeType,
    duration_ms: durationMs,
    script,
    hints: {
      camera_label_virtual: hints.labelVirtual,
      focus_lost: focusLost,
      guidance: hints.guidance,
    },
  };
}
