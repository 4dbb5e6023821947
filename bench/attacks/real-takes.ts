// Seconds of a real take of one person in one shot, as an attacker finds them on the web: what each frame shows, measured
// with this same software.
import { join } from 'node:path';
import { directionOf, restingFaceOf, upperFaceOf } from '../../src/contract/head-direction.ts';
import { AMOUNTS, type Direction, turnOf } from '../../src/contract/target.ts';
import { readPictures } from './edit-attacks.ts';
import type { Face } from './head.ts';
import type { Observed, Studio } from './studio.ts';

export const TAKE_FPS = 24;

/** One frame: the picture, its mesh, and what it answers. */
export interface Shown extends Face {
  readonly direction: Direction;
  /** 1 or more: a smile that the judgement accepts. */
  readonly smile: number;
}

/** Some seconds of a person in one shot. */
export interface Footage {
  readonly subject: string;
  /** How an attack with it is made: rendered if the person is. */
  readonly made: 'edited' | 'rendered';
  readonly frames: readonly Shown[];
  /** Index of the frame in which the face is most at rest. */
  readonly rest: number;
}

/**
 * What is wanted of the seconds. `answers`: a smile, and the head turned to two sides at least; `looks`: the same, of
 * somebody who looks around; `calm`: a head that hardly turns.
 */
export const SECONDS = { answers: 7, looks: 10, calm: 7 } as const;
export type Wanted = keyof typeof SECONDS;
/** The least number of sides, eighths of a circle, to which the head turns. */
const MIN_SIDES: Readonly<Record<Wanted, number>> = { answers: 2, looks: 3, calm: 0 };

/** The take number `number`, in turn, of those that show what is wanted; null if none does. */
export async function takeFor(studio: Studio, number: number, wanted: Wanted): Promise<Footage | null> {
  const usable = await takesWith(studio, wanted);
  if (usable.length === 0) return null;
  const { subject, path, seconds } = usable[number % usable.length]!;
  const pictures = (await readPictures(path, TAKE_FPS)).slice(seconds.from);
  const frames = seconds.looks.slice(0, pictures.length);
  return {
    subject,
    made: 'edited',
    frames: frames.map((look, i) => ({ ...look, picture: pictures[i]! })),
    rest: seconds.rest,
  };
}

/** Of the sources, the takes that show what is wanted; measured once. */
async function takesWith(studio: Studio, wanted: Wanted): Promise<Usable[]> {
  const kept = found.get(studio)?.[wanted];
  if (kept) return kept;
  const usable: Usable[] = [];
  for (const [subject, file] of studio.sources.takes) {
    const path = join(studio.root, file);
    const seconds = secondsOf(await studio.observe(path, TAKE_FPS), wanted);
    if (seconds) usable.push({ subject, path, seconds });
  }
  found.set(studio, { ...found.get(studio), [wanted]: usable });
  return usable;
}

const found = new WeakMap<Studio, Partial<Record<Wanted, Usable[]>>>();

interface Usable {
  readonly subject: string;
  readonly path: string;
  readonly seconds: Seconds;
}

/** Some seconds of a take: their first frame, and the one among them in which the face is most at rest. */
interface Seconds {
  readonly from: number;
  readonly rest: number;
  readonly looks: readonly Look[];
}

type Look = Omit<Shown, 'picture'>;

/** The seconds that show most of what is wanted. */
function secondsOf(observed: readonly Observed[], wanted: Wanted): Seconds | null {
  let best: (Seconds & { score: number }) | null = null;
  const length = SECONDS[wanted] * TAKE_FPS;
  for (let from = 0; from === 0 || from + length <= observed.length; from += TAKE_FPS) {
    const window = observed.slice(from, from + length);
    const rest = restIn(window);
    if (rest === null) continue;
    const looks = looksOf(window, rest);
    const sides = sidesOf(looks);
    const smiles = looks.some(({ smile }) => smile >= 1);
    if (sides < MIN_SIDES[wanted] || (wanted !== 'calm' && !smiles)) continue;
    const unrest = looks.reduce(
      (sum, { direction, smile }) => sum + turnOf(direction) + SMILE_IS_TURN * Math.max(0, smile),
      0,
    );
    const score = wanted === 'calm' ? -unrest : sides;
    if (!best || score > best.score) best = { from, rest, looks, score };
  }
  return best;
}

/** Scaled degrees of turn that disturb calm footage as much as a smile does. */
const SMILE_IS_TURN = 20;
/** Frames over which a face at rest is measured: half a second. */
const REST_FRAMES = TAKE_FPS / 2;
const MAX_REST_HAPPY = 0.5;
const MAX_REST_YAW = 0.3;

/** The middle of the half second in which the face is calm and moves least; null if it never is calm. */
function restIn(window: readonly Observed[]): number | null {
  let best: { at: number; moved: number } | null = null;
  for (let from = 0; from + REST_FRAMES <= window.length; from++) {
    const part = window.slice(from, from + REST_FRAMES);
    if (part.some(({ happy, yaw }) => happy > MAX_REST_HAPPY || Math.abs(yaw) > MAX_REST_YAW)) continue;
    const turned = part.reduce((sum, { yaw }) => sum + Math.abs(yaw), 0) / part.length;
    const moved = shiftOf(part[0]!, part.at(-1)!) + shiftOf(part[0]!, part[REST_FRAMES / 2]!) + turned;
    if (!best || moved < best.moved) best = { at: from + REST_FRAMES / 2, moved };
  }
  return best?.at ?? null;
}

/** How far the bridge of the nose has moved in the picture, in widths of the face. */
function shiftOf({ landmarks: one }: Observed, { landmarks: other }: Observed): number {
  const [nose, ear, otherEar] = [168 * 3, 234 * 3, 454 * 3];
  const width = Math.hypot(one[otherEar]! - one[ear]!, one[otherEar + 1]! - one[ear + 1]!);
  return Math.hypot(one[nose]! - other[nose]!, one[nose + 1]! - other[nose + 1]!) / width;
}

/** Widening of the mouth that counts as a smile (src/evaluation/liveness/prompts.ts). */
const SMILE_WIDENS = 0.17;
const SMILE_HAPPY = 0.8;

function looksOf(window: readonly Observed[], rest: number): Look[] {
  const calm = window.slice(rest - REST_FRAMES / 2, rest + REST_FRAMES / 2);
  const face = restingFaceOf(calm.map(({ landmarks }) => upperFaceOf(landmarks)))!;
  const width = calm.reduce((sum, { mouthWidth }) => sum + mouthWidth / calm.length, 0);
  return window.map(({ landmarks, happy, mouthWidth }) => ({
    landmarks,
    direction: directionOf(upperFaceOf(landmarks), face),
    smile: Math.min(happy / SMILE_HAPPY, (mouthWidth - width) / SMILE_WIDENS),
  }));
}

/** To how many sides, eighths of a circle, the head turns as far as a target asks. */
function sidesOf(looks: readonly Look[]): number {
  const sides = new Set<number>();
  for (const { direction } of looks) {
    const turn = turnOf(direction);
    if (turn >= AMOUNTS.near.least && turn <= AMOUNTS.far.most)
      sides.add(Math.round((Math.atan2(direction.y, direction.x) * 4) / Math.PI + 8) % 8);
  }
  return sides.size;
}
