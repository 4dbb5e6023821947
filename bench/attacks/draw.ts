// Draws textured triangles on a canvas, from which all rendered footage is made. No lighting; affine texture mapping.
import type { Frame } from '../../src/evaluation/video/frame.ts';

/** A frame without a time. */
export type Picture = Omit<Frame, 'timeMs'>;

/** Triangles whose corners have a position in one picture, or in two that are mixed. */
export interface Surface {
  /** Three vertex indices per triangle. */
  readonly triangles: Uint32Array;
  readonly picture: Picture;
  /** x and y of each vertex in `picture`. */
  readonly places: Float32Array;
  readonly second?: {
    readonly picture: Picture;
    readonly places: Float32Array;
    /** How much of the second picture each vertex can show, 0–1. */
    readonly shares: Float32Array;
  };
}

/** A new picture in one shade of grey. */
export function blankPicture(width: number, height: number, grey = 0): Picture {
  return { width, height, rgb: new Uint8Array(width * height * 3).fill(grey) };
}

/** x and y of each vertex, from its x, y and z. */
export function withoutDepth(positions: Float32Array): Float32Array {
  const places = new Float32Array((positions.length / 3) * 2);
  for (let i = 0; i < places.length; i++) places[i] = positions[(i >> 1) * 3 + (i & 1)]!;
  return places;
}

/**
 * Draws the surface with its vertices at `positions` (x, y, z each; smaller z is nearer), farthest triangles first.
 * `mix` is how far the second picture is faded in, `opacity` how much of the existing content is covered; both 0–1.
 */
export function drawSurface(
  canvas: Picture,
  surface: Surface,
  positions: Float32Array,
  { mix = 0, opacity = 1 }: { mix?: number; opacity?: number } = {},
): void {
  const { triangles, picture, places, second } = surface;
  for (const t of farthestFirst(triangles, positions)) {
    const a = triangles[t]!;
    const b = triangles[t + 1]!;
    const c = triangles[t + 2]!;
    drawTriangle(canvas, positions, a, b, c, picture, places, opacity, null);
    if (mix > 0 && second)
      drawTriangle(canvas, positions, a, b, c, second.picture, second.places, mix, second.shares);
  }
}

/** The offsets of the triangles in the list, sorted by the mean depth of their corners. */
function farthestFirst(triangles: Uint32Array, positions: Float32Array): Uint32Array {
  const count = triangles.length / 3;
  // Depth in the high part, index in the low part: sorting numbers is many times faster than with a comparison
  // function.
  const keys = new Float64Array(count);
  for (let t = 0; t < count; t++) {
    const depth =
      positions[triangles[t * 3]! * 3 + 2]! +
      positions[triangles[t * 3 + 1]! * 3 + 2]! +
      positions[triangles[t * 3 + 2]! * 3 + 2]!;
    keys[t] = Math.round(-depth * DEPTH_STEPS) * count + t;
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => 3 * (((key % count) + count) % count));
}

/** Depth is resolved to a sixty-fourth of a pixel. */
const DEPTH_STEPS = 64;
/** Slightly beyond the edge, so that no gap opens between neighbours. */
const BEYOND = 1e-4;

/**
 * Draws one triangle of `picture` over the existing content with opacity `share`; `shares` scales that per vertex.
 * Along a row of pixels everything changes linearly: the weights of b and c, the positions in the picture, and the
 * shares.
 */
function drawTriangle(
  canvas: Picture,
  positions: Float32Array,
  a: number,
  b: number,
  c: number,
  picture: Picture,
  places: Float32Array,
  share: number,
  shares: Float32Array | null,
): void {
  const ax = positions[a * 3]!;
  const ay = positions[a * 3 + 1]!;
  const bx = positions[b * 3]!;
  const by = positions[b * 3 + 1]!;
  const cx = positions[c * 3]!;
  const cy = positions[c * 3 + 1]!;
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (Math.abs(area) < 1e-6) return;
  const shareA = shares ? share * shares[a]! : share;
  const shareB = shares ? share * shares[b]! : share;
  const shareC = shares ? share * shares[c]! : share;
  if (Math.max(shareA, shareB, shareC) <= 0.004) return;
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(canvas.width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const bottom = Math.min(canvas.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  const vx = (cy - ay) / area;
  const wx = (ay - by) / area;
  const ux = -vx - wx;
  const px = places[a * 2]!;
  const py = places[a * 2 + 1]!;
  const [pxv, pyv] = [places[b * 2]! - px, places[b * 2 + 1]! - py];
  const [pxw, pyw] = [places[c * 2]! - px, places[c * 2 + 1]! - py];
  for (let y = top; y <= bottom; y++) {
    const v = ((left + 0.5 - ax) * (cy - ay) + (y + 0.5 - ay) * (ax - cx)) / area;
    const w = ((left + 0.5 - ax) * (ay - by) + (y + 0.5 - ay) * (bx - ax)) / area;
    const first = Math.max(0, entry(v, vx), entry(w, wx), entry(1 - v - w, ux));
    const last = Math.min(right - left, exit(v, vx), exit(w, wx), exit(1 - v - w, ux));
    if (last < first) continue;
    const [fv, fw] = [v + first * vx, w + first * wx];
    blendRow(
      canvas.rgb,
      (y * canvas.width + left + first) * 3,
      last - first + 1,
      picture,
      px + fv * pxv + fw * pxw,
      py + fv * pyv + fw * pyw,
      vx * pxv + wx * pxw,
      vx * pyv + wx * pyw,
      shareA + fv * (shareB - shareA) + fw * (shareC - shareA),
      vx * (shareB - shareA) + wx * (shareC - shareA),
    );
  }
}

/** First step at which a weight that grows by `slope` per step is inside the triangle. */
function entry(weight: number, slope: number): number {
  if (slope > 0) return Math.ceil((-BEYOND - weight) / slope);
  return slope < 0 || weight >= -BEYOND ? 0 : Number.POSITIVE_INFINITY;
}

/** Last step at which it is still inside. */
function exit(weight: number, slope: number): number {
  return slope < 0 ? Math.floor((-BEYOND - weight) / slope) : Number.POSITIVE_INFINITY;
}

/**
 * Writes `count` pixels from `to` on: the picture's colours along a line, bilinear, blended over the existing content
 * by `share`.
 */
function blendRow(
  out: Uint8Array,
  to: number,
  count: number,
  { width, height, rgb }: Picture,
  x: number,
  y: number,
  dx: number,
  dy: number,
  share: number,
  dShare: number,
): void {
  const mostX = width - 1.001;
  const mostY = height - 1.001;
  const end = to + 3 * count;
  let sx = x - 0.5;
  let sy = y - 0.5;
  let part = share;
  for (let i = to; i < end; i += 3, sx += dx, sy += dy, part += dShare) {
    const cx = sx < 0 ? 0 : sx > mostX ? mostX : sx;
    const cy = sy < 0 ? 0 : sy > mostY ? mostY : sy;
    const x0 = cx | 0;
    const y0 = cy | 0;
    const fx = cx - x0;
    const fy = cy - y0;
    const at = (y0 * width + x0) * 3;
    const below = at + width * 3;
    const bottom = fy * part;
    const top = part - bottom;
    const se = fx * bottom;
    const sw = bottom - se;
    const ne = fx * top;
    const nw = top - ne;
    const kept = 1 - part;
    for (let c = 0; c < 3; c++)
      out[i + c] =
        rgb[at + c]! * nw +
        rgb[at + 3 + c]! * ne +
        rgb[below + c]! * sw +
        rgb[below + 3 + c]! * se +
        out[i + c]! * kept +
        0.5;
  }
}
