// One step of the page's state machine as a value, and the helpers that build it.
import type { Effect } from './effect.ts';
import type { Page, Screen } from './screens.ts';

export interface Transition {
  readonly page: Page;
  readonly effects: readonly Effect[];
}

/** Goes to another screen, with the given effects. */
export function to(page: Page, screen: Screen, ...effects: Effect[]): Transition {
  return { page: { ...page, screen }, effects };
}

/** Stays on the same screen, with no effects. */
export function stay(page: Page): Transition {
  return { page, effects: [] };
}

/**
 * Offers the person another try, with the reason; ends the check if no tries are left. The server is asked meanwhile,
 * because it may know a better reason: nobody is to prepare for a try of a check that was cancelled.
 */
export function again(page: Page, reason: string): Transition {
  const triesLeft = page.challenge?.tries_left ?? null;
  const told: Page = reason === 'too_slow' ? { ...page, stuck: 'warned' } : page;
  const screen: Screen =
    triesLeft === 0 ? { name: 'no_tries', reason } : { name: 'retry', reason, triesLeft };
  return to(told, screen, { do: 'ask_whether_over' });
}

/** The page with the number of tries left. */
export function withTries(page: Page, triesLeft: number): Page {
  return page.challenge ? { ...page, challenge: { ...page.challenge, tries_left: triesLeft } } : page;
}
