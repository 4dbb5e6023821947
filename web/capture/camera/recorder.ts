// Records the camera for as long as the script lasts. Times count from the recorder's start event, which is when the
// video's first frame is taken; the server checks the video against the same clock.
import type { Script } from '../../../src/contract/script.ts';
import type { Aim } from '../guidance/aim.ts';
import type { Look } from '../guidance/guide.ts';
import type { RecordingLoad } from './camera.ts';
import { type FollowedScript, followScript, type GivenUp } from './script-clock.ts';

/**
 * 640×480 faces at 30 fps: enough detail for the judgement, 2 MB for eight seconds. Half the frames get half the bytes.
 */
const BITS_PER_SECOND = { full: 2_000_000, light: 1_000_000 } as const;
/**
 * A recorder that has not started within this time never will (seen with cameras that deliver no frames); the same goes
 * for stopping.
 */
const PATIENCE_MS = 5_000;
/** How often the script's time is checked, and so how precisely a step ends at its limit. */
const TICK_MS = 50;

export interface Recording {
  readonly mimeType: string;
  readonly durationMs: number;
  readonly focusLost: boolean;
  /** When each prompt was shown. */
  readonly script: Script;
}

export interface RecordingEvents {
  /**
   * A slice of the recording is ready. It ends `toMs` after the recording's start, and arrives `lateMs` after it was
   * made.
   */
  sliced(part: Blob, toMs: number, lateMs: number): void;
  /** The first prompt is due. */
  started(): void;
  /** Guidance has looked at a head that is to turn to a dot. */
  aimed(aim: Aim): void;
  /** A step is over and the next prompt is due; `answered`: its answer was seen. */
  stepEnded(index: number, answered: boolean): void;
}

/** Why there is no recording. */
export type RecordingFault = 'aborted' | 'recorder_failed' | GivenUp;

export type Recorded =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly why: RecordingFault };

/**
 * Records until the last step's end.
 * @param sliceMs interval between slices
 * @param watch passes every look of guidance to the callback from now on; returns a function that stops that
 * @param signal aborts the recording; nothing is kept
 * @param load what the stream was opened for
 * @param type what to record; undefined leaves it to the browser
 */
export function record(
  stream: MediaStream,
  script: FollowedScript,
  sliceMs: number,
  watch: (looked: (look: Look) => void) => () => void,
  events: RecordingEvents,
  signal: AbortSignal,
  load: RecordingLoad,
  type: string | undefined,
): Promise<Recorded> {
  const recorder = createRecorder(stream, load, type);
  let startedAtMs = 0;
  return new Promise<Recorded>((resolve) => {
    const focus = watchFocus();
    let patience = setTimeout(() => fail('recorder_failed'), PATIENCE_MS);
    let ticker: ReturnType<typeof setInterval> | undefined;
    let unwatch = () => {};
    const release = () => {
      clearTimeout(patience);
      clearInterval(ticker);
      unwatch();
      focus.release();
      signal.removeEventListener('abort', aborted);
    };
    const fail = (why: RecordingFault) => {
      release();
      recorder.onstop = null;
      if (recorder.state !== 'inactive') recorder.stop();
      resolve({ ok: false, why });
    };
    const aborted = () => fail('aborted');
    const finish = (performed: Script) => {
      clearInterval(ticker);
      recorder.onstop = () => {
        const durationMs = Math.round(performance.now() - startedAtMs);
        release();
        const mimeType = recorder.mimeType || type || 'video/webm';
        const recording = { mimeType, durationMs, focusLost: focus.lost(), script: performed };
        resolve({ ok: true, recording });
      };
      recorder.stop();
      patience = setTimeout(() => fail('recorder_failed'), PATIENCE_MS);
    };
    const clock = followScript(script, { ...events, ended: finish, gaveUp: fail });
    const elapsedMs = () => performance.now() - startedAtMs;
    signal.addEventListener('abort', aborted);
    recorder.ondataavailable = (event) => {
      const madeMs = madeAtMs(event);
      if (event.data.size === 0) return;
      events.sliced(event.data, Math.round(madeMs - startedAtMs), performance.now() - madeMs);
    };
    recorder.onerror = () => fail('recorder_failed');
    // The recorder only stops by itself when the camera's track has ended. The track's own event reports that more
    // accurately.
    recorder.onstop = () => setTimeout(() => fail('recorder_failed'), PATIENCE_MS);
    recorder.onstart = (event) => {
      clearTimeout(patience);
      startedAtMs = madeAtMs(event);
      events.started();
      ticker = setInterval(() => clock.tick(elapsedMs()), TICK_MS);
      unwatch = watch(({ face, atMs }) => clock.saw(face, atMs - startedAtMs, elapsedMs()));
    };
    // A file recorded in slices has neither duration nor cues. The judgement counts what it decodes, and needs neither.
    recorder.start(sliceMs);
  });
}

/** Creates a recorder of this type; undefined leaves it to the browser. */
export function createRecorder(
  stream: MediaStream,
  load: RecordingLoad,
  type: string | undefined,
): MediaRecorder {
  return new MediaRecorder(stream, {
    videoBitsPerSecond: BITS_PER_SECOND[load],
    ...(type === undefined ? {} : { mimeType: type }),
  });
}

/** When the event was created, not when a busy page handled it: frames are recorded in between. */
export function madeAtMs({ timeStamp }: Event): number {
  return timeStamp > 0 ? timeStamp : performance.now();
}

/** Watches whether the window loses the focus from now on. */
function watchFocus(): { lost(): boolean; release(): void } {
  let lost = false;
  const blurred = () => {
    lost = true;
  };
  addEventListener('blur', blurred);
  return { lost: () => lost, release: () => removeEventListener('blur', blurred) };
}
