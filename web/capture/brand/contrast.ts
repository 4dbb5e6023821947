// Finds readable colours, whatever colours a client gave. Pure: hex strings in, hex strings out. Contrast per WCAG 2.2
// (relative luminance, 1.4.3 and 1.4.11). The hue is kept by changing only the lightness in OKLCH.
import { contrastOf, luminance, toLinear } from '../../../src/contract/luminance.ts';

/** Minimum for text (1.4.3, level AA). */
export const TEXT_CONTRAST = 4.5;
/** Minimum for outlines, icons and controls (1.4.11). */
export const CONTROL_CONTRAST = 3;

type Triple = readonly [number, number, number];

/** `#rgb` or `#rrggbb` to sRGB bytes; null when it is neither. */
export function parseHex(hex: string): Triple | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(hex);
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  const digits = long?.slice(1) ?? short?.slice(1).map((digit) => digit + digit);
  if (!digits) return null;
  const [red, green, blue] = digits.map((pair) => Number.parseInt(pair, 16));
  return [red!, green!, blue!];
}

/** sRGB bytes to `#rrggbb`; values are rounded and clamped. */
export function toHex(rgb: Triple): string {
  return `#${rgb
    .map((value) =>
      Math.round(Math.min(255, Math.max(0, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Contrast ratio of two colours, 1–21. */
export function contrast(one: string, other: string): number {
  return contrastOf(luminance(rgbOf(one)), luminance(rgbOf(other)));
}

/**
 * The colour closest in lightness to `colour` with at least `minimum` contrast on each background; `colour` itself if
 * it has that. If no shade does, black or white, which is enough for a minimum ≤ 4.5 on any single background, or on
 * several that are all light or all dark.
 */
export function readable(colour: string, backgrounds: readonly string[], minimum: number): string {
  const fits = (candidate: string) => backgrounds.every((each) => contrast(candidate, each) >= minimum);
  if (fits(colour)) return toHex(rgbOf(colour));
  const [lightness, a, b] = toOklab(rgbOf(colour));
  const steps = 200;
  for (let step = 1; step <= steps; step += 1) {
    for (const moved of [lightness - step / steps, lightness + step / steps]) {
      if (moved < 0 || moved > 1) continue;
      const candidate = toHex(fromOklab(moved, a, b));
      if (fits(candidate)) return candidate;
    }
  }
  return fits('#000000') ? '#000000' : '#ffffff';
}

/** White if it has 4.5:1 on the colour, else black or white, whichever contrasts more. At least 4.5 on every colour. */
export function onColour(background: string): string {
  const dark = '#000000';
  const light = '#ffffff';
  return contrast(light, background) >= TEXT_CONTRAST ||
    contrast(light, background) >= contrast(dark, background)
    ? light
    : dark;
}

/** Whether a colour is so grey that changing its lightness preserves nothing of the brand. */
export function isGrey(colour: string): boolean {
  const [, a, b] = toOklab(rgbOf(colour));
  return Math.hypot(a, b) < 0.03;
}

/** A mix of two colours, `share` (0–1) of the first. */
export function mix(first: string, second: string, share: number): string {
  const one = rgbOf(first);
  const two = rgbOf(second);
  return toHex([
    one[0] * share + two[0] * (1 - share),
    one[1] * share + two[1] * (1 - share),
    one[2] * share + two[2] * (1 - share),
  ]);
}

function rgbOf(hex: string): Triple {
  return parseHex(hex) ?? [0, 0, 0];
}

function toByte(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
}

/** Björn Ottosson, "A perceptual color space for image processing" (2020). */
function toOklab(rgb: Triple): Triple {
  const [r, g, b] = [toLinear(rgb[0]), toLinear(rgb[1]), toLinear(rgb[2])];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab(lightness: number, a: number, b: number): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
