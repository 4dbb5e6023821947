// The path of a script: where its mark is at each moment. Drawn by the server, shown by the page, and held against the
// movement of the head by the judgement: one law and one interpolation for all three. Pure.

/** What the step is called in which a mark is followed. */
export const PATH = 'path';

/**
 * One place of the mark. `x` and `y` are in percent of the path's reach, −100 to 100 from the middle: `x` towards the
 * capture subject's own left, `y` up. `at_ms` counts from the step's beginning.
 */
export interface PathKnot {
  at_ms: number;
  x: number;
  y: number;
}

/**
 * Knots in time order; the first is the middle at 0. The mark stands until the second and from the last but one on, and
 * goes between them as `samplePath` says.
 */
export type Path = PathKnot[];

/** A uniform integer in [least, most]. */
export type DrawInteger = (least: number, most: number) => number;

/**
 * The law of paths. The mark waits in the middle until it has been seen, goes from place to place with a pause here and
 * there, and waits at the end for a head that comes after. Each place lies at the rim or half way to it, and far enough
 * from the one before that the head has to move. At 20° of the head for the whole reach the mean leg is some 30° a second:
 * the pace of looking around. Chosen; what following it yields is measured in docs/liveness.md.
 */
const LAW = {
  waitMs: { least: 1_000, most: 1_400 },
  legMs: { least: 450, most: 800 },
  pauseMs: { least: 150, most: 350 },
  /** One leg in so many ends with a pause. */
  legsPerPause: 4,
  radius: { least: 60, most: 100 },
  minLeg: 70,
  endMs: 900,
} as const;

/** Directions that are drawn: each degree. */
const DEGREES = 360;

/**
 * Draws a path whose mark moves for `movingMs`, pauses included, between a random wait and a stand at the end.
 */
export function drawPath(movingMs: number, draw: DrawInteger): Path {
  const draws = ({ least, most }: { least: number; most: number }) => draw(least, most);
  const path: Path = [{ at_ms: 0, x: 0, y: 0 }];
  const stand = (untilMs: number) => path.push({ ...path.at(-1)!, at_ms: untilMs });
  stand(draws(LAW.waitMs));
  const endMs = path[1]!.at_ms + movingMs;
  while (path.at(-1)!.at_ms < endMs) {
    const last = path.at(-1)!;
    const leftMs = endMs - last.at_ms;
    // No leg is left that is shorter than the shortest.
    const legMs = draws(LAW.legMs);
    const lastsMs = leftMs - legMs < LAW.legMs.least ? leftMs : legMs;
    path.push({ at_ms: last.at_ms + lastsMs, ...drawPlace(last, draw) });
    const pauseMs = draw(1, LAW.legsPerPause) === 1 ? draws(LAW.pauseMs) : 0;
    if (pauseMs > 0 && leftMs - lastsMs - pauseMs >= LAW.legMs.least) stand(path.at(-1)!.at_ms + pauseMs);
  }
  stand(endMs + LAW.endMs);
  return path;
}

function drawPlace(from: PathKnot, draw: DrawInteger): { x: number; y: number } {
  for (;;) {
    const angle = (draw(0, DEGREES - 1) * 2 * Math.PI) / DEGREES;
    const radius = draw(LAW.radius.least, LAW.radius.most);
    const x = Math.round(radius * Math.cos(angle));
    const y = Math.round(radius * Math.sin(angle));
    if (Math.hypot(x - from.x, y - from.y) >= LAW.minLeg) return { x, y };
  }
}

/** How long a path lasts, in milliseconds. */
export function pathLengthMs(path: Path): number {
  return path.at(-1)!.at_ms;
}

/** Where the mark is `atMs` after the step's beginning: x and y as in {@link PathKnot}, not rounded. */
export function pathAt(path: Path, atMs: number): { x: number; y: number } {
  const out = new Float64Array(2);
  samplePath(path, atMs, 1, out);
  return { x: out[0]!, y: out[1]! };
}

/**
 * Writes x and y of the mark into `out`, pair by pair, every `everyMs` from `fromMs` on; it stands still outside the
 * path's time. Cubic Hermite curves between the knots, in each coordinate with the slopes of Fritsch and Butland (1984):
 * smooth, still in the pauses, and never beyond the knots on both sides.
 */
export function samplePath(path: Path, fromMs: number, everyMs: number, out: Float64Array): void {
  let at = 0;
  let slopes = slopesAt(path, 0);
  let next = slopesAt(path, 1);
  const last = path.length - 2;
  for (let i = 0; i < out.length; i += 2) {
    const timeMs = fromMs + (i / 2) * everyMs;
    while (at < last && timeMs >= path[at + 1]!.at_ms) {
      at++;
      slopes = next;
      next = slopesAt(path, at + 1);
    }
    const [a, b] = [path[at]!, path[at + 1]!];
    const widthMs = b.at_ms - a.at_ms;
    const t = Math.min(1, Math.max(0, (timeMs - a.at_ms) / widthMs));
    const toB = t * t * (3 - 2 * t);
    const outOfA = widthMs * t * (1 - t) * (1 - t);
    const intoB = widthMs * t * t * (1 - t);
    out[i] = a.x + (b.x - a.x) * toB + slopes.x * outOfA - next.x * intoB;
    out[i + 1] = a.y + (b.y - a.y) * toB + slopes.y * outOfA - next.y * intoB;
  }
}

/** Slopes of the curve at a knot, per millisecond. */
function slopesAt(path: Path, knot: number): { x: number; y: number } {
  const [before, here, after] = [path[knot - 1], path[knot]!, path[knot + 1]];
  if (!before || !after) return { x: 0, y: 0 };
  const inMs = here.at_ms - before.at_ms;
  const outMs = after.at_ms - here.at_ms;
  return {
    x: slope((here.x - before.x) / inMs, (after.x - here.x) / outMs),
    y: slope((here.y - before.y) / inMs, (after.y - here.y) / outMs),
  };
}

/** The harmonic mean of the slopes on both sides; 0 where the curve turns or rests. */
function slope(before: number, after: number): number {
  return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
}
