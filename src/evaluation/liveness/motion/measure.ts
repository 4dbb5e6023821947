// What followed points say about a clip: parallax in each turn of the head, and whether the face moves relative to its
// surround. Read by parallax.ts and surround.ts. Frames are measured as they arrive, so that only recent ones are kept.
import type { FaceObservation, ObservedFace } from '../../face/observation.ts';
import type { Frame } from '../../video/frame.ts';
import { median } from '../statistics.ts';
import { homographyResidual, type Moved, similarityResidual } from './fit.ts';
import { follow, type Spot, texturedSpots } from './flow.ts';
import { type Pyramid, pyramidOf } from './grey.ts';

/** One turn of the head away from rest. */
export interface TurnMotion {
  readonly fromMs: number;
  readonly toMs: number;
  /** Change of apparent yaw; its sign gives the side. */
  readonly yaw: number;
  /** Residual of a homography divided by that of a similarity, 0–1; next to nothing for a plane. */
  readonly ratio: number;
  readonly points: number;
}

/** One step in which the face moved and the picture's border did not. */
export interface SurroundStep {
  readonly timeMs: number;
  /** Share of the face's displacement that the surround makes too: 0 if it stands still, 1 if it moves along. */
  readonly share: number;
}

export interface Motion {
  readonly turns: readonly TurnMotion[];
  readonly surround: readonly SurroundStep[];
}

/**
 * Measures a clip whose frames arrive one by one. Keeps only frames that a turn may still need: a second and a half.
 */
export class MotionMeter {
  readonly #observations: FaceObservation[] = [];
  readonly #pictures = new Map<number, Frame | Pyramid>();
  readonly #turns: TurnMotion[] = [];
  readonly #surround: SurroundStep[] = [];
  /** First frame at which a turn may begin, and the frame at which the next step against the surround begins. */
  #turnFrom = 0;
  #stepFrom = 0;

