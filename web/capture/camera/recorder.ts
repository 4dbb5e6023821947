// Records the camera for as long as the script lasts. Times run from the recorder's start event, which is when the
// video's first frame is taken: the server holds the video against the same clock.
import type { Script } from '../../../src/contract/script.ts';
import type { Look } from '../guidance/guide.ts';
import type { RecordingLoad } from './camera.ts';
import { chooseRecordingType } from './mime.ts';
import { type FollowedScript, followScript } from './script-clock.ts';

/** 640×480 faces at 30 fps: enough detail for the judgement, 2 MB for eight seconds. Half the pictures have half the bytes. */
const BITS_PER_SECOND = { full: 2_000_000, light: 1_000_000 } as const;
/** A recorder that has not started by then never will (seen with cameras that deliver no frames), nor one that has not stopped. */
const PATIENCE_MS = 5_000;
/** How often the script's time is looked at: a step that ends at its limit does so to this. */
const TICK_MS = 50;

export interface Recording {
  readonly mimeType: string;
  readonly durationMs: number;
  readonly focusLost: boolean;
  /** When each prompt was shown. */
  readonly script: Script;
}

export interface RecordingEvents {
  /** A slice of the recording is there; it ends `toMs` after the recording's start, and comes `lateMs` after it was made. */
  sliced(part: Blob, toMs: number, lateMs: number): void;
  /** The first prompt is due. `atMs`: the recording's start on the page's clock (performance.now). */
  started(atMs: number): void;
  /** Where the head points while a mark is followed, on the path's scale; null where it is not known. */
  pointed(at: { readonly x: number; readonly y: number } | null): void;
  /** A step is over; `answered`: its answer was seen. The next prompt is due. */
  stepEnded(index: number, answered: boolean): void;
}

/** Why there is no recording. */
export type RecordingFault = 'aborted' | 'too_slow' | 'connection_slow' | 'recorder_failed';

export type Recorded =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly why: RecordingFault };

/**
 * Records until the last step's end.
 * @param sliceMs how often a slice is made
 * @param watch has every look of guidance told from now on; answers how to end that
 * @param signal aborts the recording; nothing is kept
 * @param load what the stream was opened for
 */
export function record(
  stream: MediaStream,
  script: FollowedScript,
  sliceMs: number,
  watch: (looked: (look: Look) => void) => () => void,
  events: RecordingEvents,
  signal: AbortSignal,
  load: RecordingLoad = 'full',
): Promise<Recorded> {
  const { recorder, mimeType } = createRecorder(stream, load);
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
    const finish = (lived: Script) => {
      clearInterval(ticker);
      recorder.onstop = () => {
        const durationMs = Math.round(performance.now() - startedAtMs);
        release();
        const type = recorder.mimeType || mimeType || 'video/webm';
        const recording = { mimeType: type, durationMs, focusLost: focus.lost(), script: lived };
        resolve({ ok: true, recording });
      };
      recorder.stop();
      patience = setTimeout(() => fail('recorder_failed'), PATIENCE_MS);
    };
    const clock = followScript(script, { ...events, ended: finish, late: (because) => fail(because) });
    const elapsedMs = () => performance.now() - startedAtMs;
    signal.addEventListener('abort', aborted);
    recorder.ondataavailable = (event) => {
      const madeMs = madeAtMs(event);
      if (event.data.size === 0) return;
      events.sliced(event.data, Math.round(madeMs - startedAtMs), performance.now() - madeMs);
    };
    recorder.onerror = () => fail('recorder_failed');
    // Of itself it stops only where the camera's track has ended; that is told by the track itself, and more truly.
    recorder.onstop = () => setTimeout(() => fail('recorder_failed'), PATIENCE_MS);
    recorder.onstart = (event) => {
      clearTimeout(patience);
      startedAtMs = madeAtMs(event);
      events.started(startedAtMs);
      ticker = setInterval(() => clock.tick(elapsedMs()), TICK_MS);
      unwatch = watch(({ face, atMs }) => clock.saw(face, atMs - startedAtMs, elapsedMs()));
    };
    // With slices the file has neither duration nor cues: the judgement counts what it decodes, and needs neither.
    recorder.start(sliceMs);
  });
}

/** A recorder of the best format that this browser has; `mimeType` is undefined where the browser chooses. */
export function createRecorder(
  stream: MediaStream,
  load: RecordingLoad,
): { recorder: MediaRecorder; mimeType: string | undefined } {
  const mimeType = chooseRecordingType((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, {
    videoBitsPerSecond: BITS_PER_SECOND[load],
    ...(mimeType === undefined ? {} : { mimeType }),
  });
  return { recorder, mimeType };
}

/** When the event was made, not when a busy page came to handle it: frames are recorded meanwhile. */
export function madeAtMs({ timeStamp }: Event): number {
  return timeStamp > 0 ? timeStamp : performance.now();
}

/** Notices whether the window loses the focus from now on. */
function watchFocus(): { lost(): boolean; release(): void } {
  let lost = false;
  const blurred = () => {
    lost = true;
  };
  addEventListener('blur', blurred);
  return { lost: () => lost, release: () => removeEventListener('blur', blurred) };
}
