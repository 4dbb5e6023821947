// What the person says they cannot do, and what the next script leaves out for it.
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import { CANNOT, type Cannot, type Page } from './screens.ts';
import { stay, type Transition } from './transition.ts';

/** What the next script is asked to leave out; null: nothing. */
export function wayOf({ cannot, challenge }: Pick<Page, 'cannot' | 'challenge'>): AccessibleWay | null {
  const open = challenge?.accessible_ways ?? [];
  if (cannot.length === 0) return null;
  const alone = cannot[0] === 'turn' ? 'without_turns' : 'without_smile';
  return cannot.length === 1 && open.includes(alone) ? alone : 'passive';
}

/** Whether the client's other way comes first, because the person can do nothing that is asked. */
export function otherWayFirst({ cannot, challenge }: Pick<Page, 'cannot' | 'challenge'>): boolean {
  return cannot.length === CANNOT.length && challenge?.alternative_url != null;
}

/**
 * Ticks or unticks what the person cannot do. If the client does not allow both to be left out, the page says so. Then
 * the client's other way takes the place of a recording; if it names none, the last one ticked counts.
 */
export function saysCannot(page: Page, what: Cannot, on: boolean): Transition {
  const others = page.cannot.filter((other) => other !== what);
  const cannot = on ? [...others, what] : others;
  const open = page.challenge?.accessible_ways ?? [];
  if (open.length === 0) return stay(page);
  const neither = cannot.length === CANNOT.length && !open.includes('passive');
  const now = { ...page, cannot, neither };
  return stay(neither && !otherWayFirst(now) ? { ...now, cannot: [what] } : now);
}
