// The mark to follow, and the dot that shows where the head points: over the oval, mirrored like the picture.
import { type Path, pathAt } from '../../../src/contract/path.ts';
import { h } from './dom.ts';

export interface PathMark {
  readonly root: HTMLElement;
  /** Moves the mark along the path from now on. `mirrored`: the picture is mirrored, and so is the path. */
  follow(path: Path, mirrored: boolean): void;
  /** Shows where the head points, on the path's scale; null if unknown. */
  point(at: { readonly x: number; readonly y: number } | null): void;
  /** Removes the mark. */
  end(): void;
}

/**
 * Distance from the oval's centre to a path's rim, in percent of the oval's width and height: within the face's
 * outline.
 */
const REACH = { x: 34, y: 30 } as const;

/** Creates a hidden mark. */
export function createPathMark(): PathMark {
  const mark = h('div', { class: 'path__mark' });
  const nose = h('div', { class: 'path__nose', hidden: true });
  const root = h('div', { class: 'path', hidden: true, 'aria-hidden': 'true' }, nose, mark);
  let frame = 0;
  let side = 1;
  const place = (element: HTMLElement, x: number, y: number) => {
    // The person's own left is the left of a mirror.
    element.style.left = `${(50 - (side * x * REACH.x) / 100).toFixed(2)}%`;
    element.style.top = `${(50 - (y * REACH.y) / 100).toFixed(2)}%`;
  };
  const end = () => {
    cancelAnimationFrame(frame);
    root.hidden = true;
    nose.hidden = true;
  };
  return {
    root,
    end,
    follow: (path, mirrored) => {
      end();
      side = mirrored ? 1 : -1;
      const fromMs = performance.now();
      const move = () => {
        const { x, y } = pathAt(path, performance.now() - fromMs);
        place(mark, x, y);
        // For tests that observe the page from outside; nothing here reads it.
        mark.dataset.at = `${x.toFixed(1)} ${y.toFixed(1)}`;
        frame = requestAnimationFrame(move);
      };
      move();
      root.hidden = false;
    },
    point: (at) => {
      nose.hidden = at === null;
      if (at) place(nose, at.x, at.y);
    },
  };
}
