// The part of an actor in the real page that follows the mark of a path: where a head would point, and which image
// shows that. Sent there as text, before the actor, so it must be self-contained.
import type { CameraPlan } from './plan.ts';

/** Follows the mark with a reaction time's delay. */
export interface Looker {
  /** The image to show, and whether it continues the previous one; null if there is no mark and the head is back. */
  next(): { picture: number; continues: boolean } | null;
}

/** Puts the looker into `globalThis.__looker`. */
export function lookerScript(plan: CameraPlan): void {
  /** How much nearer another piece must be, in percent of the path's reach, before cutting to it. */
  const FAR = 60;
  const looks = plan.film?.looks ?? [];
  // Where the mark was one reaction time ago, followed smoothly, as a head does.
  const marks: { atMs: number; x: number; y: number }[] = [];
  const head = { x: 0, y: 0 };
  let look: number | null = null;

  const isLooking = (): boolean => {
    const mark = document.querySelector<HTMLElement>('.path:not([hidden]) .path__mark');
    const now = performance.now();
    const [x = 0, y = 0] = mark?.dataset.at?.split(' ').map(Number) ?? [];
    if (mark) marks.push({ atMs: now, x, y });
    const isNew = ({ atMs }: { atMs: number }) => now - atMs < (plan.reactionMs ?? 0);
    while (marks.length > 1 && !isNew(marks[1]!)) marks.shift();
    const seen = mark || marks.some(isNew) ? marks[0] : undefined;
    if (!seen) marks.length = 0;
    const goal = seen ?? { x: 0, y: 0 };
    head.x += (goal.x - head.x) / 3;
    head.y += (goal.y - head.y) / 3;
    return seen !== undefined || Math.hypot(head.x, head.y) > 4;
  };
  const distance = (i: number) => Math.hypot(looks[i]!.x - head.x, looks[i]!.y - head.y);
  const next = () => {
    if (looks.length === 0 || !isLooking()) {
      look = null;
      return null;
    }
    const nearest = looks.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
    const following = look === null ? undefined : looks[look + 1];
    const isPiece = following?.piece !== undefined && following.piece === looks[look!]!.piece;
    const continues = isPiece && distance(look! + 1) < distance(nearest) + FAR;
    look = continues ? look! + 1 : nearest;
    return { picture: looks[look]!.picture, continues };
  };
  Object.assign(globalThis, { __looker: { next } satisfies Looker });
}
