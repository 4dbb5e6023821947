// What colours an attacker's picture in the real page by the light that the page shows. Sent there as text, before the camera: it
// stands alone.
import type { CameraPlan } from './plan.ts';

/** Colours pictures. */
export interface Tinter {
  /** Takes in what is needed to begin. */
  load(): Promise<void>;
  /** Colours what is drawn; `place` draws a square picture where the actor's are. */
  colour(pen: CanvasRenderingContext2D, position: number, place: (coat: HTMLCanvasElement) => void): void;
}

/** Puts the tinter into `globalThis.__tinter`; it does nothing where the plan has no tint. */
export function tintScript({ tint }: CameraPlan): void {
  const SIDE = 480;
  /** sRGB's levels go with linear light to the power of 1 / 2.2 nearly. */
  const GAMMA = 2.2;
  const shares: HTMLCanvasElement[] = [];
  const square = () => Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE });
  const penOf = (canvas: HTMLCanvasElement) => canvas.getContext('2d', { willReadFrequently: true })!;
  let coat: HTMLCanvasElement | null = null;

  /** The light of the page's surround: −1 cool, 1 warm, 0 where it is neither. */
  const lightOfPage = (): number => {
    const lit = document.querySelector<HTMLElement>('.surround')?.style.backgroundColor ?? '';
    const [red = 0, , blue = 0] = lit.match(/[0-9]+/g)?.map(Number) ?? [];
    return Math.abs(red - blue) < 8 ? 0 : Math.sign(red - blue);
  };
  /** What each channel is multiplied by: ln(red / blue) of the light then changes by the swing. */
  const colourOf = (swing: number, light: number): string => {
    const level = (direction: number) => 255 * Math.exp((swing * (direction * light - 1)) / 2 / GAMMA);
    return `rgb(${level(1)}, ${level(0)}, ${level(-1)})`;
  };
  /** A grey picture as one whose opacity is its grey. */
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
    coat ??= square();
    const coatPen = penOf(coat);
    coatPen.clearRect(0, 0, SIDE, SIDE);
    coatPen.globalCompositeOperation = 'source-over';
    const share = shares[position];
    if (share) {
      coatPen.drawImage(share, 0, 0);
      coatPen.globalCompositeOperation = 'source-in';
    }
    coatPen.fillStyle = colourOf(tint.swing, lightOfPage());
    coatPen.fillRect(0, 0, SIDE, SIDE);
    pen.globalCompositeOperation = 'multiply';
    if (share) place(coat);
    else pen.drawImage(coat, 0, 0, pen.canvas.width, pen.canvas.height);
    pen.globalCompositeOperation = 'source-over';
  };
  Object.assign(globalThis, { __tinter: { load, colour } satisfies Tinter });
}
