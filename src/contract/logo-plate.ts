// What a client's logo needs behind it to be seen, measured on its pixels: by the page, which draws it, and by the
// server, which warns the client.
import { contrastOf, luminance } from './luminance.ts';

/** Side of the square that a logo is scaled into to be measured, in pixels. */
export const MEASURED_SIDE_PX = 48;
/** Below this contrast to its plate a logo is not shown. Chosen, not measured: white on the page's own grey has 1.1. */
export const LEAST_LOGO_CONTRAST = 1.5;

type Colour = readonly [number, number, number];

/** The plates, as the page draws them: its surface in light and in dark mode. */
const PLATES = { light: [0xff, 0xff, 0xff], dark: [0x14, 0x18, 0x1f] } as const satisfies Record<
  string,
  Colour
>;
type Plate = keyof typeof PLATES;
const OPAQUE = 250;

/** `none`: the logo has a ground of its own. */
export interface LogoPlate {
  readonly plate: Plate | 'none';
  readonly contrast: number;
}

/**
 * Chooses the plate by the logo's own luminance: a dark one for a light logo, a light one for any other.
 * @param rgba four bytes a pixel, row by row, transparency not multiplied in
 */
export function plateOf(rgba: ArrayLike<number>, width: number, height: number): LogoPlate {
  const all = Array.from({ length: width * height }, (_, index) => pixelAt(rgba, 4 * index));
  const edge = all.filter((_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    return x === 0 || y === 0 || x === width - 1 || y === height - 1;
  });
  return edge.every(({ share }) => share * 255 >= OPAQUE) ? plateOfPicture(all, edge) : plateOfDrawing(all);
}

interface Pixel {
  readonly colour: Colour;
  /** Opacity, 0–1. */
  readonly share: number;
}

const pixelAt = (rgba: ArrayLike<number>, at: number): Pixel => ({
  colour: [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!],
  share: rgba[at + 3]! / 255,
});

/** A logo with a ground of its own: it is seen if something on it is, or its ground stands out from the page. */
function plateOfPicture(all: readonly Pixel[], edge: readonly Pixel[]): LogoPlate {
  const lights = all.map(({ colour }) => luminance(colour));
  const inside = contrastOf(Math.max(...lights), Math.min(...lights));
  const ground = edge.reduce((sum, { colour }) => sum + luminance(colour), 0) / edge.length;
  const around = Object.values(PLATES).map((plate) => contrastOf(ground, luminance(plate)));
  return { plate: 'none', contrast: Math.max(inside, Math.min(...around)) };
}

/** A logo that is cut out of its ground. What is faint shows the plate through, and so has less contrast to it. */
function plateOfDrawing(pixels: readonly Pixel[]): LogoPlate {
  const total = pixels.reduce((sum, { share }) => sum + share, 0);
  if (total === 0) return { plate: 'light', contrast: 1 };
  const mean = (lightOf: (pixel: Pixel) => number) =>
    pixels.reduce((sum, pixel) => sum + pixel.share * lightOf(pixel), 0) / total;
  const to = (light: number, plate: Plate) => contrastOf(light, luminance(PLATES[plate]));
  const ink = mean(({ colour }) => luminance(colour));
  const plate = to(ink, 'light') >= to(ink, 'dark') ? 'light' : 'dark';
  return {
    plate,
    contrast: to(
      mean((pixel) => luminance(mixed(pixel, PLATES[plate]))),
      plate,
    ),
  };
}

function mixed({ colour, share }: Pixel, under: Colour): Colour {
  const [red, green, blue] = under.map((byte, channel) => colour[channel]! * share + byte * (1 - share));
  return [red!, green!, blue!];
}
