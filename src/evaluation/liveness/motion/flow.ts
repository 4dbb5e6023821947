// Follows points from one picture to another and back: pyramidal Lucas–Kanade (Bouguet 2001).
import { type Grey, type Pyramid, valueAt } from './grey.ts';

/** A point on the finest level. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Pixels from the centre of a window to its edge: windows have 9 × 9 pixels. */
const REACH = 4;
const SIDE = 2 * REACH + 1;
const ITERATIONS = 8;
const CONVERGED_PX = 0.03;
/**
 * Smaller eigenvalue of a window's gradients, per pixel, below which the window is flat or may slide along an edge.
 * Chosen, not measured.
 */
const MIN_TEXTURE = 12;
/** How far a point may miss its origin when followed back. Chosen, not measured. */
const MAX_RETURN_PX = 0.7;

/**
 * Where each spot of `from` lies in `to`; null if it is in a flat area, lost, outside, or not found again on the way
 * back.
 */
export function follow(from: Pyramid, to: Pyramid, spots: readonly Spot[]): (Spot | null)[] {
  return spots.map((spot) => {
    const there = followOne(from, to, spot);
    const back = there && followOne(to, from, there);
    return back && Math.hypot(back.x - spot.x, back.y - spot.y) <= MAX_RETURN_PX ? there : null;
  });
}

/** Textured spots on a grid of `stepPx` inside a box of the finest level, each the best of its cell. */
export function texturedSpots(
  { levels: [picture] }: Pyramid,
  box: { x: number; y: number; width: number; height: number },
  stepPx: number,
  isWanted: (x: number, y: number) => boolean = () => true,
): Spot[] {
  const spots: Spot[] = [];
  const { width, height } = picture!;
  const margin = REACH + 2;
  for (
    let top = Math.max(margin, box.y);
    top < Math.min(height - margin, box.y + box.height);
    top += stepPx
  ) {
    for (
      let left = Math.max(margin, box.x);
      left < Math.min(width - margin, box.x + box.width);
      left += stepPx
    ) {
      const spot = bestOfCell(picture!, left, top, stepPx, margin);
      if (spot && isWanted(spot.x, spot.y)) spots.push(spot);
    }
  }
  return spots;
}

function bestOfCell(picture: Grey, left: number, top: number, stepPx: number, margin: number): Spot | null {
  let best: Spot | null = null;
  let bestTexture = MIN_TEXTURE;
  for (let y = Math.round(top); y < Math.min(top + stepPx, picture.height - margin); y += 2) {
    for (let x = Math.round(left); x < Math.min(left + stepPx, picture.width - margin); x += 2) {
      const texture = textureAt(picture, x, y);
      if (texture <= bestTexture) continue;
      bestTexture = texture;
      best = { x, y };
    }
  }
  return best;
}

/** Smaller eigenvalue of the structure tensor over a 5 × 5 window, per pixel (Shi & Tomasi 1994). */
function textureAt({ width, pixels }: Grey, x: number, y: number): number {
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let dy = -2; dy <= 2; dy++) {
    for (let dx = -2; dx <= 2; dx++) {
      const at = (y + dy) * width + x + dx;
      const gx = (pixels[at + 1]! - pixels[at - 1]!) / 2;
      const gy = (pixels[at + width]! - pixels[at - width]!) / 2;
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
    }
  }
  return smallerEigenvalue(xx, xy, yy) / 25;
}

function smallerEigenvalue(xx: number, xy: number, yy: number): number {
  return (xx + yy) / 2 - Math.hypot((xx - yy) / 2, xy);
}

function followOne(from: Pyramid, to: Pyramid, spot: Spot): Spot | null {
  const { length } = from.levels;
  let x = spot.x / 2 ** (length - 1);
  let y = spot.y / 2 ** (length - 1);
  for (let level = length - 1; level >= 0; level--) {
    const found = refine(
      from.levels[level]!,
      to.levels[level]!,
      spot.x / 2 ** level,
      spot.y / 2 ** level,
      x,
      y,
    );
    // A coarse level may be too flat or too near the edge; the finest one must succeed.
    if (!found && level === 0) return null;
    x = (found?.x ?? x) * (level > 0 ? 2 : 1);
    y = (found?.y ?? y) * (level > 0 ? 2 : 1);
  }
  return { x, y };
}

function isInside({ width, height }: Grey, x: number, y: number): boolean {
  const margin = REACH + 2;
  return x >= margin && y >= margin && x < width - margin && y < height - margin;
}

function refine(from: Grey, to: Grey, x0: number, y0: number, x1: number, y1: number): Spot | null {
  if (!isInside(from, x0, y0)) return null;
  const values = new Float32Array(SIDE * SIDE);
  const gradients = new Float32Array(2 * SIDE * SIDE);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let dy = -REACH, i = 0; dy <= REACH; dy++) {
    for (let dx = -REACH; dx <= REACH; dx++, i++) {
      values[i] = valueAt(from, x0 + dx, y0 + dy);
      const gx = (valueAt(from, x0 + dx + 1, y0 + dy) - valueAt(from, x0 + dx - 1, y0 + dy)) / 2;
      const gy = (valueAt(from, x0 + dx, y0 + dy + 1) - valueAt(from, x0 + dx, y0 + dy - 1)) / 2;
      gradients[2 * i] = gx;
      gradients[2 * i + 1] = gy;
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
    }
  }
  if (smallerEigenvalue(xx, xy, yy) / (SIDE * SIDE) < MIN_TEXTURE / 4) return null;
  const determinant = xx * yy - xy * xy;
  let x = x1;
  let y = y1;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    if (!isInside(to, x, y)) return null;
    let ex = 0;
    let ey = 0;
    for (let dy = -REACH, i = 0; dy <= REACH; dy++) {
      for (let dx = -REACH; dx <= REACH; dx++, i++) {
        const difference = values[i]! - valueAt(to, x + dx, y + dy);
        ex += difference * gradients[2 * i]!;
        ey += difference * gradients[2 * i + 1]!;
      }
    }
    const stepX = (yy * ex - xy * ey) / determinant;
    const stepY = (xx * ey - xy * ex) / determinant;
    x += stepX;
    y += stepY;
    if (Math.hypot(stepX, stepY) < CONVERGED_PX) break;
  }
  return isInside(to, x, y) ? { x, y } : null;
}
