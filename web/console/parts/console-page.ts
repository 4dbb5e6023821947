// What the console knows of each of its pages.
import type { ComponentType } from 'react';

/** A page of the console, and its address in the part after `#`. */
export interface ConsolePage {
  readonly path: string;
  readonly title: string;
  readonly page: ComponentType;
}
