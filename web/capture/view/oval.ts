// The oval with the person in it: the camera's picture, the ring around it, and the countdown and ticks over it.
import { ovalOf } from '../guidance/oval.ts';
import { h, setText } from './dom.ts';
import { icon } from './icons.ts';
import { createRing } from './ring.ts';
import { createTargetMark, type TargetMark } from './target-mark.ts';

export interface Oval {
  readonly root: HTMLElement;
  readonly target: TargetMark;
  /** Fills the ring, 0–1. */
  fill(share: number): void;
  /** Shows the seconds until the recording; null: no countdown. */
  count(seconds: number | null): void;
  /** Shows for a moment that an answer was seen. */
  tick(): void;
  release(): void;
}

/** Creates the element that shows the camera's picture. */
export function createPreview(): HTMLVideoElement {
  // `playsinline` and `muted` as attributes: iOS reads them before any property is set.
  const video = h('video', { class: 'preview', playsinline: true, muted: true, autoplay: true });
  video.muted = true;
  return video;
}

/** Creates the oval around the camera's picture, with an empty ring. */
export function createOval(video: HTMLVideoElement): Oval {
  const ring = createRing();
  const count = h('div', { class: 'stage__count', 'aria-hidden': 'true' });
  const ticks = h('div', { class: 'stage__ticks', 'aria-hidden': 'true' });
  const mask = h('div', { class: 'oval__mask' }, video, count);
  const target = createTargetMark();
  const fitPicture = () => fitVideo(video);
  ring.set(0);
  video.addEventListener('loadedmetadata', fitPicture);
  video.addEventListener('resize', fitPicture);
  fitPicture();
  return {
    root: h('div', { class: 'oval' }, mask, ring.root, ticks, target.root),
    target,
    fill: ring.set,
    count: (seconds) => setText(count, seconds === null ? '' : String(seconds)),
    // A new element each time, because it lasts only as long as its animation.
    tick: () => ticks.replaceChildren(h('div', { class: 'stage__tick' }, icon('check'))),
    release: () => {
      video.removeEventListener('loadedmetadata', fitPicture);
      video.removeEventListener('resize', fitPicture);
    },
  };
}

/** Sizes the picture so that the oval on the screen shows exactly the oval that guidance measures against. */
function fitVideo(video: HTMLVideoElement): void {
  if (video.videoHeight === 0) return;
  const oval = ovalOf(video.videoWidth, video.videoHeight);
  video.style.height = `${((100 * video.videoHeight) / oval.height).toFixed(2)}%`;
}
