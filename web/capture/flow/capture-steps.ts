// Steps of the state machine from the recording to its arrival at the server.
import type { Deadlines, Page, PageEvent, Screen } from './screens.ts';
import { again, stay, type Transition, to } from './transition.ts';

/** While the script is fetched and recorded. */
export function onRecording(page: Page, event: PageEvent): Transition {
  const { screen } = page;
  if (event.type === 'recording_failed') return again(page, event.why);
  if (screen.name === 'preparing') {
    if (event.type !== 'capture_issued') return stay(page);
    const { capture } = event;
    return to(
      page,
      { name: 'recording', capture, step: null, startedAtMs: null, faceLost: false },
      { do: 'record', capture },
    );
  }
  if (screen.name !== 'recording') return stay(page);
  switch (event.type) {
    case 'recorder_started':
      return to(page, { ...screen, step: 0, startedAtMs: event.atMs });
    case 'step':
      return to(page, { ...screen, step: event.index });
    case 'hint':
      return to(page, { ...screen, faceLost: event.hint === 'no_face' || event.hint === 'several_faces' });
    case 'recorded':
      return to(page, uploading(screen.capture.deadlines, false), { do: 'upload' });
    default:
      return stay(page);
  }
}

/** The upload as it begins, or goes on after a reload. */
export function uploading(deadlines: Deadlines, committed: boolean): Screen {
  const phase = committed ? 'sending' : 'committing';
  return { name: 'uploading', status: { phase, progress: 0, committed }, deadlines };
}

/** While the bytes are on their way. */
export function onUploading(page: Page, event: PageEvent): Transition {
  const { screen } = page;
  if (screen.name !== 'uploading') return stay(page);
  switch (event.type) {
    case 'upload':
      return to(page, { ...screen, status: event.status });
    case 'upload_complete':
      return to(page, { name: 'processing', estimateMs: null, reconnecting: false }, { do: 'await_outcome' });
    case 'upload_lost':
      return again(page, 'upload_lost');
    default:
      return stay(page);
  }
}
