// One step of the page's state machine as a value, and how the rooms of it are put together.
import type { Effect, Page, Screen } from './screens.ts';

export interface Transition {
  readonly page: Page;
  readonly effects: readonly Effect[];
}

/** To another screen, with what is to be done. */
export function to(page: Page, screen: Screen, ...effects: Effect[]): Transition {
  return { page: { ...page, screen }, effects };
}

/** On the same screen, and nothing is to be done. */
export function stay(page: Page): Transition {
  return { page, effects: [] };
}

/** Back to the person for another try, with the reason; or to the end, where none is left. */
export function again(page: Page, reason: string): Transition {
  const triesLeft = page.challenge?.tries_left ?? null;
  const told: Page = reason === 'too_slow' ? { ...page, stuck: 'warned' } : page;
  return to(told, triesLeft === 0 ? { name: 'no_tries', reason } : { name: 'retry', reason, triesLeft });
}

/** The page, knowing how many tries are left. */
export function withTries(page: Page, triesLeft: number): Page {
  return page.challenge ? { ...page, challenge: { ...page.challenge, tries_left: triesLeft } } : page;
}
