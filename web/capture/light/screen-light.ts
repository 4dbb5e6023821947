// Lights the page's surround while it records, by the code that came with the script; and the person's choice against it.
import {
  type DrawnLight,
  type LightOffer,
  type LightShown,
  SYMBOL_MS,
  symbolOf,
} from '../../../src/contract/screen-light.ts';
import { BETWEEN, HUES } from './hues.ts';

export interface ScreenLight {
  isOn(offer: LightOffer): boolean;
  /** The person switches it off, or on again; kept for the next time. */
  toggle(): void;
  /** Lights the surround from just before the recording until its end. */
  show(screen: string, offered: LightOffer): void;
  /** Plays the code from the recording's first frame on. Does nothing where the light is off. */
  play(light: DrawnLight | undefined, startedAtMs: number): void;
  /** Whether the code was shown, for the recording made last; null where there was none to show. */
  shown(): LightShown | null;
}

const ENTRY = 'likeness-light';
/** Whoever asks their device for calm or for contrast gets no light that they have not asked for. */
const CALM = '(prefers-reduced-motion: reduce), (prefers-contrast: more), (forced-colors: active)';
const LIT: readonly string[] = ['preparing', 'recording'];

/**
 * @param surround the layer behind everything
 * @param lit called when the surround is lit, and when it no longer is
 */
export function createScreenLight(surround: HTMLElement, lit: (isLit: boolean) => void): ScreenLight {
  const calm = matchMedia(CALM);
  let choice = readChoice();
  let offer: LightOffer = 'off';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLit = false;
  let told: LightShown | null = null;
  const isOn = (given: LightOffer) =>
    given === 'required' || (given === 'optional' && (choice ?? (calm.matches ? 'off' : 'on')) === 'on');

  const light = (on: boolean) => {
    if (!on) clearTimeout(timer);
    if (on === isLit) return;
    isLit = on;
    surround.style.backgroundColor = on ? BETWEEN : '';
    lit(on);
  };
  const step = (code: string, startedAtMs: number) => {
    const elapsedMs = performance.now() - startedAtMs;
    const k = Math.max(0, Math.floor(elapsedMs / SYMBOL_MS));
    const symbol = symbolOf(code, k);
    surround.style.backgroundColor = symbol === 0 ? BETWEEN : symbol > 0 ? HUES.warm : HUES.cool;
    surround.dataset.symbol = String(k);
    // By the recording's clock, not from change to change: what comes late does not shift what follows.
    timer = setTimeout(step, (k + 1) * SYMBOL_MS - elapsedMs, code, startedAtMs);
  };

  return {
    isOn,
    toggle: () => {
      choice = isOn('optional') ? 'off' : 'on';
      writeChoice(choice);
      // What is shown of a code stays with the code: it does not begin again in the middle.
      if (choice === 'on' || offer !== 'optional') return;
      if (told === 'shown') told = 'switched_off';
      light(false);
    },
    show: (screen, offered) => {
      offer = offered;
      if (!LIT.includes(screen)) light(false);
      else if (screen === 'preparing') light(isOn(offer));
    },
    play: (drawn, startedAtMs) => {
      clearTimeout(timer);
      const off = choice === 'off' ? 'switched_off' : 'device_preference';
      told = drawn ? (isLit ? 'shown' : off) : null;
      if (drawn && isLit) step(drawn.code, startedAtMs);
    },
    shown: () => told,
  };
}

function readChoice(): 'on' | 'off' | null {
  try {
    const kept = localStorage.getItem(ENTRY);
    return kept === 'on' || kept === 'off' ? kept : null;
  } catch {
    return null;
  }
}

function writeChoice(choice: 'on' | 'off'): void {
  try {
    localStorage.setItem(ENTRY, choice);
  } catch {
    // Blocked storage: the choice lasts as long as the page.
  }
}
