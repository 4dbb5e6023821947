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

/**
 * Ticks or unticks what the person cannot do. If the client does not allow both to be left out, the last one ticked
 * counts, and the page says so.
 */
export function saysCannot(page: Page, what: Cannot, on: boolean): Transition {
  const others = page.cannot.filter((other) => other !== what);
  const cannot = on ? [...others, what] : others;
  const open = page.challenge?.accessible_ways ?? [];
  if (open.length === 0) return stay(page);
  const neither = cannot.length === CANNOT.length && !open.includes('passive');
  return stay({ ...page, cannot: neither ? [what] : cannot, neither });
}
