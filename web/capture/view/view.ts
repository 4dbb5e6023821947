// What a screen consists of, and what it may use.
import type { HandOffTarget } from '../api/device.ts';
import type { BrowserTraits } from '../camera/browser-family.ts';
import type { Page, PageEvent } from '../flow/screens.ts';
import type { Voice } from '../speech/voice.ts';
import type { Texts } from '../texts/texts.ts';
import type { Urgency } from './announcer.ts';

export interface ViewContext {
  readonly texts: Texts;
  readonly video: HTMLVideoElement;
  readonly voice: Voice;
  readonly browser: BrowserTraits;
  dispatch(event: PageEvent): void;
  /** Announces a text through the live regions and the voice; `polite` by default. */
  announce(text: string, urgency?: Urgency): void;
  mirrored(): boolean;
  /**
   * The link with which another browser continues this check, as this device or `anew`; `null`: this page does not follow
   * it.
   */
  linkTo(target: HandOffTarget | null, anew?: boolean): string;
}

/** One screen in the document. `update` is called for every later page that this view still shows. */
export interface View {
  readonly root: HTMLElement;
  update(page: Page): void;
  /** Called before the view leaves the document. */
  release?(): void;
}

export type MakeView = (page: Page, context: ViewContext) => View;
