// Tints an attacker's picture in the real page with the light that the page shows. Sent there as text, before the
// camera, so it must be self-contained.
import type { CameraPlan } from './plan.ts';

/** Tints frames. */
export interface Tinter {
  /** Loads what it needs before the first frame. */
  load(): Promise<void>;
  /** Tints what has been drawn; `place` draws a square image where the actor's are. */
  colour(pen: CanvasRenderingContext2D, position: number, place: (layer: HTMLCanvasElement) => void): void;
}

/** Puts the tinter into `globalThis.__tinter`; without a tint in the plan it does nothing. */
export function tintScript({ tint }: CameraPlan): void {
  const SIDE = 480;
  /** sRGB levels are roughly linear light to the power of 1 / 2.2. */
  const GAMMA = 2.2;
  const shares: HTMLCanvasElement[] = [];
  const square = () => Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE });
  const penOf = (canvas: HTMLCanvasElement) => canvas.getContext('2d', { willReadFrequently: true })!;
  let layer: HTMLCanvasElement | null = null;

  /** The light of the page's surround: −1 cool, 1 warm, 0 neither. */
  const lightOfPage = (): number => {
    const lit = document.querySelector<HTMLElement>('.surround')?.style.backgroundColor ?? '';
    const [red = 0, , blue = 0] = lit.match(/[0-9]+/g)?.map(Number) ?? [];
    return Math.abs(red - blue) < 8 ? 0 : Math.sign(red - blue);
  };
  /** The factor for each channel, so that ln(red / blue) of the light changes by the swing. */
  const colourOf = (swing: number, light: number): string => {
    const level = (direction: number) => 255 * Math.exp((swing * (direction * light - 1)) / 2 / GAMMA);
    return `rgb(${level(1)}, ${level(0)}, ${level(-1)})`;
  };
  /** Turns a grey image into one whose opacity is its grey level. */
  const asOpacity = async (base64: string): Promise<HTMLCanvasElement> => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const canvas = square();
    const pen = penOf(canvas);
    pen.drawImage(await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })), 0, 0, SIDE, SIDE);
    const pixels = pen.getImageData(0, 0, SIDE, SIDE);
    for (let i = 0; i < pixels.data.length; i += 4) pixels.data[i + 3] = pixels.data[i]!;
    pen.putImageData(pixels, 0, 0);
    return canvas;
  };
  const load = async () => {
    for (const share of tint?.shares ?? []) shares.push(await asOpacity(share));
  };
  const colour: Tinter['colour'] = (pen, position, place) => {
    if (!tint) return;
    layer ??= square();
    const layerPen = penOf(layer);
    layerPen.clearRect(0, 0, SIDE, SIDE);
    layerPen.globalCompositeOperation = 'source-over';
    const share = shares[position];
    if (share) {
      layerPen.drawImage(share, 0, 0);
      layerPen.globalCompositeOperation = 'source-in';
    }
    layerPen.fillStyle = colourOf(tint.swing, lightOfPage());
    layerPen.fillRect(0, 0, SIDE, SIDE);
    pen.globalCompositeOperation = 'multiply';
    if (share) place(layer);
    else pen.drawImage(layer, 0, 0, pen.canvas.width, pen.canvas.height);
    pen.globalCompositeOperation = 'source-over';
  };
  Object.assign(globalThis, { __tinter: { load, colour } satisfies Tinter });
}
