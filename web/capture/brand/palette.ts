// The page's palette from flow_style: the client's colours where they can be read, the nearest readable ones where not.
import {
  CONTROL_CONTRAST,
  contrast,
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
  /** Of the card that the texts stand on. */
  readonly surface: string;
  readonly heading: string;
  readonly text: string;
  /** Secondary text; still 4.5:1. */
  readonly muted: string;
  /** Filled buttons. */
  readonly primary: string;
  readonly primaryHover: string;
  readonly onPrimary: string;
  /** Outline of filled buttons: 3:1 on the card where the fill alone has less. */
  readonly primaryEdge: string;
  /** The primary colour where it is a line or an icon on the surface; 3:1. */
  readonly accent: string;
  /** The primary colour where it is text on the surface; 4.5:1. */
  readonly link: string;
  /** A wash of the primary colour behind icons. */
  readonly tint: string;
  readonly line: string;
}

const BASE = {
  light: { surface: '#ffffff', backdrop: '#f3f5f9', heading: '#101828', text: '#344054', primary: '#2f5bea' },
  dark: { surface: '#14181f', backdrop: '#0b0e13', heading: '#f5f7fa', text: '#c9d1dc', primary: '#5b84ff' },
} as const;

/** The whole palette of one scheme. All texts have 4.5:1 on both backgrounds, controls 3:1. */
export function paletteOf(given: GivenColours, scheme: Scheme): Palette {
  const base = BASE[scheme];
  const primaryGiven = given.primary !== null && parseHex(given.primary) ? given.primary : base.primary;
  const primary = toHex(parseHex(primaryGiven)!);
  const onPrimary = onColour(primary);
  const hoverTowards = onPrimary === '#ffffff' ? '#000000' : '#ffffff';
  const backdrop = mix(primary, base.backdrop, 0.03);
  // Texts stand on the card and, on a phone, on the backdrop too: the harder of the two decides.
  const hardest = (colour: string) =>
    contrast(colour, base.surface) < contrast(colour, backdrop) ? base.surface : backdrop;
  const text = inkOf(given.bodyText, base.text, hardest);
  return {
    backdrop,
    surface: base.surface,
    heading: inkOf(given.headerText, base.heading, hardest),
    text,
    muted: readable(mix(text, base.surface, 0.72), hardest(mix(text, base.surface, 0.72)), TEXT_CONTRAST),
    primary,
    primaryHover: mix(primary, hoverTowards, 0.88),
    onPrimary,
    primaryEdge: readable(primary, base.surface, CONTROL_CONTRAST),
    accent: readable(primary, hardest(primary), CONTROL_CONTRAST),
    link: readable(primary, hardest(primary), TEXT_CONTRAST),
    tint: mix(primary, base.surface, scheme === 'light' ? 0.1 : 0.2),
    line: mix(text, base.surface, 0.16),
  };
}

/**
 * Text in the colour given. An unreadable grey (white text for a dark page, say) carries no brand: the page's own ink
 * stands in; an unreadable hue is moved to a readable lightness.
 */
function inkOf(given: string | null, own: string, hardest: (colour: string) => string): string {
  if (given === null || !parseHex(given)) return own;
  const background = hardest(given);
  if (isGrey(given) && contrast(given, background) < TEXT_CONTRAST) return own;
  return readable(given, background, TEXT_CONTRAST);
}
