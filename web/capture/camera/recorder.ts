// Records the camera for as long as the script lasts. Times run from the recorder's start event, which is when the
// video's first frame is taken: the server holds the video against the same clock.
import type { Script } from '../../../src/contract/script.ts';
import { chooseRecordingType } from './mime.ts';
import { afterPaint } from './paint.ts';
import { followScript } from './script-clock.ts';

/** 640×480 faces at 30 fps: enough detail for the judgement, 1.5 MB for six seconds. */
const BITS_PER_SECOND = 2_000_000;
/** A recorder that has not started by then never will (seen with cameras that deliver no frames). */
const START_TIMEOUT_MS = 5_000;

export interface Recording {
  readonly blob: Blob;
  readonly mimeType: string;
  readonly durationMs: number;
  /** Whether the window lost the focus meanwhile. */
  readonly focusLost: boolean;
  /** For each step but the first, from its time in the script to the paint that showed it. */
  readonly promptDelaysMs: readonly number[];
}

export interface RecordingEvents {
  started(atMs: number): void;
  step(index: number): void;
}

/**
 * Records until the last step's end. Rejects when aborted, when the recorder fails or never starts.
 * @param signal aborts the recording; nothing is kept
 */
export function record(
  stream: MediaStream,
  script: Script,
  events: RecordingEvents,
  signal: AbortSignal,
): Promise<Recording> {
  const mimeType = chooseRecordingType((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, {
    videoBitsPerSecond: BITS_PER_SECOND,
    ...(mimeType === undefined ? {} : { mimeType }),
  });
  const parts: Blob[] = [];
  const promptDelaysMs: number[] = [];
  let focusLost = false;
  let frame = 0;
  let startedAtMs = 0;
  return new Promise<Recording>((resolve, reject) => {
    const blurred = () => {
      focusLost = true;
    };
    const startTimer = setTimeout(() => fail('recorder did not start'), START_TIMEOUT_MS);
    const release = () => {
      clearTimeout(startTimer);
      cancelAnimationFrame(frame);
      clearInterval(ticker);
      removeEventListener('blur', blurred);
      signal.removeEventListener('abort', aborted);
    };
    const fail = (why: string) => {
      release();
      recorder.onstop = null;
      if (recorder.state !== 'inactive') recorder.stop();
      reject(new Error(why));
    };
    const aborted = () => fail('aborted');
    const show = (index: number) => {
      events.step(index);
      const dueMs = script.steps[index]!.from_ms;
      afterPaint(() => promptDelaysMs.push(Math.round(performance.now() - startedAtMs - dueMs)));
    };
    const follow = followScript(script, show, () => recorder.stop());
    const advance = () => {
      if (recorder.state === 'recording' && startedAtMs > 0) follow(performance.now() - startedAtMs);
    };
    const onFrame = () => {
      advance();
      frame = requestAnimationFrame(onFrame);
    };
    // Animation frames stop when nothing is painted; the interval alone then keeps the script's time.
    const ticker = setInterval(advance, 50);
    addEventListener('blur', blurred);
    signal.addEventListener('abort', aborted);
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onerror = () => fail('recorder failed');
    recorder.onstart = (event) => {
      clearTimeout(startTimer);
      // When the event was made, not when a busy page came to handle it: the frames are recorded meanwhile.
      startedAtMs = event.timeStamp > 0 ? event.timeStamp : performance.now();
      events.started(startedAtMs);
      frame = requestAnimationFrame(onFrame);
    };
    recorder.onstop = () => {
      const durationMs = Math.round(performance.now() - startedAtMs);
      release();
      const type = recorder.mimeType || mimeType || 'video/webm';
      const blob = new Blob(parts, { type });
      resolve({ blob, mimeType: type, durationMs, focusLost, promptDelaysMs });
    };
    // No timeslice: with one the file has neither duration nor cues.
    recorder.start();
  });
}
