// The oval line that fills: around the camera's picture while recording, around the face during upload and judgement.
import { s } from './dom.ts';

/** Where the line runs. */
export const RING = {
  viewBox: '0 0 300 400',
  centre: { x: 150, y: 200 },
  radius: { x: 144, y: 194 },
} as const;
const PATH = 'M150 6A144 194 0 0 1 150 394A144 194 0 0 1 150 6';

export interface Ring {
  readonly root: SVGSVGElement;
  /** Share of the ring that is filled, 0–1. */
  set(share: number): void;
}

/** An empty ring of aspect 3:4 that fills its parent. */
export function createRing(): Ring {
  const value = s('path', { d: PATH, class: 'ring__value', pathLength: 100, 'stroke-dasharray': '0 100' });
  const root = s(
    'svg',
    { viewBox: RING.viewBox, class: 'ring', 'aria-hidden': 'true', focusable: 'false' },
    s('path', { d: PATH, class: 'ring__track' }),
    value,
  );
  return {
    root,
    set: (share) => {
      const filled = Math.min(1, Math.max(0, share)) * 100;
      value.setAttribute('stroke-dasharray', `${filled.toFixed(2)} 100`);
      value.toggleAttribute('data-empty', filled === 0);
    },
  };
}
