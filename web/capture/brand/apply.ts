// Puts the palette into the document as custom properties, for the scheme in use now and whenever it changes.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import { SURROUNDS } from '../light/hues.ts';
import { type Palette, paletteOf } from './palette.ts';

/**
 * Sets the properties through the CSSOM: a strict CSP blocks style attributes in markup, not scripts that set
 * properties.
 * @returns function to call when the surround is lit (screen-light.ts) and when it no longer is
 */
export function applyBrand(style: CaptureState['style'] | null): (isLit: boolean) => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const given = {
    primary: style?.primary_colour_hex ?? null,
    headerText: style?.header_text_colour_hex ?? null,
    bodyText: style?.body_text_colour_hex ?? null,
  };
  const root = document.documentElement;
  const apply = () => {
    const isLit = 'lit' in root.dataset;
    const palette = isLit
      ? paletteOf(given, 'light', SURROUNDS)
      : paletteOf(given, dark.matches ? 'dark' : 'light');
    for (const [name, colour] of Object.entries(palette) as [keyof Palette, string][]) {
      root.style.setProperty(`--${kebab(name)}`, colour);
    }
  };
  dark.addEventListener('change', apply);
  apply();
  return (isLit) => {
    root.toggleAttribute('data-lit', isLit);
    apply();
  };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
