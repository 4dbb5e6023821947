// What was seen of the face at each judged moment, in the few figures that people look at. For tables and curves; no
// verdict depends on it.
import type { Prompt, Script } from '../contract/script.ts';
import type { Direction } from '../contract/target.ts';
import type { VideoEvidence } from './liveness/evidence.ts';
import { EXPRESSION_ROWS, headOf } from './liveness/prompts.ts';
import { portraitCosines } from './liveness/same-person.ts';
import { ownRest, restOf, seenFaces } from './liveness/windows.ts';
import type { FrameFlaw } from './quality/frame-quality.ts';
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from './video/clip.ts';

export interface Moment {
  readonly timeMs: number;
  /** What the script asked for at this moment; null outside its steps, or without a script. */
  readonly prompt: Prompt | null;
  readonly faces: number;
  /** Null if no face was followed. Units as in ObservedFace. */
  readonly face: {
    readonly happy: number;
    readonly mouthWidth: number;
    readonly eyesOpen: number;
    /** How much it smiles: 0 for the person's face at rest, 1 if a prompt is answered; null if it never rested. */
    readonly smile: number | null;
    /** Where the nose points, relative to the face at rest; null if it never rested. */
    readonly head: Direction | null;
  } | null;
  /** Flaws of the frame as a picture of the face; also empty without a face. */
  readonly flaws: readonly FrameFlaw[];
  /** Mean change of the whole picture since the moment before, in grey levels; 0 at the first. */
  readonly motion: number;
  /** Cosine of the face to the person's portraits, or of a portrait to the others; null if it was not recognised. */
  readonly identity: number | null;
}

/** One moment for each judged frame. */
export function timelineOf(evidence: VideoEvidence, script: Script | null): Moment[] {
  const { clip, observations, selection, embeddings, identity } = evidence;
  const seen = seenFaces(evidence);
  const rest = script ? ownRest(seen, script) : restOf(seen);
  const cosines = portraitCosines(embeddings);
  const identities = new Map<number, number | null>([
    ...identity.map(({ timeMs, cosine }) => [timeMs, cosine] as const),
    ...selection.portraits.map(({ frame }, i) => [frame.timeMs, cosines[i] ?? null] as const),
  ]);
  return observations.map(({ timeMs, faceCount, face }, i) => ({
    timeMs,
    prompt: script?.steps.find(({ from_ms, to_ms }) => timeMs >= from_ms && timeMs < to_ms)?.prompt ?? null,
    faces: faceCount,
    face: face && {
      happy: face.happy,
      mouthWidth: face.mouthWidth,
      eyesOpen: face.eyesOpen,
      smile: rest && EXPRESSION_ROWS.smile.strength(face, rest),
      head: rest && headOf(face, rest),
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
