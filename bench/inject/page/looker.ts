// The part of an actor in the real page that turns the head to the dot: which image shows a head that looks there. Sent
// there as text, before the actor, so it must be self-contained.
import type { PagePlan } from './plan.ts';

/** Turns to the dot and back. */
export interface Looker {
  /** The image to show; null if no dot is asked for and the head is back. `isAsked`: whether it turns to the dot. */
  next(isAsked: boolean): number | null;
}

/** Puts the looker into `globalThis.__looker`. */
export function lookerScript(plan: PagePlan): void {
  /** Share of the way that a head goes in one frame; a piece of footage begins where it is needed. */
  const pace = plan.jumps ? 1 : 0.25;
  /** A head nearer to the middle than this is back, in scaled degrees. */
  const BACK = 1.5;
  const looks = plan.film?.looks ?? [];
  const head = { x: 0, y: 0 };
  let dot = { x: 0, y: 0 };

  const next = (isAsked: boolean) => {
    const at = document.querySelector<HTMLElement>('.target:not([hidden]) .target__dot')?.dataset.at;
    const [x = 0, y = 0] = at?.split(' ').map(Number) ?? [];
    // The dot is gone with its prompt, the head only a reaction time later.
    if (at) dot = { x, y };
    const sway = isAsked ? Math.sin(performance.now() / 300) : 0;
    head.x += pace * ((isAsked ? dot.x : 0) + sway - head.x);
    head.y += pace * ((isAsked ? dot.y : 0) - head.y);
    if (looks.length === 0 || (!isAsked && Math.hypot(head.x, head.y) < BACK)) return null;
    const distance = (look: { x: number; y: number }) => Math.hypot(look.x - head.x, look.y - head.y);
    return looks.reduce((best, look) => (distance(look) < distance(best) ? look : best)).picture;
  };
  Object.assign(globalThis, { __looker: { next } satisfies Looker });
}
