// Records the script's steps while guidance watches.
import type { RecordingLoad } from '../camera/camera.ts';
import { picturesOf, watchPace } from '../camera/pace.ts';
import { type Recording, type RecordingFault, record } from '../camera/recorder.ts';
import type { FollowedScript } from '../camera/script-clock.ts';
import type { Aim } from '../guidance/aim.ts';
import type { Guide } from '../guidance/guide.ts';
import type { GrowingRecording } from '../upload/growing-recording.ts';
import type { IssuedCapture, PageEvent } from './screens.ts';

/** A page that handles its slices this late has little time left to announce them. Chosen, not measured. */
const TOO_LATE_MS = 600;

export interface TakeParts {
  /** Receives the recording's slices as they arrive. */
  readonly recording: GrowingRecording;
  readonly script: FollowedScript;
  readonly stream: MediaStream;
  readonly load: RecordingLoad;
  /** What to record; undefined leaves it to the browser. */
  readonly type: string | undefined;
  /** The element that plays the stream. */
  readonly video: HTMLVideoElement;
  readonly guide: Pick<Guide, 'beginRecording' | 'slowDown' | 'onLook' | 'rest'>;
  /** Aborted when the person leaves: nothing more is dispatched. */
  readonly signal: AbortSignal;
  dispatch(event: PageEvent): void;
}

/** Resolves to the recording; null if there is none, dispatched as `recording_failed` unless the person has left. */
export async function takeVideo(capture: IssuedCapture, parts: TakeParts): Promise<Recording | null> {
  const { recording, script, stream, load, type, video, guide, signal, dispatch } = parts;
  const fail = (why: Exclude<RecordingFault, 'aborted'>) => {
    if (!signal.aborted) dispatch({ type: 'recording_failed', why });
    return null;
  };
  guide.beginRecording();
  try {
    let size = 0;
    const slow = () => {
      // The hints cost the most, and the recording comes first. If it is slow even without them, nothing else can be
      // saved.
      const slowed = guide.slowDown();
      if (!signal.aborted) dispatch({ type: slowed ? 'busy' : 'slow' });
    };
    const pace = watchPace(() => picturesOf(video), slow);
    const events = {
      sliced: (part: Blob, toMs: number, lateMs: number) => {
        if (lateMs > TOO_LATE_MS) slow();
        size += part.size;
        // Read once: each read is a round trip to the browser's own process.
        const bytes = part.arrayBuffer();
        recording.add(part, toMs, bytes);
        // At `light` nothing more can be saved, so there is no need to count frames.
        if (load === 'full') pace(bytes, toMs);
      },
      started: () => dispatch({ type: 'recorder_started' }),
      aimed: (aim: Aim) => dispatch({ type: 'aimed', aim }),
      stepEnded: (index: number, answered: boolean) => {
        // Nothing more is asked of the face: leave the processor to the recorder, since the person now waits for its
        // last slices.
        if (index + 1 === script.stepCount) guide.rest();
        dispatch({ type: 'step_ended', index, answered, next: script.steps[index + 1] ?? null });
      },
    };
    const taken = await record(stream, script, capture.sliceMs, guide.onLook, events, signal, load, type);
    if (!taken.ok) return taken.why === 'aborted' ? null : fail(taken.why);
    return size === 0 || size > capture.maxBytes ? fail('recorder_failed') : taken.recording;
  } catch {
    return fail('recorder_failed');
  }
}
