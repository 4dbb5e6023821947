// Whether a device keeps up with its camera: pictures that reached the recording, beside those that reached the preview. A camera
// that gives few pictures (in the dark, or of an old computer) makes no device slow.
import { countFrames } from './frames.ts';

/** What a recording should have: as a video call. A face that turns in half a second is then seen a dozen times. */
export const ENOUGH_FPS = 24;
/** A recording that has less than this share of what the camera gives has lost pictures on its way. Chosen, not measured. */
const KEPT_SHARE = 0.85;
/** So few are too few whatever the camera gives: the page itself may be too slow to see what it gives. Chosen. */
const FEW_FPS = 10;
/** Long enough that a slice which came late does not count. */
const WINDOW_MS = 2_000;

interface Moment {
  readonly atMs: number;
  readonly recorded: number;
  /** Null where the browser does not say. */
  readonly given: number | null;
}

/**
 * Calls back each time that two seconds of the recording had too few pictures.
 * @param given pictures that the camera has given so far; null where it is not known
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
      // From the first slice on: before it the recorder was starting.
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

/** Pictures that a stream has given to the video that plays it. */
export function picturesOf(video: HTMLVideoElement): number | null {
  return video.getVideoPlaybackQuality?.().totalVideoFrames ?? null;
}
