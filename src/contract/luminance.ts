// Brightness and contrast as WCAG 2.2 defines them.

/** Relative luminance of an sRGB colour of bytes, 0 (black) to 1 (white). */
export function luminance([red, green, blue]: readonly [number, number, number]): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** Contrast ratio of two luminances, 1–21. */
export function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** A byte of sRGB as a share of linear light. */
export function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
