// The path of a script: where its mark is at each moment. The server draws it, the page shows it, and the judgement
// compares it with the movement of the head. All three use the interpolation below. Pure.

/** Name of the step in which the person follows a mark. */
export const PATH = 'path';

/**
 * One position of the mark. `x` and `y` are in percent of the path's reach, −100 to 100 from the centre: `x` towards
 * the capture subject's own left, `y` up. `at_ms` counts from the start of the step.
 */
export interface PathKnot {
  at_ms: number;
  x: number;
  y: number;
}

/**
 * Knots in time order; the first is the centre at 0 ms. The mark is still until the second knot and after the last but
 * one; in between, `samplePath` interpolates.
 */
export type Path = PathKnot[];

/** A uniform integer in [least, most]. */
export type DrawInteger = (least: number, most: number) => number;

/**
 * The rules by which paths are drawn. The mark waits in the centre so that the person sees it, moves from place to
 * place with occasional pauses, and waits at the end for the head to catch up. Each place lies between 60 % of the way
 * to the rim and the rim, and far enough from the previous one that the head has to move. If the whole reach is 20° of
 * head rotation, the mean leg is about 30° per second, the pace of looking around. Chosen; docs/liveness.md measures
 * how heads follow it.
 */
const DRAW_RULES = {
  waitMs: { least: 1_000, most: 1_400 },
  legMs: { least: 450, most: 800 },
  pauseMs: { least: 150, most: 350 },
  /** On average, one leg in this many ends with a pause. */
  legsPerPause: 4,
  radius: { least: 60, most: 100 },
  minLeg: 70,
  endMs: 900,
} as const;

/** Directions are drawn in whole degrees. */
const DEGREES = 360;

/** Draws a path whose mark moves for `movingMs`, pauses included, after a random wait and before a stop at the end. */
export function drawPath(movingMs: number, draw: DrawInteger): Path {
  const draws = ({ least, most }: { least: number; most: number }) => draw(least, most);
  const path: Path = [{ at_ms: 0, x: 0, y: 0 }];
  const holdUntil = (untilMs: number) => path.push({ ...path.at(-1)!, at_ms: untilMs });
  holdUntil(draws(DRAW_RULES.waitMs));
  const endMs = path[1]!.at_ms + movingMs;
  while (path.at(-1)!.at_ms < endMs) {
    const last = path.at(-1)!;
    const leftMs = endMs - last.at_ms;
    // Extend this leg to the end if the remainder would be shorter than the shortest leg.
    const legMs = draws(DRAW_RULES.legMs);
    const lastsMs = leftMs - legMs < DRAW_RULES.legMs.least ? leftMs : legMs;
    path.push({ at_ms: last.at_ms + lastsMs, ...drawPlace(last, draw) });
    const pauseMs = draw(1, DRAW_RULES.legsPerPause) === 1 ? draws(DRAW_RULES.pauseMs) : 0;
    if (pauseMs > 0 && leftMs - lastsMs - pauseMs >= DRAW_RULES.legMs.least)
      holdUntil(path.at(-1)!.at_ms + pauseMs);
  }
  holdUntil(endMs + DRAW_RULES.endMs);
  return path;
}

function drawPlace(from: PathKnot, draw: DrawInteger): { x: number; y: number } {
  for (;;) {
    const angle = (draw(0, DEGREES - 1) * 2 * Math.PI) / DEGREES;
    const radius = draw(DRAW_RULES.radius.least, DRAW_RULES.radius.most);
    const x = Math.round(radius * Math.cos(angle));
    const y = Math.round(radius * Math.sin(angle));
    if (Math.hypot(x - from.x, y - from.y) >= DRAW_RULES.minLeg) return { x, y };
  }
}

/** Duration of a path, in milliseconds. */
export function pathLengthMs(path: Path): number {
  return path.at(-1)!.at_ms;
}

/** Where the mark is `atMs` after the start of the step: x and y as in {@link PathKnot}, not rounded. */
export function pathAt(path: Path, atMs: number): { x: number; y: number } {
  const out = new Float64Array(2);
  samplePath(path, atMs, 1, out);
  return { x: out[0]!, y: out[1]! };
}

/**
 * Writes x and y of the mark into `out`, pair by pair, every `everyMs` starting at `fromMs`. Outside the path's time
 * the mark is still. Between the knots each coordinate is a cubic Hermite curve with the slopes of Fritsch and Butland
 * (1984): smooth, still during pauses, and never overshooting the knots on either side.
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

/** The harmonic mean of the slopes on both sides; 0 where the curve reverses or rests. */
function slope(before: number, after: number): number {
  return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
}
