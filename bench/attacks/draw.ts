// Textured triangles on a canvas: what every piece of rendered footage is made of. No lighting; affine texture mapping.
import type { Frame } from '../../src/evaluation/video/frame.ts';

/** A picture without a time. */
export type Picture = Omit<Frame, 'timeMs'>;

/** Triangles with a place for each corner in one picture, or in two that are mixed. */
export interface Surface {
  /** Three vertex numbers a triangle. */
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

/** A new picture of one grey. */
export function blankPicture(width: number, height: number, grey = 0): Picture {
  return { width, height, rgb: new Uint8Array(width * height * 3).fill(grey) };
}

/**
 * Draws the surface with its vertices at `positions` (x, y, z each; smaller z is nearer), far triangles first.
 * `mix` is how far the second picture is faded in, `opacity` how much of what lies below is covered; both 0–1.
 */
export function drawSurface(
  canvas: Picture,
  surface: Surface,
  positions: Float32Array,
  { mix = 0, opacity = 1 }: { mix?: number; opacity?: number } = {},
): void {
  const { triangles } = surface;
  const count = triangles.length / 3;
  const depth = new Float32Array(count);
  for (let t = 0; t < count; t++)
    for (let corner = 0; corner < 3; corner++) depth[t]! += positions[triangles[t * 3 + corner]! * 3 + 2]!;
  const order = Uint32Array.from({ length: count }, (_, t) => t).sort((a, b) => depth[b]! - depth[a]!);
  for (const t of order)
    drawTriangle(
      canvas,
      surface,
      positions,
      [triangles[t * 3]!, triangles[t * 3 + 1]!, triangles[t * 3 + 2]!],
      mix,
      opacity,
    );
}

function drawTriangle(
  canvas: Picture,
  surface: Surface,
  positions: Float32Array,
  [a, b, c]: [number, number, number],
  mix: number,
  opacity: number,
): void {
  const { width, height, rgb } = canvas;
  const ax = positions[a * 3]!;
  const ay = positions[a * 3 + 1]!;
  const bx = positions[b * 3]!;
  const by = positions[b * 3 + 1]!;
  const cx = positions[c * 3]!;
  const cy = positions[c * 3 + 1]!;
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (Math.abs(area) < 1e-6) return;
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  const { picture, places, second } = surface;
  const faded = mix > 0 && second !== undefined;
  // Barycentric weights of b and c, and how they change with x: all else follows from them.
  const [vx, vy, wx, wy] = [(cy - ay) / area, (ax - cx) / area, (ay - by) / area, (bx - ax) / area];
  const first = gradient(places, a, b, c);
  const other = faded ? gradient(second.places, a, b, c) : first;
  const shares = faded ? second.shares : null;
  for (let y = top; y <= bottom; y++) {
    let v = (left + 0.5 - ax) * vx + (y + 0.5 - ay) * vy;
    let w = (left + 0.5 - ax) * wx + (y + 0.5 - ay) * wy;
    let to = (y * width + left) * 3;
    for (let x = left; x <= right; x++, v += vx, w += wx, to += 3) {
      // A hair beyond the edge, so that no gap opens between neighbours.
      if (v < -1e-4 || w < -1e-4 || v + w > 1.0001) continue;
      sample(
        picture,
        first.x + v * first.xv + w * first.xw,
        first.y + v * first.yv + w * first.yw,
        rgb,
        to,
        opacity,
      );
      if (!faded || !shares) continue;
      const share = mix * ((1 - v - w) * shares[a]! + v * shares[b]! + w * shares[c]!);
      if (share <= 0.004) continue;
      const [sx, sy] = [other.x + v * other.xv + w * other.xw, other.y + v * other.yv + w * other.yw];
      sample(second.picture, sx, sy, rgb, to, share);
    }
  }
}

/** Places in a picture as linear functions of the weights of b and c. */
function gradient(places: Float32Array, a: number, b: number, c: number) {
  const x = places[a * 2]!;
  const y = places[a * 2 + 1]!;
  return {
    ...{ x, y, xv: places[b * 2]! - x, yv: places[b * 2 + 1]! - y },
    ...{ xw: places[c * 2]! - x, yw: places[c * 2 + 1]! - y },
  };
}

/** Writes the picture's colour at (x, y), bilinear, over `share` of what is at `to`. */
function sample(picture: Picture, x: number, y: number, out: Uint8Array, to: number, share: number): void {
  const { width, height, rgb } = picture;
  const px = Math.min(width - 1.001, Math.max(0, x - 0.5));
  const py = Math.min(height - 1.001, Math.max(0, y - 0.5));
  const x0 = px | 0;
  const y0 = py | 0;
  const fx = px - x0;
  const fy = py - y0;
  const at = (y0 * width + x0) * 3;
  const below = at + width * 3;
  const nw = (1 - fx) * (1 - fy) * share;
  const ne = fx * (1 - fy) * share;
  const sw = (1 - fx) * fy * share;
  const se = fx * fy * share;
  const kept = 1 - share;
  out[to] =
    rgb[at]! * nw + rgb[at + 3]! * ne + rgb[below]! * sw + rgb[below + 3]! * se + out[to]! * kept + 0.5;
  out[to + 1] =
    rgb[at + 1]! * nw +
    rgb[at + 4]! * ne +
    rgb[below + 1]! * sw +
    rgb[below + 4]! * se +
    out[to + 1]! * kept +
    0.5;
  out[to + 2] =
    rgb[at + 2]! * nw +
    rgb[at + 5]! * ne +
    rgb[below + 2]! * sw +
    rgb[below + 5]! * se +
    out[to + 2]! * kept +
    0.5;
}
