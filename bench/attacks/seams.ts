// Covers the seams of footage that is spliced together.
import type { Picture } from './draw.ts';

export const SEAMS = ['none', 'fade', 'blur', 'black', 'freeze'] as const;
export type Seam = (typeof SEAMS)[number];

/**
 * Covers the seams of spliced footage. `pictures` is all of it, because a fade looks ahead.
 * @param cuts indices of the frames at which a new piece begins
 * @param seamFrames frames that each seam takes, around its cut
 */
export function* covering(
  pictures: readonly Picture[],
  cuts: readonly number[],
  seam: Seam,
  seamFrames: number,
): Generator<Picture> {
  const count = pictures.length;
  const plain = (i: number) => pictures[i]!;
  const from = Array.from({ length: count }, () => -1);
  for (const cut of seam === 'none' ? [] : cuts) {
    const first = Math.max(1, cut - Math.floor(seamFrames / 2));
    for (let k = first; k < Math.min(count, first + seamFrames); k++) from[k] = first;
  }
  for (let i = 0; i < count; i++) {
    const first = from[i]!;
    yield first < 0 ? plain(i) : covered(seam, plain, i, first, Math.min(count - 1, first + seamFrames));
  }
}

function covered(seam: Seam, plain: (i: number) => Picture, i: number, first: number, end: number): Picture {
  const picture = plain(i);
  switch (seam) {
    case 'black':
      return { ...picture, rgb: new Uint8Array(picture.rgb.length) };
    case 'freeze':
      return plain(first - 1);
    case 'blur':
      return blurred(picture);
    case 'fade':
      return mixed(plain(first - 1), plain(end), (i - first + 1) / (end - first + 1));
    case 'none':
      return picture;
  }
}

function mixed(a: Picture, b: Picture, share: number): Picture {
  const rgb = new Uint8Array(a.rgb.length);
  for (let i = 0; i < rgb.length; i++) rgb[i] = a.rgb[i]! + share * (b.rgb[i]! - a.rgb[i]!);
  return { ...a, rgb };
}

/** Blocks so large that no face remains. */
const BLOCK = 24;

function blurred({ width, height, rgb }: Picture): Picture {
  const out = new Uint8Array(rgb.length);
  for (let top = 0; top < height; top += BLOCK)
    for (let left = 0; left < width; left += BLOCK) fillBlock(rgb, out, width, height, left, top);
  return { width, height, rgb: out };
}

function fillBlock(
  rgb: Uint8Array,
  out: Uint8Array,
  width: number,
  height: number,
  left: number,
  top: number,
): void {
  const [right, bottom] = [Math.min(width, left + BLOCK), Math.min(height, top + BLOCK)];
  for (let channel = 0; channel < 3; channel++) {
    let sum = 0;
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) sum += rgb[(y * width + x) * 3 + channel]!;
    const mean = sum / ((right - left) * (bottom - top));
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) out[(y * width + x) * 3 + channel] = mean;
  }
}
