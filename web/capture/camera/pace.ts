// Detects a device that does not keep up with its camera: compares the frames that reached the recording with those
// that reached the preview. A camera that delivers few frames (in the dark, or on an old computer) does not make a
// device slow.
import { countFrames } from './frames.ts';

/**
 * Frame rate that a recording should have, as in a video call. A head turn of half a second then spans a dozen frames.
 */
export const ENOUGH_FPS = 24;
/**
 * A recording with less than this share of what the camera delivers has lost frames on the way. Chosen, not measured.
 */
const KEPT_SHARE = 0.85;
/** Too few whatever the camera delivers: the page itself may be too slow to count what it delivers. Chosen. */
const FEW_FPS = 10;
/** Long enough that a late slice does not matter. */
const WINDOW_MS = 2_000;

interface Moment {
  readonly atMs: number;
  readonly recorded: number;
  /** Null if the browser does not say. */
  readonly given: number | null;
}

/**
 * Calls `slow` each time two seconds of the recording had too few frames.
 * @param given frames that the camera has delivered so far; null if unknown
 */
export function watchPace(
  given: () => number | null,
  slow: () => void,
): (part: Promise<ArrayBuffer>, toMs: number) => void {
  const counter = countFrames();
  let from: Moment | null = null;
  let reading: Promise<unknown> = Promise.resolve();
  return (part, toMs) => {
    const now = given();
    reading = reading.then(async () => {
      counter.add(new Uint8Array(await part));
      const recorded = counter.frames;
      if (recorded === null) return;
      const moment = { atMs: toMs, recorded, given: now };
      // Count from the first slice: before it the recorder was still starting.
      from ??= moment;
      if (toMs - from.atMs < WINDOW_MS) return;
      if (isSlow(from, moment)) slow();
      from = moment;
    });
    reading.catch(() => undefined);
  };
}

function isSlow(from: Moment, to: Moment): boolean {
  const seconds = (to.atMs - from.atMs) / 1000;
  const fps = (to.recorded - from.recorded) / seconds;
  if (fps >= ENOUGH_FPS) return false;
  const givenFps = from.given === null || to.given === null ? null : (to.given - from.given) / seconds;
  return fps < FEW_FPS || givenFps === null || fps < KEPT_SHARE * givenFps;
}

/** Frames that a stream has delivered to the video that plays it; null if the browser does not say. */
export function picturesOf(video: HTMLVideoElement): number | null {
  return video.getVideoPlaybackQuality?.().totalVideoFrames ?? null;
}
