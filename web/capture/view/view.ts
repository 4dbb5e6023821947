// What a screen is made of, and what it may use.
import type { Page, PageEvent } from '../flow/screens.ts';
import type { Texts } from '../texts/texts.ts';

export interface ViewContext {
  readonly texts: Texts;
  readonly video: HTMLVideoElement;
  dispatch(event: PageEvent): void;
  /** Says something through the live region; assertive for what must be done at once. */
  announce(text: string, urgency?: 'polite' | 'assertive'): void;
  mirrored(): boolean;
}

/** One screen in the document. `update` is called for every later page that it still stands for. */
export interface View {
  readonly root: HTMLElement;
  update(page: Page): void;
  /** Called before the view leaves the document. */
  release?(): void;
}

export type MakeView = (page: Page, context: ViewContext) => View;
