// What the page says about the picture before the detector is loaded, or if it never is: the light, from some hundred
// pixels.
import { type LightHint, lightHint } from './luma.ts';

/** Enough to tell light from dark, and no load for any device. */
const SIZE = { width: 32, height: 24 } as const;
/**
 * Cameras start dark and then adjust their exposure, so a problem with the light is reported only once it has lasted
 * for two looks.
 */
const INTERVAL_MS = 300;

/**
 * Reports the light in the video, at once and on every change.
 * @param signal stops the reports
 */
export function watchLight(
  video: HTMLVideoElement,
  told: (hint: LightHint) => void,
  signal: AbortSignal,
): void {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, SIZE);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || signal.aborted) return;
  let shown: LightHint | null = null;
  let before: LightHint = 'place';
  const look = () => {
    if (video.videoWidth === 0) return;
    context.drawImage(video, 0, 0, SIZE.width, SIZE.height);
    const seen = lightHint(context.getImageData(0, 0, SIZE.width, SIZE.height));
    const next = seen === before ? seen : 'place';
    before = seen;
    if (next === shown) return;
    shown = next;
    told(next);
  };
  look();
  const timer = setInterval(look, INTERVAL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}
