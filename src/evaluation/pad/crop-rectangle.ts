// Stretches an upright rectangle of a frame to the square input of a PAD network: some networks were trained on the
// face's box as it is, not on a square around it.
import type { Frame } from '../video/frame.ts';

/** Continuous coordinates of the frame. */
interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Samples per side for one pixel of the crop: enough to avoid aliasing when a large face shrinks to a small input. */
const [MIN_SAMPLES, MAX_SAMPLES] = [2, 6];

/**
 * Fills `out` with the rectangle, planar RGB 0–255 (3 · size²), each pixel the mean of its samples. The rectangle must
 * lie inside the frame.
 */
export function cropRectangle(frame: Frame, rectangle: Rectangle, size: number, out: Float32Array): void {
  const { width, rgb } = frame;
  const [stepX, stepY] = [rectangle.width / size, rectangle.height / size];
  const [across, down] = [samplesFor(stepX), samplesFor(stepY)];
  const plane = size * size;
  const share = 1 / (across * down);
  for (let row = 0, to = 0; row < size; row++)
    for (let column = 0; column < size; column++, to++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let j = 0; j < down; j++) {
        const y = Math.min(frame.height - 1, (rectangle.top + (row + (j + 0.5) / down) * stepY) | 0);
        for (let i = 0; i < across; i++) {
          const x = Math.min(width - 1, (rectangle.left + (column + (i + 0.5) / across) * stepX) | 0);
          const at = (y * width + x) * 3;
          red += rgb[at]!;
          green += rgb[at + 1]!;
          blue += rgb[at + 2]!;
        }
      }
      out[to] = red * share;
      out[to + plane] = green * share;
      out[to + 2 * plane] = blue * share;
    }
}

function samplesFor(step: number): number {
  return Math.max(MIN_SAMPLES, Math.min(MAX_SAMPLES, Math.round(step)));
}

/**
 * The box, enlarged `scale` times about its centre with its aspect ratio kept, shrunk to fit the frame, then moved into
 * it, as in the training of such networks.
 */
export function boxInside(
  { width, height }: Pick<Frame, 'width' | 'height'>,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  scale: number,
): Rectangle {
  const fitting = Math.min(scale, width / box.width, height / box.height);
  const size = { width: box.width * fitting, height: box.height * fitting };
  const inside = (from: number, extent: number, whole: number) => Math.max(0, Math.min(whole - extent, from));
  return {
    left: inside(box.x + (box.width - size.width) / 2, size.width, width),
    top: inside(box.y + (box.height - size.height) / 2, size.height, height),
    ...size,
  };
}
