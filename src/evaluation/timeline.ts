// What was seen of the face at each judged moment, in the few figures that people look at. For tables and curves; no
// verdict depends on it.
import type { Prompt, Script } from '../contract/script.ts';
import type { Shown } from './liveness/cue.ts';
import { portraitCosines } from './liveness/same-person.ts';
import type { FrameFlaw } from './quality/frame-quality.ts';
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from './video/clip.ts';

export interface Moment {
  readonly timeMs: number;
  /** What the script asked for at this moment; null outside its steps, or without a script. */
  readonly prompt: Prompt | null;
  readonly faces: number;
  /** Null where no face was followed. Units as in ObservedFace. */
  readonly face: {
    readonly happy: number;
    readonly mouthWidth: number;
    readonly yaw: number;
    readonly eyesOpen: number;
  } | null;
  /** What speaks against the frame as a picture of the face; empty too where there is no face. */
  readonly flaws: readonly FrameFlaw[];
  /** Mean change of the whole picture since the moment before, in grey levels; 0 at the first. */
  readonly motion: number;
  /** Where a portrait was taken: its cosine to the mean of the other portraits. */
  readonly identity: number | null;
}

/** One moment for each judged frame. */
export function timelineOf(
  { clip, observations, selection, embeddings }: Shown,
  script: Script | null,
): Moment[] {
  const cosines = portraitCosines(embeddings);
  const identities = new Map(selection.portraits.map(({ frame }, i) => [frame.timeMs, cosines[i] ?? null]));
  return observations.map(({ timeMs, faceCount, face }, i) => ({
    timeMs,
    prompt: script?.steps.find(({ from_ms, to_ms }) => timeMs >= from_ms && timeMs < to_ms)?.prompt ?? null,
    faces: faceCount,
    face: face && {
      happy: face.happy,
      mouthWidth: face.mouthWidth,
      yaw: face.yaw,
      eyesOpen: face.eyesOpen,
    },
    flaws: selection.quality[i]?.flaws ?? [],
    motion: i === 0 ? 0 : change(clip, observations[i - 1]!.timeMs, timeMs),
    identity: identities.get(timeMs) ?? null,
  }));
}

/** Mean absolute difference of the two moments' thumbnails. */
function change({ thumbnails, sourceTimesMs }: Clip, fromMs: number, toMs: number): number {
  const size = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
  const from = nearest(sourceTimesMs, fromMs) * size;
  const to = nearest(sourceTimesMs, toMs) * size;
  let sum = 0;
  for (let i = 0; i < size; i++) sum += Math.abs(thumbnails[to + i]! - thumbnails[from + i]!);
  return sum / size;
}

function nearest(times: readonly number[], timeMs: number): number {
  const after = times.findIndex((time) => time >= timeMs);
  return after < 0 ? times.length - 1 : after;
}
