// The dot to which the nose is brought, the pointer that moves with the nose, and the piece of the ring that fills
// while it is held there: over the oval, mirrored like the picture.
import {
  AMOUNTS,
  type Direction,
  dotOf,
  type Target,
  TOLERANCE_DEG,
  turnOf,
} from '../../../src/contract/target.ts';
import type { Aim } from '../guidance/aim.ts';
import { h, s } from './dom.ts';
import { RING } from './ring.ts';

export interface TargetMark {
  readonly root: HTMLElement;
  /** Shows a dot. `mirrored`: the picture is mirrored, and so is what lies over it. */
  show(target: Target, mirrored: boolean): void;
  /** Shows where the nose points, and how much of the hold is over; null: unknown. */
  aim(aim: Aim | null): void;
  /** Removes the dot. */
  end(): void;
}

/** Distance of a far dot from the oval's centre, over the oval's width: beside the face, on the ring at its narrowest. */
const FAR = 0.46;
/** Part of the oval's width for each scaled degree: pointer and dot meet when the head has turned as far as asked. */
const SHARE_OF_DEGREE = FAR / AMOUNTS.far.dot;
/** The pointer goes no further out than this, in scaled degrees. */
const EDGE = 24;
/** Height of the oval over its width. */
const TALL = 4 / 3;

/** Creates a hidden mark. */
export function createTargetMark(): TargetMark {
  const dot = h('div', { class: 'target__dot' });
  const nose = h('div', { class: 'target__nose' });
  const track = s('path', { class: 'target__track' });
  const value = s('path', { class: 'target__value', pathLength: 100 });
  const arc = s('svg', { viewBox: RING.viewBox, class: 'ring', focusable: 'false' }, track, value);
  const root = h('div', { class: 'target', hidden: true, 'aria-hidden': 'true' }, arc, dot, nose);
  // The person's own left is the left of a mirror.
  let side = -1;
  const place = (element: HTMLElement, { x, y }: Direction) => {
    element.style.left = `${(50 + 100 * side * x * SHARE_OF_DEGREE).toFixed(2)}%`;
    element.style.top = `${(50 - (100 * y * SHARE_OF_DEGREE) / TALL).toFixed(2)}%`;
  };
  const fill = (share: number) => {
    // From the middle of the piece to both of its ends.
    value.setAttribute('stroke-dasharray', `0 ${50 - 50 * share} ${100 * share} 100`);
    value.toggleAttribute('data-empty', share === 0);
  };
  return {
    root,
    end: () => {
      root.hidden = true;
    },
    show: (target, mirrored) => {
      side = mirrored ? -1 : 1;
      const at = dotOf(target);
      place(dot, at);
      // For tests that observe the page from outside; nothing here reads it.
      dot.dataset.at = `${at.x.toFixed(1)} ${at.y.toFixed(1)}`;
      const piece = pieceAt({ x: side * at.x, y: at.y });
      track.setAttribute('d', piece);
      value.setAttribute('d', piece);
      root.hidden = false;
    },
    aim: (aim) => {
      nose.hidden = !aim?.at;
      if (aim?.at) place(nose, withinEdge(aim.at));
      fill(aim?.held ?? 0);
    },
  };
}

function withinEdge(at: Direction): Direction {
  const share = Math.min(1, EDGE / Math.max(1, turnOf(at)));
  return { x: share * at.x, y: share * at.y };
}

/** The piece of the ring towards which a direction on the screen is an answer. */
function pieceAt({ x, y }: Direction): string {
  const { centre, radius } = RING;
  const end = (turnDeg: number) => {
    const angle = Math.atan2(y, x) + (turnDeg * Math.PI) / 180;
    const [dx, dy] = [Math.cos(angle), -Math.sin(angle)];
    const far = 1 / Math.hypot(dx / radius.x, dy / radius.y);
    return `${(centre.x + far * dx).toFixed(1)} ${(centre.y + far * dy).toFixed(1)}`;
  };
  return `M${end(TOLERANCE_DEG)}A${radius.x} ${radius.y} 0 0 1 ${end(-TOLERANCE_DEG)}`;
}