  /** Takes the next frame and what was seen in it. */
  add(frame: Frame, observation: FaceObservation): void {
    this.#pictures.set(this.#observations.length, frame);
    this.#observations.push(observation);
    this.#measure(false);
    const inUse = Math.min(this.#turnFrom, this.#stepFrom);
    for (const index of this.#pictures.keys()) if (index < inUse) this.#pictures.delete(index);
  }

  /** What the whole clip shows. No frame may be added after this. */
  end(): Motion {
    this.#measure(true);
    this.#pictures.clear();
    return { turns: this.#turns, surround: this.#surround };
  }

  #measure(isComplete: boolean): void {
    const at = (index: number) => this.#pyramidAt(index);
    this.#measureTurns(isComplete, at);
    const { length } = this.#observations;
    for (; this.#stepFrom + SURROUND_STEP < length; this.#stepFrom += SURROUND_STEP) {
      const step = measureSurroundStep(
        this.#observations,
        this.#stepFrom,
        this.#stepFrom + SURROUND_STEP,
        at,
      );
      if (step) this.#surround.push(step);
    }
  }

  #measureTurns(isComplete: boolean, at: PyramidAt): void {
    const { length } = this.#observations;
    while (this.#turnFrom < length) {
      if (this.#turns.length === MAX_TURNS) {
        this.#turnFrom = length;
        return;
      }
      const { to, isOpen } = endOfTurn(this.#observations, this.#turnFrom);
      if (isOpen && !isComplete) return;
      if (to === null) {
        this.#turnFrom++;
        continue;
      }
      const begin = lastAtRest(this.#observations, this.#turnFrom, to);
      const turn = measureTurn(this.#observations, begin, to, at);
      if (turn) this.#turns.push(turn);
      this.#turnFrom = to + 1;
    }
  }

  #pyramidAt(index: number): Pyramid {
    const found = this.#pictures.get(index)!;
    if ('levels' in found) return found;
    const pyramid = pyramidOf(found);
    this.#pictures.set(index, pyramid);
    return pyramid;
  }
}

type PyramidAt = (index: number) => Pyramid;

/**
 * Change of yaw from which a turn counts, and beyond which it is not followed because points disappear behind the
 * cheek. Chosen, not measured.
 */
const TURN_FROM = 0.25;
const TURN_TO = 0.45;
/** At rest, the yaw stays this close to its value where the turn began. Chosen, not measured. */
const REST = 0.08;
/** Stands for the yaw of a frame without a face: so far from any real yaw that the frame is never at rest. */
const NO_FACE_YAW = 9;
/** Most frames over which one turn is followed: a second and a half. Chosen, not measured. */
const MAX_TURN_FRAMES = 18;
/** Fewer points leave the fits of a turn to chance. Chosen, not measured. */
const MIN_TURN_POINTS = 12;
/** Enough for both fits; each point costs about 60 µs per frame. */
const MAX_TURN_POINTS = 40;
/** Most turns measured in one clip: as many as the longest script asks for. Chosen, not measured. */
const MAX_TURNS = 6;
/** Points on the inner face per eye distance. */
const SPOTS_PER_EYE_DISTANCE = 6;

/** Frame in which a turn has gone far enough; null if no turn begins there. `isOpen`: later frames may change this. */
interface TurnEnd {
  readonly to: number | null;
  readonly isOpen: boolean;
}

/** Index of the frame in which a turn that begins at `from` has gone far enough. */
function endOfTurn(observations: readonly FaceObservation[], from: number): TurnEnd {
  const rest = observations[from]!.face;
  if (!rest || Math.abs(rest.yaw) > TURN_FROM) return { to: null, isOpen: false };
  let to: number | null = null;
  for (let i = from + 1; i < from + MAX_TURN_FRAMES; i++) {
    if (i === observations.length) return { to, isOpen: true };
    const face = observations[i]!.face;
    if (!face) break;
    const turned = Math.abs(face.yaw - rest.yaw);
    if (turned >= TURN_FROM) to = i;
    if (turned >= TURN_TO || (to !== null && turned < TURN_FROM)) break;
  }
  return { to, isOpen: false };
}

function lastAtRest(observations: readonly FaceObservation[], from: number, to: number): number {
  const rest = observations[from]!.face!.yaw;
  let last = from;
  for (let i = from + 1; i < to; i++)
    if (Math.abs((observations[i]!.face?.yaw ?? NO_FACE_YAW) - rest) <= REST) last = i;
  return last;
}

function measureTurn(
  observations: readonly FaceObservation[],
  from: number,
  to: number,
  at: PyramidAt,
): TurnMotion | null {
  const first = observations[from]!.face!;
  const last = observations[to]!.face!;
  const begin = spotsOnFace(at(from), first);
  let tracks: { origin: Spot; now: Spot }[] = thinned(begin, MAX_TURN_POINTS).map((spot) => ({
    origin: spot,
    now: spot,
  }));
  for (let i = from; i < to && tracks.length >= MIN_TURN_POINTS; i++) {
    const next = follow(
      at(i),
      at(i + 1),
      tracks.map(({ now }) => now),
    );
    tracks = tracks.flatMap(({ origin }, k) => (next[k] ? [{ origin, now: next[k] }] : []));
  }
  const moved = withoutStrays(tracks.map(({ origin, now }) => ({ from: origin, to: now })));
  if (moved.length < MIN_TURN_POINTS) return null;
  const flat = homographyResidual(moved);
  const similar = similarityResidual(moved);
  if (flat === null || similar === 0) return null;
  return {
    fromMs: observations[from]!.timeMs,
    toMs: observations[to]!.timeMs,
    yaw: last.yaw - first.yaw,
    ratio: flat / similar,
    points: moved.length,
  };
}

/** Spots from forehead to chin and temple to temple: the part that turns with the head and is not hair. */
function spotsOnFace(picture: Pyramid, { box, eyeDistancePx }: ObservedFace): Spot[] {
  const { scale } = picture;
  const inner = {
    x: (box.x + 0.12 * box.width) * scale,
    y: (box.y + 0.08 * box.height) * scale,
    width: 0.76 * box.width * scale,
    height: 0.84 * box.height * scale,
  };
  return texturedSpots(picture, inner, Math.max(5, (eyeDistancePx * scale) / SPOTS_PER_EYE_DISTANCE));
}

/** At most `count` of the spots, evenly spread. */
function thinned(spots: readonly Spot[], count: number): Spot[] {
  const step = Math.max(1, spots.length / count);
  return spots.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** Leaves out points whose displacement is far from the median: they jumped to another edge. */
function withoutStrays(moved: readonly Moved[]): Moved[] {
  const dx = median(moved.map(({ from, to }) => to.x - from.x));
  const dy = median(moved.map(({ from, to }) => to.y - from.y));
  const away = moved.map(({ from, to }) => Math.hypot(to.x - from.x - dx, to.y - from.y - dy));
  const limit = 4 * median(away) + 1;
  return moved.filter((_, i) => away[i]! <= limit);
}

/** Frames over which displacement is measured: a quarter of a second. */
const SURROUND_STEP = 3;
/** Least displacement of the face, in eye distances, that is compared with the surround. Chosen, not measured. */
const MIN_FACE_SHIFT = 0.06;
/**
 * Largest displacement of the border, as a share of the face's, at which the camera counts as standing still. Chosen,
 * not measured.
 */
const MAX_BORDER_SHARE = 0.2;
/** Least points for a step against the surround, and most points that are followed. Chosen, not measured. */
const MIN_SURROUND_POINTS = 5;
const MAX_SURROUND_POINTS = 24;

function measureSurroundStep(
  observations: readonly FaceObservation[],
  from: number,
  to: number,
  at: PyramidAt,
): SurroundStep | null {
  const before = observations[from]!.face;
  const after = observations[to]!.face;
  if (!before || !after) return null;
  const shift = shiftOfFace(before, after);
  const length = Math.hypot(shift.x, shift.y);
  if (length < MIN_FACE_SHIFT * before.eyeDistancePx) return null;
  const picture = at(from);
  const along = (found: Spot[]): number | null => {
    const spots = thinned(found, MAX_SURROUND_POINTS);
    const shares = follow(picture, at(to), spots).flatMap((spot, i) =>
      spot
        ? [
            ((spot.x - spots[i]!.x) * shift.x + (spot.y - spots[i]!.y) * shift.y) /
              (length * length * picture.scale),
          ]
        : [],
    );
    return shares.length >= MIN_SURROUND_POINTS ? median(shares) : null;
  };
  const border = along(spotsOnBorder(picture));
  if (border === null || Math.abs(border) > MAX_BORDER_SHARE) return null;
  const share = along(spotsAround(picture, before));
  return share === null ? null : { timeMs: observations[from]!.timeMs, share };
}

/** Displacement of the face's centre, in frame pixels. */
function shiftOfFace(before: ObservedFace, after: ObservedFace): Spot {
  return {
    x: after.box.x + after.box.width / 2 - before.box.x - before.box.width / 2,
    y: after.box.y + after.box.height / 2 - before.box.y - before.box.height / 2,
  };
}

/** The outermost twelfth of the picture, except at the lower edge, where the person's body is. */
function spotsOnBorder(picture: Pyramid): Spot[] {
  const { width, height } = picture.levels[0]!;
  const inset = Math.min(width, height) / 12;
  return texturedSpots(
    picture,
    { x: 0, y: 0, width, height: 0.7 * height },
    16,
    (x, y) => x < inset || x > width - inset || y < inset,
  );
}

/** Spots beside the head and above the shoulders, beyond the hair, in a band half a face wide on each side. */
function spotsAround(picture: Pyramid, { box }: ObservedFace): Spot[] {
  const { scale } = picture;
  const left = (box.x - 0.75 * box.width) * scale;
  const right = (box.x + 1.75 * box.width) * scale;
  const area = {
    x: left,
    y: (box.y - 0.1 * box.height) * scale,
    width: right - left,
    height: 0.75 * box.height * scale,
  };
  const inner = { from: (box.x - 0.25 * box.width) * scale, to: (box.x + 1.25 * box.width) * scale };
  return texturedSpots(picture, area, 10, (x) => x < inner.from || x > inner.to);
}
