// Tries which format this browser records as it shows the camera, while the person finds the oval: "supported" is not
// "good". Safari 18.4 writes WebM whose pictures lie on their side, and some recorders ignore the slices that they are
// asked for. What is recorded is thrown away.
import { within } from '../time/within.ts';
import type { RecordingLoad } from './camera.ts';
import { frameSizeOf, type Size } from './frame-size.ts';
import { countFrames } from './frames.ts';
import { ownSupport, rankedTypes } from './mime.ts';
import { createRecorder } from './recorder.ts';

/** Several slices of a recorder that makes them as they are asked for. */
const TRIAL_MS = 600;
const TRIAL_SLICE_MS = 200;
/** Some recorders make slices of a second whatever they are asked for; more cannot be announced in time. */
const FIRST_SLICE_MS = 1_500;
/** A recorder that has not ended within this time never will, and a browser that has not answered. */
const PATIENCE_MS = 3_000;
/** Of each container one, and one more: nobody waits for all. */
const MOST_TRIED = 3;
/**
 * A format that keeps a smaller share of the camera's frames is only used if no other keeps more. Chosen: on two cores
 * with a load of 13, VP9 kept 0.86 to 1, and 0.67 in a page slowed 20 times. An encoder that could not follow kept 0.01.
 */
const KEPT_SHARE = 0.5;

/** What the preview shows. */
export interface Preview {
  readonly size: Size;
  /** Frames shown so far; null if the browser does not say. */
  frames(): number | null;
}

/**
 * The type to record: the best that keeps the camera's pictures as they are shown. Undefined leaves the choice to the
 * browser.
 * @param signal aborted when the person leaves; the result is meaningless then
 */
export async function findRecordingType(
  stream: MediaStream,
  load: RecordingLoad,
  preview: Preview,
  signal: AbortSignal,
): Promise<string | undefined> {
  const types = await within(PATIENCE_MS, rankedTypes(ownSupport), []);
  // Types of one container are written by one recorder: what is wrong with it is wrong with all.
  const containers = new Set(types.map((type) => type.split(';')[0]));
  if (containers.size < 2) return types[0];
  let best: { readonly type: string; readonly kept: number } | null = null;
  for (const type of types.slice(0, MOST_TRIED)) {
    const kept = await tryType(stream, load, type, preview, signal).catch(() => 0);
    if (signal.aborted || kept >= KEPT_SHARE) return type;
    if (kept > (best?.kept ?? 0)) best = { type, kept };
  }
  return best?.type ?? types[0];
}

/**
 * The share of the camera's frames that it keeps; 0 if it lays them on their side, or makes no slices. Of all frames
 * until its last bytes arrive: who takes long to begin or to end keeps a smaller share.
 */
async function tryType(
  stream: MediaStream,
  load: RecordingLoad,
  type: string,
  preview: Preview,
  signal: AbortSignal,
): Promise<number> {
  const recorder = createRecorder(stream, load, type);
  const parts: Blob[] = [];
  const shownBefore = preview.frames() ?? 0;
  let isSliced = false;
  let isLongEnough = false;
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const ended = new Promise<void>((resolve) => {
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0) return;
      parts.push(data);
      isSliced ||= recorder.state === 'recording';
      if (isLongEnough) stop();
    };
    recorder.onstart = () => {
      setTimeout(() => {
        isLongEnough = true;
        if (isSliced) stop();
      }, TRIAL_MS);
      setTimeout(stop, FIRST_SLICE_MS);
    };
    recorder.onerror = recorder.onstop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
  });
  recorder.start(TRIAL_SLICE_MS);
  await within(PATIENCE_MS, ended, undefined);
  const shown = (preview.frames() ?? 0) - shownBefore;
  stop();
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  const size = frameSizeOf(bytes);
  if (!isSliced || (size && isUpright(size) !== isUpright(preview.size))) return 0;
  const counter = countFrames();
  counter.add(bytes);
  return counter.frames === null || shown <= 0 ? 1 : counter.frames / shown;
}

const isUpright = ({ width, height }: Size): boolean => height > width;
