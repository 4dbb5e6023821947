// Builds the page's palette from flow_style: the client's colours where they are readable, else the nearest readable
// ones.
import {
  CONTROL_CONTRAST,
  isGrey,
  mix,
  onColour,
  parseHex,
  readable,
  TEXT_CONTRAST,
  toHex,
} from './contrast.ts';

export type Scheme = 'light' | 'dark';

/** Colours that a client may give; null where not given. */
export interface GivenColours {
  readonly primary: string | null;
  readonly headerText: string | null;
  readonly bodyText: string | null;
}

/** Every colour of the page as `#rrggbb`. */
export interface Palette {
  /** Behind everything. */
  readonly backdrop: string;
  /** The card behind the text. */
  readonly surface: string;
  readonly heading: string;
  readonly text: string;
  /** Secondary text; still 4.5:1. */
  readonly muted: string;
  /** Filled buttons. */
  readonly primary: string;
  readonly primaryHover: string;
  readonly onPrimary: string;
  /** The primary colour as a line, an icon or a button's outline; 3:1. */
  readonly accent: string;
  /** The primary colour as text on the surface; 4.5:1. */
  readonly link: string;
  /** A wash of the primary colour behind icons. */
  readonly tint: string;
  readonly line: string;
}

const BASE = {
  light: { surface: '#ffffff', backdrop: '#f3f5f9', heading: '#101828', text: '#344054', primary: '#2f5bea' },
  dark: { surface: '#14181f', backdrop: '#0b0e13', heading: '#f5f7fa', text: '#c9d1dc', primary: '#5b84ff' },
} as const;

/**
 * The whole palette of one scheme. All text has 4.5:1 on the card, the backdrop and the tint; icons and outlines have
 * 3:1.
 */
export function paletteOf(given: GivenColours, scheme: Scheme): Palette {
  const base = BASE[scheme];
  const { surface } = base;
  const primary = toHex(parseHex(given.primary ?? '') ?? parseHex(base.primary)!);
  const onPrimary = onColour(primary);
  const backdrop = mix(primary, base.backdrop, 0.03);
  const tint = mix(primary, surface, scheme === 'light' ? 0.1 : 0.2);
  const papers = [surface, backdrop, tint];
  const text = inkOf(given.bodyText, base.text, papers);
  return {
    backdrop,
    surface,
    tint,
    heading: inkOf(given.headerText, base.heading, papers),
    text,
    muted: readable(mix(text, surface, 0.72), papers, TEXT_CONTRAST),
    primary,
    // Mixed away from the label's colour, so that the contrast only grows.
    primaryHover: mix(primary, onPrimary === '#ffffff' ? '#000000' : '#ffffff', 0.88),
    onPrimary,
    accent: readable(primary, papers, CONTROL_CONTRAST),
    link: readable(primary, papers, TEXT_CONTRAST),
    line: mix(text, surface, 0.16),
  };
}

/**
 * Text in the given colour. An unreadable grey (white text for a dark page, say) carries no brand, so the page's own
 * ink replaces it; an unreadable hue is moved to a readable lightness.
 */
function inkOf(given: string | null, own: string, papers: readonly string[]): string {
  const wanted = given !== null && parseHex(given) ? given : own;
  const ink = readable(wanted, papers, TEXT_CONTRAST);
  const moved = ink !== toHex(parseHex(wanted)!);
  return moved && isGrey(wanted) ? readable(own, papers, TEXT_CONTRAST) : ink;
}
