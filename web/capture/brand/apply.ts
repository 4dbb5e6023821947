// Puts the palette into the document as custom properties, for the scheme in use now and whenever it changes.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import { type Palette, paletteOf } from './palette.ts';

/**
 * Sets the properties through the CSSOM: a strict CSP blocks style attributes in markup, not scripts that set
 * properties.
 */
export function applyBrand(style: CaptureState['style'] | null): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const given = {
    primary: style?.primary_colour_hex ?? null,
    headerText: style?.header_text_colour_hex ?? null,
    bodyText: style?.body_text_colour_hex ?? null,
  };
  const root = document.documentElement;
  const apply = () => {
    const palette = paletteOf(given, dark.matches ? 'dark' : 'light');
    for (const [name, colour] of Object.entries(palette) as [keyof Palette, string][]) {
      root.style.setProperty(`--${kebab(name)}`, colour);
    }
  };
  dark.addEventListener('change', apply);
  apply();
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
