// A screen's light on a rendered head: the share that falls on each pixel, and its effect on the frame.
import { LANDMARK_COUNT } from '../../src/contract/face-landmarks.ts';
import { blankPicture, drawSurface, type Picture, type Surface } from './draw.ts';

/** Share for what is behind the face: it is further from the screen, and the light has fallen off by then. */
const BEHIND = 0.12;
/** A full share as a grey level. */
const FULL = 255;

/**
 * Draws the share of the light that falls on each pixel, as grey levels: Lambert's cosine on the posed face, with the
 * screen at the camera's position, and a small share behind the face. The canvas is overwritten.
 * @param depthScale canvas pixels per pixel of the photograph, in which depths are measured
 */
export function drawShares(
  canvas: Picture,
  surface: Pick<Surface, 'triangles' | 'places'>,
  positions: Float32Array,
  depthScale: number,
): void {
  canvas.rgb.fill(0);
  const shares = sharesOf(surface, positions, depthScale);
  const { places, triangles } = surface;
  const lit = { triangles, picture: BLACK, places, second: { picture: WHITE, places, shares } };
  drawSurface(canvas, lit, positions, { mix: 1 });
}

const BLACK = blankPicture(2, 2, 0);
const WHITE = blankPicture(2, 2, FULL);

/** Share of each vertex, 0–1. */
function sharesOf(
  { triangles, places }: Pick<Surface, 'triangles' | 'places'>,
  positions: Float32Array,
  depthScale: number,
): Float32Array {
  const normals = new Float64Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const;
    const [a, b, c] = corners;
    const side = (from: number, to: number, k: number) =>
      (positions[to * 3 + k]! - positions[from * 3 + k]!) * (k === 2 ? depthScale : 1);
    const [ux, uy, uz] = [side(a, b, 0), side(a, b, 1), side(a, b, 2)];
    const [vx, vy, vz] = [side(a, c, 0), side(a, c, 1), side(a, c, 2)];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const outward = orientation(places, a, b, c);
    for (const corner of corners)
      for (let k = 0; k < 3; k++) normals[corner * 3 + k]! += outward * normal[k]!;
  }
  return Float32Array.from({ length: positions.length / 3 }, (_, i) => {
    if (i >= LANDMARK_COUNT) return BEHIND;
    const length = Math.hypot(normals[i * 3]!, normals[i * 3 + 1]!, normals[i * 3 + 2]!);
    return length > 0 ? Math.max(0, normals[i * 3 + 2]! / length) : 0;
  });
}

/** 1 or −1: the orientation of a triangle in the photograph, where all of them face the camera. */
function orientation(places: Float32Array, a: number, b: number, c: number): number {
  const [ax, ay] = [places[a * 2]!, places[a * 2 + 1]!];
  const across = (places[b * 2]! - ax) * (places[c * 2 + 1]! - ay);
  return Math.sign(across - (places[b * 2 + 1]! - ay) * (places[c * 2]! - ax));
}

/**
 * Adds light to a frame, in place: ln(red / blue) rises by `light`, or by the pixel's share of it.
 * @param shares from {@link drawShares}; null: the full light everywhere, as from a program that tints without regard
 * to shape
 */
export function shineOn({ rgb }: Picture, light: number, shares: Picture | null): void {
  const red = levelsUnder(Math.exp(light / 2));
  const blue = levelsUnder(Math.exp(-light / 2));
  for (let i = 0; i < rgb.length; i += 3) {
    const share = shares ? shares.rgb[i]! / FULL : 1;
    rgb[i] = clamped(rgb[i]! + share * red[rgb[i]!]!);
    rgb[i + 2] = clamped(rgb[i + 2]! + share * blue[rgb[i + 2]!]!);
  }
}

const clamped = (level: number) => Math.max(0, Math.min(255, Math.round(level)));

/** Change of each sRGB level under this gain of linear light. */
export function levelsUnder(gain: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => toByte(toLinear(byte) * gain) - byte);
}

const toLinear = (byte: number) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const toByte = (linear: number) =>
  255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);
