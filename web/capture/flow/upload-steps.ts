// Steps of the state machine from the recording's end to its arrival at the server.
import type { Deadlines } from '../upload/pending.ts';
import type { Page, PageEvent, Screen } from './screens.ts';
import { again, stay, type Transition, to } from './transition.ts';

/**
 * Why a recording, or its next step, came too late: `upload_lost` if the network was seen to be down; otherwise
 * `too_slow` if the device was slow; else the reason given.
 */
export function causeOf({ slow, stuck, wasOffline }: Page, why: string): string {
  if (why !== 'upload_lost' && why !== 'connection_slow') return why;
  if (wasOffline) return 'upload_lost';
  return slow || stuck === 'warned' ? 'too_slow' : why;
}

/** The upload screen, as it starts or continues after a reload. */
export function uploading(deadlines: Deadlines, committed: boolean): Extract<Screen, { name: 'uploading' }> {
  const phase = committed ? 'sending' : 'committing';
  return { name: 'uploading', status: { phase, progress: 0, committed, lost: false }, deadlines };
}

/** Handles the upload's events, on whichever screen the person waits for it. */
export function onUploading(
  page: Page,
  screen: Extract<Screen, { name: 'uploading' | 'device' }>,
  event: PageEvent,
): Transition {
  switch (event.type) {
    case 'upload':
      return to(page, { ...screen, status: event.status });
    case 'upload_complete':
      return to(page, { name: 'processing', estimateMs: null, reconnecting: false }, { do: 'await_outcome' });
    case 'upload_lost':
      return again(page, causeOf(page, event.why));
    default:
      return stay(page);
  }
}
