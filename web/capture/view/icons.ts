// The page's icons: line drawings on a 24 px grid, and the faces of the prompts on a 48 px grid.
import type { Asked } from '../../../src/contract/script.ts';
import { dotOf } from '../../../src/contract/target.ts';
import { s } from './dom.ts';

const LINES = {
  camera: [
    'M4 8.5A2.5 2.5 0 0 1 6.5 6h1.2l1.1-1.6h6.4L16.3 6h1.2A2.5 2.5 0 0 1 20 8.500v8a2.5 2.5 0 0 1-2.5 2.500h-11A2.5 2.5 0 0 1 4 16.500z',
    'M12 15.600a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.600z',
  ],
  camera_off: [
    'M9.2 4.400h6L16.3 6h1.200A2.5 2.5 0 0 1 20 8.500v7.6',
    'M17.5 19h-11A2.5 2.5 0 0 1 4 16.500v-8A2.5 2.5 0 0 1 6.4 6',
    'M10 10a3.3 3.3 0 0 0 4.5 4.7',
    'M4 4l16 16',
  ],
  clock: ['M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z', 'M12 7.500v4.800l3.2 1.9'],
  check: ['M5 12.800l4.5 4.400L19 7.5'],
  link_off: [
    'M9.5 14.500l5-5',
    'M11 7.600l1.7-1.700a3.9 3.9 0 0 1 5.5 5.500L16.5 13',
    'M13 16.400l-1.7 1.700a3.9 3.9 0 0 1-5.5-5.500L7.5 11',
  ],
  lock: [
    'M6.5 11h11a1.5 1.5 0 0 1 1.5 1.500v6a1.5 1.5 0 0 1-1.5 1.500h-11A1.5 1.5 0 0 1 5 18.500v-6A1.5 1.5 0 0 1 6.5 11z',
    'M8.3 11V8.200a3.7 3.7 0 0 1 7.4 0V11',
  ],
  offline: [
    'M2.5 9a13.5 13.5 0 0 1 19 0',
    'M5.6 12.3a9 9 0 0 1 12.8 0',
    'M8.8 15.6a4.5 4.5 0 0 1 6.4 0',
    'M12 18.9h.01',
    'M5 3.5l14 17',
  ],
  again: ['M19.5 12a7.5 7.5 0 1 1-2.2-5.300L19.5 9', 'M19.5 4.500V9H15'],
  devices: ['M3.5 5.500h12v8.500h-12z', 'M6.5 18h6', 'M9.5 14v4', 'M17 9.500h4v9.500h-4z'],
  alert: ['M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z', 'M12 7.800v5', 'M12 16.200h.01'],
  hand: [
    'M8 12.500V6.200a1.4 1.4 0 0 1 2.8 0v4.6-6.200a1.4 1.4 0 0 1 2.8 0v6.2-5a1.4 1.4 0 0 1 2.8 0v7.400c0 4-2.3 6.8-5.9 6.8-2.5 0-4-1.1-5.4-3.500l-2-3.600a1.3 1.3 0 0 1 2.2-1.400z',
  ],
  browser: [
    'M4.5 5h15A1.5 1.5 0 0 1 21 6.500v11a1.5 1.5 0 0 1-1.5 1.500h-15A1.5 1.5 0 0 1 3 17.500v-11A1.5 1.5 0 0 1 4.5 5z',
    'M3 9.300h18',
    'M9.5 12.300l5 4',
    'M14.5 12.300l-5 4',
  ],
  face: [
    'M12 20.500c3.6 0 6-3.7 6-8.600s-2.4-8.4-6-8.4-6 3.5-6 8.4 2.4 8.6 6 8.600z',
    // No smile: it is shown just before the prompt for a face at rest, and people imitate it.
    'M9.8 15.200h4.4',
    'M9.6 10h.01',
    'M14.4 10h.01',
  ],
  features: ['M8.8 8.6v1.4', 'M15.2 8.6v1.4', 'M8.4 14.6c1.9 2.5 5.3 2.5 7.2 0'],
  list: ['M9 7h10', 'M9 12h10', 'M9 17h10', 'M5 7h.01', 'M5 12h.01', 'M5 17h.01'],
  shield: ['M12 3.500l7 2.600v5.400c0 4.3-2.9 7.4-7 9-4.1-1.6-7-4.7-7-9V6.100z', 'M9 11.900l2.2 2.2 4-4.2'],
  voice: [
    'M4.5 9.500h3L12 5.500v13l-4.500-4h-3z',
    'M15.5 9.300a4 4 0 0 1 0 5.400',
    'M18 6.800a7.5 7.5 0 0 1 0 10.400',
  ],
  phone: [
    'M8.5 3.500h7A1.5 1.5 0 0 1 17 5v14a1.5 1.5 0 0 1-1.5 1.500h-7A1.5 1.5 0 0 1 7 19V5a1.5 1.5 0 0 1 1.5-1.500z',
    'M11 17.800h2',
  ],
  cross: ['M6.5 6.500l11 11', 'M17.5 6.500l-11 11'],
} as const;

export type IconName = keyof typeof LINES;

/** A decorative icon; its meaning is always given in words beside it. */
export function icon(name: IconName): SVGSVGElement {
  return s(
    'svg',
    { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false' },
    ...LINES[name].map((d) => s('path', { d })),
  );
}

/** How far the picture's face moves to the side to which it turns, for each scaled degree. */
const SHIFT = 0.3;
/** Distances of an arrow's tip from the middle of the face. */
const TIP = { x: 32, y: 36 } as const;
/** Pictures with an arrow need room for it on all sides. */
const VIEW_BOXES = { plain: '-8 0 64 48', arrow: '-11 -15 70 78' } as const;

/** The face that shows what a prompt asks for. Left and right are the person's own, seen as in a mirror. */
export function promptFace(asked: Asked, mirrored: boolean): SVGSVGElement {
  const dot = asked.prompt === 'target' ? dotOf(asked) : null;
  const to = { x: (mirrored ? -1 : 1) * (dot?.x ?? 0), y: -(dot?.y ?? 0) };
  const [x, y] = [24 + SHIFT * to.x, 24 + SHIFT * to.y];
  const smiles = asked.prompt === 'smile';
  const mouth = smiles ? `M${x - 8.5} ${y + 4.5}q8.5 9.5 17 0z` : `M${x - 5} ${y + 7.5}h10`;
  return s(
    'svg',
    {
      viewBox: dot ? VIEW_BOXES.arrow : VIEW_BOXES.plain,
      class: 'prompt-face',
      'aria-hidden': 'true',
      focusable: 'false',
    },
    s('ellipse', { cx: 24, cy: 24, rx: 16.5, ry: 21, class: 'prompt-face__head' }),
    s('path', { d: `M${x - 6.5} ${y - 5}v2.5M${x + 6.5} ${y - 5}v2.5`, class: 'prompt-face__line' }),
    s('path', { d: mouth, class: smiles ? 'prompt-face__smile' : 'prompt-face__line' }),
    dot && arrowTo(Math.atan2(to.y, to.x)),
  );
}

/** An arrow beside the face. In a group of its own, because its movement would replace the place that it is given. */
function arrowTo(angle: number): SVGGElement {
  const [x, y] = [24 + TIP.x * Math.cos(angle), 24 + TIP.y * Math.sin(angle)];
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${((angle * 180) / Math.PI).toFixed(0)})`;
  return s('g', { transform }, s('path', { d: 'M-10 0H0M-5 -5L0 0L-5 5', class: 'prompt-face__arrow' }));
}
