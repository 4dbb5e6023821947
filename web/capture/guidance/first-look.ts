// What the page says of the picture before the detector has come, and where it never comes: its light, from some hundred pixels.
import { type LightHint, lightHint } from './luma.ts';

/** Enough to know light from dark, and no work for any device. */
const SIZE = { width: 32, height: 24 } as const;
/** Cameras begin dark and find their exposure: what is wrong with the light is said when it has lasted for a look. */
const INTERVAL_MS = 300;

/**
 * Tells the light of what the video shows, at once and with each change.
 * @param signal ends it
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
