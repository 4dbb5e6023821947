// Steps of the state machine from the recording to its arrival at the server.
import type { Page, PageEvent } from './screens.ts';
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
      return to(page, { name: 'uploading', phase: 'committing', progress: 0 }, { do: 'upload' });
    default:
      return stay(page);
  }
}

/** While the bytes are on their way. */
export function onUploading(page: Page, event: PageEvent): Transition {
  const { screen } = page;
  if (screen.name !== 'uploading') return stay(page);
  switch (event.type) {
    case 'upload':
      return to(page, { name: 'uploading', phase: event.phase, progress: event.progress });
    case 'upload_complete':
      return to(page, { name: 'processing', estimateMs: null, reconnecting: false }, { do: 'await_outcome' });
    case 'upload_lost':
      return again(page, 'upload_lost');
    case 'retry_upload':
      if (screen.phase !== 'stopped') return stay(page);
      return to(page, { ...screen, phase: 'sending' }, { do: 'upload' });
    default:
      return stay(page);
  }
}
