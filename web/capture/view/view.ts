// What a screen is made of, and what it may use.
import type { HandOffTarget } from '../api/device.ts';
import type { BrowserTraits } from '../camera/browser-family.ts';
import type { Page, PageEvent } from '../flow/screens.ts';
import type { ScreenLight } from '../light/screen-light.ts';
import type { Voice } from '../speech/voice.ts';
import type { Texts } from '../texts/texts.ts';
import type { Urgency } from './announcer.ts';

export interface ViewContext {
  readonly texts: Texts;
  readonly video: HTMLVideoElement;
  readonly voice: Voice;
  readonly light: Pick<ScreenLight, 'isOn' | 'toggle'>;
  readonly browser: BrowserTraits;
  dispatch(event: PageEvent): void;
  /** Says something through the live regions and the voice; `polite` where nothing is said of its urgency. */
  announce(text: string, urgency?: Urgency): void;
  mirrored(): boolean;
  /** The link by which another browser goes on with this check; `null`: for good, without this page following. */
  linkTo(target: HandOffTarget | null): string;
}

/** One screen in the document. `update` is called for every later page that it still stands for. */
export interface View {
  readonly root: HTMLElement;
  update(page: Page): void;
  /** Called before the view leaves the document. */
  release?(): void;
}

export type MakeView = (page: Page, context: ViewContext) => View;
