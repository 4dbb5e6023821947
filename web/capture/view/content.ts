// The content of a screen that says one thing.
import type { Screen, ScreenName } from '../flow/screens.ts';
import type { IconName } from './icons.ts';
import type { Tone } from './parts.ts';

export interface Content {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly eyebrow?: string;
  readonly title: string;
  readonly body: string;
  readonly steps?: readonly string[];
  readonly note?: string | null;
  readonly actions?: readonly (Node | null)[];
}

export type ScreenOf<Name extends ScreenName> = Extract<Screen, { readonly name: Name }>;
