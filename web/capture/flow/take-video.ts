// Records what the script asks for, with the guide at work.
import type { RecordingLoad } from '../camera/camera.ts';
import { picturesOf, watchPace } from '../camera/pace.ts';
import { type Recording, type RecordingFault, record } from '../camera/recorder.ts';
import type { FollowedScript } from '../camera/script-clock.ts';
import type { Guide } from '../guidance/guide.ts';
import type { ScreenLight } from '../light/screen-light.ts';
import type { GrowingRecording } from '../upload/growing-recording.ts';
import type { IssuedCapture, PageEvent, Pointing } from './screens.ts';

/** A page that comes to its slices so late has little left of the time in which they are announced. Chosen, not measured. */
const TOO_LATE_MS = 600;

export interface TakeParts {
  /** Takes the recording's slices as they come. */
  readonly recording: GrowingRecording;
  readonly script: FollowedScript;
  readonly stream: MediaStream;
  readonly load: RecordingLoad;
  /** What plays the stream. */
  readonly video: HTMLVideoElement;
  readonly guide: Pick<Guide, 'beginRecording' | 'giveWay' | 'onLook' | 'rest'>;
  readonly light: Pick<ScreenLight, 'play'>;
  /** The person leaves: nothing more is told. */
  readonly signal: AbortSignal;
  dispatch(event: PageEvent): void;
}

/** The recording; null where there is none, dispatched as `recording_failed` unless the person has left. */
export async function takeVideo(capture: IssuedCapture, parts: TakeParts): Promise<Recording | null> {
  const { recording, script, stream, load, video, guide, light, signal, dispatch } = parts;
  const fail = (why: Exclude<RecordingFault, 'aborted'>) => {
    if (!signal.aborted) dispatch({ type: 'recording_failed', why });
    return null;
  };
  guide.beginRecording();
  try {
    let size = 0;
    const slow = () => {
      // The hints cost the most: the recording comes first. Where it is slow without them, nothing else is to be had.
      const gaveWay = guide.giveWay();
      if (!signal.aborted) dispatch({ type: gaveWay ? 'busy' : 'slow' });
    };
    const pace = watchPace(() => picturesOf(video), slow);
    const events = {
      sliced: (part: Blob, toMs: number, lateMs: number) => {
        if (lateMs > TOO_LATE_MS) slow();
        size += part.size;
        // Read once: each reading goes through the browser's own process and back.
        const bytes = part.arrayBuffer();
        recording.add(part, toMs, bytes);
        // Nothing more can be spared: its pictures need no counting.
        if (load === 'full') pace(bytes, toMs);
      },
      started: (atMs: number) => {
        light.play(capture.script.light, atMs);
        dispatch({ type: 'recorder_started' });
      },
      pointed: (at: Pointing | null) => dispatch({ type: 'pointing', at }),
      stepEnded: (index: number, answered: boolean) => {
        // Nothing more is asked of the face: the processor is the recorder's, whose last slices somebody waits for from now on.
        if (index + 1 === script.stepCount) guide.rest();
        dispatch({ type: 'step_ended', index, answered, next: script.steps[index + 1] ?? null });
      },
    };
    const taken = await record(stream, script, capture.sliceMs, guide.onLook, events, signal, load);
    if (!taken.ok) return taken.why === 'aborted' ? null : fail(taken.why);
    return size === 0 || size > capture.maxBytes ? fail('recorder_failed') : taken.recording;
  } catch {
    return fail('recorder_failed');
  }
}
