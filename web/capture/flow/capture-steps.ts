// Steps of the state machine while the script is fetched and recorded.

import type { Hint } from '../guidance/hint.ts';
import { afterRecording } from './device-steps.ts';
import { type Page, type PageEvent, RECORDING_TROUBLES, type RecordingTrouble } from './screens.ts';
import { again, stay, type Transition, to, withTries } from './transition.ts';
import { causeOf } from './upload-steps.ts';

/** Handles events while the script is fetched and recorded. */
export function onRecording(page: Page, event: PageEvent): Transition {
  const { screen } = page;
  // A recording whose upload is lost is not worth finishing.
  if (event.type === 'recording_failed' || event.type === 'upload_lost')
    return again(page, causeOf({ ...page, wasOffline: page.wasOffline || isWaiting(page) }, event.why));
  // The camera fell silent while the person was positioning their face.
  if (event.type === 'camera_silent') return again(page, 'interrupted');
  if (screen.name === 'preparing') {
    if (event.type === 'capture_under_way') {
      const { untilMs } = event;
      return to(page, { name: 'waiting', untilMs }, { do: 'wait', untilMs });
    }
    if (event.type === 'prepares_long') return to(page, { name: 'preparing', long: true });
    if (event.type === 'rehearsed')
      return event.inTime ? to(page, screen, { do: 'issue_capture' }) : again(page, 'too_slow');
    if (event.type !== 'capture_issued') return stay(page);
    const { capture } = event;
    return to(
      // Each script drawn uses a try.
      withTries(
        { ...page, slow: false, wasOffline: false },
        Math.max(0, (page.challenge?.tries_left ?? 0) - 1),
      ),
      {
        name: 'recording',
        capture,
        step: null,
        asked: null,
        aim: null,
        answered: false,
        trouble: null,
        offline: false,
      },
      { do: 'record', capture },
    );
  }
  if (screen.name !== 'recording') return stay(page);
  switch (event.type) {
    case 'recorder_started':
      return to(page, { ...screen, step: 0, asked: screen.capture.script.steps[0] ?? null });
    case 'step_ended':
      return to(page, {
        ...screen,
        step: event.index + 1,
        asked: event.next,
        aim: null,
        answered: event.answered,
      });
    case 'aimed':
      return to(page, { ...screen, aim: event.aim });
    case 'hint':
      return to(page, { ...screen, trouble: troubleOf(event.hint) });
    case 'upload':
      return to(page, { ...screen, offline: event.status.phase === 'waiting' });
    case 'slow':
      return stay({ ...page, slow: true });
    case 'recorded':
      return afterRecording(page, screen.capture.passkey, event.deadlines, false);
    default:
      return stay(page);
  }
}

/** Whether a recording's slices do not get through, though the browser may not have noticed. */
const isWaiting = ({ screen }: Page): boolean => screen.name === 'recording' && screen.offline;

function troubleOf(hint: Hint): RecordingTrouble | null {
  return RECORDING_TROUBLES.find((trouble) => trouble === hint) ?? null;
}
